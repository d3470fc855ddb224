// A session at a table: it links a store with a connection, and shows what arrives, one card after another.
// @ts-check
import { Problem } from "./http.js";
import { Store, secondsUntil } from "./store.js";

/** @typedef {import("./messages.js").TableConnection} TableConnection */
/** @typedef {import("../table/types.js").Entry} Entry */
/** @typedef {import("../table/types.js").State} State */

// The maximum number of missed entries that are played back; more would take too long.
const MAX_PLAYED_BACK = 16;
// The longest that motion may delay a table, in milliseconds.
const MAX_DELAY = 8000;
// How long notices stay, in milliseconds.
const REACTION_STAYS = 6000;
const REFUSAL_STAYS = 9000;
const RETRY = 1500;
// The minimum interval between reports that the player is present, in milliseconds.
const STAY_PAUSE = 5000;

/** @param {number} time */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * The interface between a session and its page.
 * @typedef {object} Stage
 * @property {(entries: Entry[], land: (entry: Entry) => void) => Promise<unknown>} show let the cards of entries fly,
 *   and say of each of them when it has landed
 * @property {() => number | null | undefined} turn whose turn it is in what the table shows
 * @property {() => boolean} visible whether someone could see it
 * @property {(shown: {events: Entry[], state: State}) => unknown} settled everything that arrived together is shown
 */

export class Session {
  store = new Store();
  #showing = false;
  #stopped = false;
  /** @type {unknown} */
  #refusal = null;
  #stayed = 0;
  /** The command under way, as text. @type {string | null} */
  #underWay = null;
  /** Tells the waiting command whether it may be sent. @type {((mayBeSent: boolean) => void) | null} */
  #waiting = null;
  #leaving = false;

  /**
   * @param {TableConnection} connection
   * @param {Stage} stage
   */
  constructor(connection, stage) {
    this.connection = connection;
    this.stage = stage;
  }

  get model() {
    return this.store.model;
  }

  /**
   * Load the table, however long the network takes, and follow it.
   * @param {(loaded: any) => Promise<State | null>} prepare called when it is loaded; returns the state that this
   *   device last showed
   */
  async start(prepare) {
    const { connection, store } = this;
    const loaded = await this.#load();
    if (loaded === null || this.#stopped) return;
    store.dispatch({ type: "loaded", facts: loaded, state: loaded, remembered: await prepare(loaded), clock: connection.clock });
    connection.addEventListener("news", (event) => this.receive(detailOf(event)));
    connection.addEventListener("presence", (event) => store.dispatch({ type: "presence", ...detailOf(event) }));
    connection.addEventListener("note", (event) => store.dispatch({ type: "note", ...detailOf(event) }));
    connection.addEventListener("link", () => store.dispatch({ type: "link", link: connection.link }));
    connection.open(this.model.seq);
    await this.stage.settled({ events: [], state: /** @type {State} */ (this.model.state) });
  }

  async #load() {
    while (!this.#stopped) {
      try {
        return await this.connection.load();
      } catch (problem) {
        if (problem instanceof Problem && problem.status === 404) {
          this.store.dispatch({ type: "missing" });
          return null;
        }
        this.store.dispatch({ type: "link", link: "lost" });
        await pause(RETRY);
      }
    }
    return null;
  }

  stop() {
    this.#stopped = true;
    this.connection.close();
  }

  /** @param {import("./messages.js").NewsMessage} message */
  receive(message) {
    this.store.dispatch({ type: "received", message, at: Date.now() / 1000 });
    this.#show();
  }

  /** Show what has arrived, until nothing waits. */
  async #show() {
    if (this.#showing) return;
    this.#showing = true;
    while (this.model.queue.length && !this.#stopped) {
      const { events } = this.model.queue[0];
      const waiting = new Set(events);
      const land = (/** @type {Entry} */ entry) => {
        if (waiting.delete(entry)) this.#land(entry);
      };
      if (events.length && events.length <= MAX_PLAYED_BACK && this.stage.visible()) {
        await Promise.race([this.#fly(events, land), pause(MAX_DELAY)]);
      }
      for (const entry of waiting) land(entry);
      this.store.dispatch({ type: "settled" });
      const { state } = this.model;
      if (state) await this.stage.settled({ events, state });
    }
    this.#showing = false;
    if (this.model.missed) setTimeout(() => this.store.dispatch({ type: "dismissed", what: "missed" }), REFUSAL_STAYS);
  }

  /** @param {Entry[]} entries @param {(entry: Entry) => void} land */
  async #fly(entries, land) {
    try {
      await this.stage.show(entries, land);
    } catch (error) {
      // The state that follows is correct, whatever the motion did.
      console.error(error);
    }
  }

  /** @param {Entry} entry */
  #land(entry) {
    this.store.dispatch({ type: "landed", entry, turn: this.stage.turn() });
    if (entry.kind === "said") setTimeout(() => this.store.dispatch({ type: "expired", entry }), REACTION_STAYS);
  }

  // Commands

  /**
   * Send a command after the one under way. A repeated command, as from a double tap, is sent once. Of several waiting
   * commands, only the last is sent.
   * @param {string} command
   * @param {object} [fields]
   */
  async do(command, fields = {}) {
    const wish = JSON.stringify([command, fields]);
    if (this.model.busy && !(await this.#turn(wish))) return null;
    this.#underWay = wish;
    this.store.dispatch({ type: "sent", command });
    try {
      const answer = await this.connection.send(command, fields);
      this.store.dispatch({ type: "answered", answer });
      this.#show();
      this.#expireRefusal();
      return answer;
    } catch (problem) {
      this.#fail(problem);
      return null;
    } finally {
      this.#sendNext();
    }
  }

  /** Wait for the command under way; false if it is the same one, or if a later one takes the place of this. @param {string} wish */
  #turn(wish) {
    this.#waiting?.(false);
    this.#waiting = null;
    return wish !== this.#underWay && new Promise((resolve) => (this.#waiting = resolve));
  }

  #sendNext() {
    this.#underWay = null;
    this.#waiting?.(true);
    this.#waiting = null;
  }

  /**
   * The player is present: they touched the screen, pressed a key, read a sheet, or came back. If a bot would soon play
   * for them, or already does, the server is told.
   */
  stay() {
    const { state, facts } = this.model;
    if (!facts || !state || state.you === null || state.phase !== "playing" || this.#leaving) return;
    const now = Date.now();
    const left = secondsUntil(this.model, state.deadline ?? Infinity, now / 1000);
    const waited = state.to_move === state.you && state.deadline && left < (facts.patience_seconds ?? 0) / 2;
    const seat = state.seats[state.you - 1];
    const away = seat.away && !seat.resigned;
    if (!(waited || away) || now - this.#stayed < STAY_PAUSE) return;
    this.#stayed = now;
    this.tell("stay");
  }

  /**
   * Send a command in the background, without waiting for it or reporting errors.
   * @param {string} command
   * @param {object} [fields]
   */
  async tell(command, fields = {}) {
    try {
      const answer = await this.connection.send(command, fields);
      if (answer.state) this.receive({ events: answer.news ?? [], state: answer.state });
    } catch {
      // The next occasion makes another attempt.
    }
  }

  /** Leave, and ignore touches on the way out. */
  async leave() {
    this.#leaving = true;
    const answer = await this.do("leave");
    if (answer?.type !== "done") this.#leaving = false;
    return answer;
  }

  /** @param {string} move */
  play(move) {
    return this.do("play", { base: this.model.state?.seq, move });
  }

  async hint() {
    if (this.model.busy) return;
    this.store.dispatch({ type: "sent", command: "hint" });
    try {
      const { facts, state } = this.model;
      const answer = await this.connection.hint(facts?.game ?? "", state?.seats.map((seat) => seat.name) ?? []);
      this.store.dispatch({ type: "answered", answer: answer.type === "done" ? { type: "done", status: answer.status } : answer });
      if (answer.type === "done") this.store.dispatch({ type: "hinted", hint: answer.body });
      this.#expireRefusal();
    } catch (problem) {
      this.#fail(problem);
    } finally {
      this.#sendNext();
    }
  }

  /** Explain something that the player tried, without asking the server. @param {string} code */
  explain(code) {
    this.store.dispatch({ type: "explained", code });
    this.#expireRefusal();
  }

  async history() {
    try {
      const { news } = await this.connection.history();
      // Cards that are still flying are not history yet.
      const shown = this.model.state?.seq ?? 0;
      this.store.dispatch({ type: "history", entries: news.filter((entry) => entry.seq <= shown) });
    } catch {
      this.store.dispatch({ type: "history", entries: this.model.log });
    }
  }

  /** @param {unknown} problem */
  #fail(problem) {
    this.store.dispatch({ type: "failed", code: problem instanceof Problem ? problem.code : "web.house_problem_other" });
    this.#expireRefusal();
  }

  #expireRefusal() {
    const { refusal } = this.model;
    if (refusal === null || refusal === this.#refusal) return;
    this.#refusal = refusal;
    setTimeout(() => {
      if (this.model.refusal === refusal) this.store.dispatch({ type: "dismissed", what: "refusal" });
    }, REFUSAL_STAYS);
  }
}

/** @param {Event} event */
const detailOf = (event) => /** @type {CustomEvent} */ (event).detail;
