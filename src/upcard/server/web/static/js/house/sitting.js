// The page of a table: its lobby, the game with everything around it, the end.
// @ts-check
import { html, nothing, repeat } from "../../vendor/lit.js";
import "../table/table.js";
import { Problem, ask, look, send } from "./asking.js";
import { sign } from "./bar.js"; // and the bar itself, for the lobby
import "./book.js";
import { Connection } from "./connection.js";
import { HouseElement, define } from "./element.js";
import { icon } from "./icons.js";
import { origin, qr } from "./inviting.js";
import { forget, keep, kept } from "./keeping.js";
import "./liking.js";
import "./lobby.js";
import { countEnding, keepPledge, remember } from "./mine.js";
import { preferences } from "./preferences.js";
import "./result.js";
import { said, sentencesOf } from "./saying.js";
import { close, open, sheet } from "./sheet.js";
import { t, words } from "./words.js";

// What was missed is played back if it is not more than this; more would keep one waiting.
const MOST_PLAYED_BACK = 16;
// Nothing that moves on the screen may hold up a table for longer, in milliseconds.
const LONGEST_SHOW = 8000;
const PHRASE_STAYS = 6000;

/** @param {number} time */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

class SittingPage extends HouseElement {
  static properties = {
    table: {},
    lesson: { type: Boolean },
    facts: { state: true },
    state: { state: true },
    busy: { state: true },
    link: { state: true },
    refusal: { state: true },
    hint: { state: true },
    lately: { state: true },
    phrases: { state: true },
    bubbles: { state: true },
    history: { state: true },
    handOver: { state: true },
    missing: { state: true },
    missed: { state: true },
    now: { state: true },
  };

  /** @type {Connection | null} */
  #connection = null;
  /** The number up to which everything was taken in. */
  #seq = 0;
  /** What waits to be shown, one after another. @type {Promise<unknown>} */
  #showing = Promise.resolve();
  #catchingUp = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;
  /** @type {any} */
  #awake = null;

  constructor() {
    super();
    this.table = "";
    this.lesson = false;
    // The server tells these before anything is drawn.
    /** @type {import("../table/types.js").Facts} */
    this.facts = /** @type {any} */ (null);
    /** @type {import("../table/types.js").State} */
    this.state = /** @type {any} */ (null);
    this.busy = false;
    /** @type {import("./connection.js").Link} */
    this.link = "coming";
    /** @type {import("./asking.js").Answer | null} */
    this.refusal = null;
    /** @type {any} */
    this.hint = null;
    /** What happened last. @type {import("./saying.js").Sentence[]} */
    this.lately = [];
    /** @type {string[]} */
    this.phrases = [];
    /** @type {{key: number, seat: number, sentence: import("./saying.js").Sentence}[]} */
    this.bubbles = [];
    /** @type {import("./saying.js").Sentence[] | null} */
    this.history = null;
    /** @type {any} */
    this.handOver = null;
    this.missing = false;
    /** How many events were missed. */
    this.missed = 0;
    this.now = Date.now() / 1000;
  }

  // Coming and going

  connectedCallback() {
    super.connectedCallback();
    this.#clock = setInterval(() => {
      if (this.state?.deadline || this.state?.window) this.now = Date.now() / 1000;
    }, 1000);
    this.#come();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#clock);
    this.#connection?.close();
    this.#awake?.release?.();
  }

  get #path() {
    return `/api/tables/${encodeURIComponent(this.table)}`;
  }

  async #come() {
    let told;
    while (told === undefined) {
      try {
        told = await look(this.#path);
      } catch (problem) {
        if (problem instanceof Problem && problem.status === 404) {
          this.missing = true;
          return;
        }
        this.link = "away";
        await pause(1500);
      }
    }
    // Whoever may still sit down has to be known before the stream begins, or it would stay that of a stranger.
    if (told.you === null) await ask("/api/session", {}).catch(() => null);
    this.facts = told;
    const before = kept(`seen.${this.table}`, /** @type {any} */ (null));
    const resumes = before && before.you === told.you && before.phase === "playing" && before.seq < told.seq;
    this.state = resumes ? before : told;
    this.#seq = this.state.seq;
    this.#catchingUp = Boolean(resumes);
    this.#settle();
    this.#connection = new Connection(this.table, { since: this.#seq });
    this.#connection.addEventListener("news", (event) => this.#take(/** @type {CustomEvent} */ (event).detail));
    this.#connection.addEventListener("presence", (event) => this.#meet(/** @type {CustomEvent} */ (event).detail));
    this.#connection.addEventListener("note", (event) => this.#note(/** @type {CustomEvent} */ (event).detail));
    this.#connection.addEventListener("link", () => (this.link = this.#connection?.link ?? "away"));
    this.#connection.open();
    await this.updateComplete;
    this.dispatchEvent(new CustomEvent("shown", { detail: { events: [], state: this.state } }));
  }

  // What happens

  /**
   * Take in what the server tells, by the stream or in an answer; what is known already is left out.
   * @param {{events: import("../table/types.js").Entry[], state: import("../table/types.js").State}} told
   */
  #take({ events, state }) {
    if (state.seq < this.#seq) return;
    const fresh = events.filter((event) => event.seq > this.#seq);
    this.#seq = state.seq;
    const back = this.#catchingUp;
    this.#catchingUp = false;
    this.#showing = this.#showing.then(() => this.#show(fresh, state, back)).catch((error) => console.error(error));
  }

  /**
   * @param {import("../table/types.js").Entry[]} events
   * @param {import("../table/types.js").State} state
   * @param {boolean} back whether they were missed
   */
  async #show(events, state, back) {
    const sentences = events.flatMap((event) => sentencesOf(event, state));
    if (sentences.length) this.lately = sentences.slice(-6);
    if (back) this.missed = events.filter((event) => event.news).length;
    for (const event of events) if (event.kind === "said") this.#bubble(event, state);
    if (this.history) this.history = [...this.history, ...sentences];
    const table = /** @type {import("../table/table.js").UpcardTable | null} */ (this.querySelector("upcard-table"));
    const seen = document.visibilityState === "visible" && events.length <= MOST_PLAYED_BACK;
    if (table?.tell && events.length && seen) await Promise.race([table.tell(events), pause(LONGEST_SHOW)]);
    this.state = state;
    this.#settle();
    await this.updateComplete;
    this.dispatchEvent(new CustomEvent("shown", { detail: { events, state } }));
  }

  /** See to all that follows from how the table stands. */
  #settle() {
    const { state, facts } = this;
    if (state.you !== null) remember(this.table, facts.game);
    if (state.phase === "open") keepPledge(this.table, { commitment: facts.commitment });
    if (state.phase === "playing") keep(`seen.${this.table}`, state);
    else forget(`seen.${this.table}`);
    // A hint is about one position only.
    if (this.hint?.seq !== state.seq) this.hint = null;
    if (state.phase === "over") {
      countEnding(this.table, facts.game, state);
      this.updateComplete.then(() => {
        if (!this.ended) open(this, "result");
        this.ended = true;
      });
    }
    const game = t(`web.house_game_${facts.game}`);
    const yours = state.phase === "playing" && state.to_move === state.you;
    document.title = yours ? `● ${t("web.house_your_turn")} · ${game}` : `${game} · Upcard`;
    this.#stayAwake();
  }

  async #stayAwake() {
    const wanted = this.state.phase === "playing" && this.state.you !== null;
    if (!wanted || this.#awake || !("wakeLock" in navigator)) return;
    try {
      this.#awake = await navigator.wakeLock.request("screen");
      this.#awake.addEventListener("release", () => (this.#awake = null));
    } catch {
      // Then the screen sleeps when it likes to.
    }
  }

  /** @param {{seat: number, present: boolean}} told */
  #meet({ seat, present }) {
    const others = (this.state.present ?? []).filter((/** @type {number} */ other) => other !== seat);
    this.state = { ...this.state, present: present ? [...others, seat] : others };
  }

  /** @param {{window: number, answered: string}} told */
  #note({ window, answered }) {
    if (this.state.window?.opened === window) this.state = { ...this.state, window: { ...this.state.window, answered } };
  }

  /**
   * @param {import("../table/types.js").Entry} event
   * @param {import("../table/types.js").State} state
   */
  #bubble(event, state) {
    const bubble = { key: event.seq, seat: event.seat, sentence: sentencesOf(event, state)[0] };
    this.bubbles = [...this.bubbles, bubble];
    setTimeout(() => (this.bubbles = this.bubbles.filter((other) => other !== bubble)), PHRASE_STAYS);
  }

  // What one does

  /**
   * Send a command; only one at a time, whatever is tapped meanwhile.
   * @param {string} what
   * @param {object} [fields]
   */
  async #do(what, fields = {}) {
    if (this.busy) return null;
    this.busy = true;
    this.refusal = null;
    try {
      const answer = await send(`${this.#path}/${what}`, fields);
      if (answer.state) this.#take({ events: answer.news ?? [], state: answer.state });
      if (answer.type === "refused") this.refusal = answer;
      if (answer.type === "stale") this.refusal = { ...answer, code: "web.house_stale" };
      if (answer.type === "problem") this.refusal = { ...answer, code: new Problem(answer.status).code };
      return answer;
    } catch (problem) {
      const code = problem instanceof Problem ? problem.code : "web.house_problem_other";
      this.refusal = { type: "problem", status: 0, code };
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** @param {CustomEvent<{move: string}>} event */
  #move(event) {
    this.hint = null;
    this.#do("play", { base: this.state.seq, move: event.detail.move });
  }

  /** Only the server knows the rules: it says which of them is against a move. @param {CustomEvent<{move: string}>} event */
  #explain(event) {
    const { move } = event.detail;
    if (move) this.#do("play", { base: this.state.seq, move });
    else this.refusal = { type: "refused", status: 0, code: "web.table_not_there" };
  }

  /** @param {CustomEvent<{move: string}>} event */
  async #answer(event) {
    const { move } = event.detail;
    const answer = await this.#do("react", { base: this.state.seq, move });
    if (answer?.type === "kept" && this.state.window) this.#note({ window: this.state.window.opened, answered: answer.move ?? move });
  }

  async #hintPlease() {
    if (this.busy) return;
    this.busy = true;
    try {
      const answer = await ask(`${this.#path}/hint`, {});
      if (answer.type === "refused") this.refusal = answer;
      else if (answer.type === "problem") this.refusal = { ...answer, code: new Problem(answer.status).code };
      else if (answer.seq === this.state.seq) this.hint = answer.body;
    } catch (problem) {
      this.refusal = { type: "problem", status: 0, code: "web.house_problem_offline" };
    }
    this.busy = false;
  }

  async #openSay() {
    open(this, "say");
    if (this.phrases.length === 0) this.phrases = (await look("/offers.json").catch(() => null))?.phrases ?? [];
  }

  async #openHistory() {
    open(this, "history");
    try {
      const told = await look(`${this.#path}/events?since=0`);
      this.history = told.news.flatMap((/** @type {any} */ event) => sentencesOf(event, told.state));
    } catch {
      this.history = this.lately;
    }
    await this.updateComplete;
    this.querySelector("dialog[data-sheet=history] ol")?.lastElementChild?.scrollIntoView({ block: "end" });
  }

  async #openHandOver() {
    close(this, "more");
    const answer = await this.#do("hand-over");
    if (answer?.type !== "done") return;
    this.handOver = answer.body;
    open(this, "hand-over");
  }

  async #leave() {
    if (!confirm(t(this.state.phase === "playing" ? "web.house_leave_sure" : "web.house_leave_sure_open"))) return;
    const answer = await this.#do("leave");
    if (answer) location.href = "/";
  }

  /** @param {string} [clause] */
  openRules(clause = "") {
    close(this, "more");
    open(this, "rules");
    /** @type {import("./book.js").Book | null} */ (this.querySelector("upcard-book"))?.openAt(clause);
  }

  // How it looks

  render() {
    if (this.missing) return this.#noTable();
    if (this.state === null) return html`<p class="waiting" role="status">${t("web.house_one_moment")}</p>${this.#linkBanner()}`;
    return this.state.phase === "open" ? this.#lobby() : this.#game();
  }

  #noTable() {
    return html`<main id="main" class="lost">
      ${sign}
      <h1>${t("web.house_no_table")}</h1>
      <p>${t("web.house_no_table_why")}</p>
      <a class="button primary" href="/">${t("web.house_home")}</a>
    </main>`;
  }

  #lobby() {
    return html`<upcard-bar></upcard-bar>
      <main id="main" tabindex="-1">
        ${this.#linkBanner()}
        <upcard-lobby
          .facts=${this.facts}
          .state=${this.state}
          @answered=${(/** @type {CustomEvent} */ event) => this.#take({ events: event.detail.news, state: event.detail.state })}
        ></upcard-lobby>
      </main>`;
  }

  #game() {
    const { state } = this;
    return html`
      <header class="strip">
        <a class="bare" href="/" aria-label=${t("web.house_home")}>${sign}</a>
        <h1>${t(`web.house_game_${this.facts.game}`)}</h1>
        <p class=${this.#yours ? "turn yours" : "turn"} data-turn=${state.to_move ?? ""}>${this.#turn()}</p>
        <span class="spacer"></span>
        ${this.#seconds()}
        <button class="bare" type="button" data-do="settings" aria-label=${t("web.house_settings")} @click=${() => open(this, "settings")}>
          ${icon("gear")}
        </button>
      </header>
      <main id="main" tabindex="-1" class="playing">
        ${this.#linkBanner()} ${this.#banners()}
        <upcard-table
          .words=${words}
          .facts=${this.facts}
          .state=${state}
          .settings=${preferences.atTable}
          .busy=${this.busy}
          .hint=${this.hint?.move ?? null}
          @move=${this.#move}
          @answer=${this.#answer}
          @explain=${this.#explain}
        ></upcard-table>
      </main>
      ${this.#notices()}
      <footer class="foot">
        <p class="lately" role="log" aria-live="polite" aria-label=${t("web.house_history")}>
          ${this.lately.slice(-2).map((sentence) => html`<span>${said(sentence)}</span> `)}
        </p>
        ${this.#tools()}
      </footer>
      ${this.#sheets()}
    `;
  }

  get #yours() {
    return this.state.phase === "playing" && this.state.to_move === this.state.you;
  }

  #turn() {
    const { state } = this;
    if (state.phase !== "playing") return t("web.house_over");
    if (state.window) return t("web.house_window");
    if (this.#yours) return t("web.house_your_turn");
    return t("web.house_turn_of", { name: state.seats[(state.to_move ?? 0) - 1]?.name ?? "" });
  }

  #seconds() {
    const left = Math.ceil((this.state.deadline ?? 0) - this.now);
    if (!this.state.deadline || left > 30) return nothing;
    return html`<span class="seconds" aria-hidden="true">${words.number(Math.max(0, left))}</span>`;
  }

  #linkBanner() {
    if (this.link !== "away") return nothing;
    return html`<p class="banner away" role="status" data-banner="away">${t("web.house_away")}</p>`;
  }

  #banners() {
    const { state } = this;
    const own = state.you === null ? null : state.seats[state.you - 1];
    return html`
      ${state.you === null && state.phase === "playing" ? html`<p class="banner">${t("web.house_watching")}</p>` : nothing}
      ${own?.away && state.phase === "playing"
        ? html`<p class="banner" role="status" data-banner="sat-in">
            ${t("web.house_bot_plays")}
            <button class="primary" type="button" data-do="come" @click=${() => this.#do("come")}>${t("web.house_come_back")}</button>
          </p>`
        : nothing}
      ${this.missed > 0
        ? html`<p class="banner" role="status" data-banner="missed">
            ${t("web.house_missed", { count: this.missed })}
            <button type="button" @click=${this.#openHistory}>${t("web.house_history")}</button>
            <button class="bare" type="button" aria-label=${t("web.house_close")} @click=${() => (this.missed = 0)}>${icon("close")}</button>
          </p>`
        : nothing}
      ${state.undo ? this.#undoBanner(state.undo) : nothing}
    `;
  }

  /** @param {{seat: number, waiting: number[]}} undo */
  #undoBanner(undo) {
    const { you, seats } = this.state;
    const name = seats[undo.seat - 1].name;
    if (you !== null && undo.waiting.includes(you)) {
      return html`<p class="banner" role="alert" data-banner="undo">
        ${t("web.house_undo_please", { name })}
        <button class="primary" type="button" data-do="agree" @click=${() => this.#do("undo/answer", { agreed: true })}>${t("web.house_agree")}</button>
        <button type="button" data-do="refuse" @click=${() => this.#do("undo/answer", { agreed: false })}>${t("web.house_rather_not")}</button>
      </p>`;
    }
    const waiting = words.list(undo.waiting.map((/** @type {number} */ seat) => seats[seat - 1].name));
    return html`<p class="banner" role="status" data-banner="undo">
      ${t("web.house_undo_waiting", { names: waiting })}
      ${undo.seat === you
        ? html`<button type="button" data-do="withdraw" @click=${() => this.#do("undo/answer", { agreed: false })}>${t("web.house_withdraw")}</button>`
        : nothing}
    </p>`;
  }

  #notices() {
    const { refusal, hint } = this;
    return html`<div class="notices">
      ${repeat(
        this.bubbles,
        (bubble) => bubble.key,
        (bubble) => html`<p class="bubble" role="status">${said(bubble.sentence)}</p>`,
      )}
      ${hint
        ? html`<p class="bubble hint" role="status" data-notice="hint">
            ${icon("hint")} <span>${said(hint.why)}</span>
            <button class="primary" type="button" data-do="follow" @click=${() => this.#do("play", { base: this.state.seq, move: hint.move })}>
              ${t("web.house_follow")}
            </button>
          </p>`
        : nothing}
      ${refusal
        ? html`<p class="bubble refusal" role="alert" data-notice="refusal">
            <span>${said([refusal.code ?? "", refusal.parameters ?? {}])}</span>
            ${refusal.clause
              ? html`<button type="button" data-do="clause" @click=${() => this.openRules(refusal.clause ?? "")}>${icon("book")} ${refusal.clause}</button>`
              : nothing}
            <button class="bare" type="button" aria-label=${t("web.house_close")} @click=${() => (this.refusal = null)}>${icon("close")}</button>
          </p>`
        : nothing}
    </div>`;
  }

  #tools() {
    const { state } = this;
    const plays = state.you !== null && state.phase === "playing";
    return html`<nav class="tools" aria-label=${t("web.house_tools")}>
      ${plays
        ? html`<button type="button" data-do="hint" ?disabled=${this.busy || !this.#yours} @click=${this.#hintPlease}>
              ${icon("hint")}<span>${t("web.house_hint")}</span>
            </button>
            <button type="button" data-do="undo" ?disabled=${this.busy || Boolean(state.undo)} @click=${() => this.#do("undo", { base: state.seq })}>
              ${icon("undo")}<span>${t("web.house_undo")}</span>
            </button>`
        : nothing}
      ${state.phase === "over"
        ? html`<button type="button" data-do="result" @click=${() => open(this, "result")}>${icon("check")}<span>${t("web.house_result")}</span></button>`
        : nothing}
      ${state.you !== null && !this.lesson
        ? html`<button type="button" data-do="say" @click=${this.#openSay}>${icon("say")}<span>${t("web.house_say")}</span></button>`
        : nothing}
      <button type="button" data-do="history" @click=${this.#openHistory}>${icon("log")}<span>${t("web.house_history_short")}</span></button>
      <button type="button" data-do="rules" @click=${() => this.openRules()}>${icon("book")}<span>${t("web.house_rules")}</span></button>
      <button type="button" data-do="more" @click=${() => open(this, "more")}>${icon("more")}<span>${t("web.house_more")}</span></button>
    </nav>`;
  }

  #sheets() {
    return html`
      ${sheet("settings", t("web.house_settings"), html`<upcard-liking></upcard-liking>`)}
      ${sheet("rules", t(`web.house_rules_${this.facts.game}`), html`<upcard-book game=${this.facts.game}></upcard-book>`)}
      ${sheet("history", t("web.house_history"), this.#historyList())} ${sheet("say", t("web.house_say"), this.#phraseList())}
      ${sheet("more", t("web.house_more"), this.#moreList())} ${sheet("hand-over", t("web.house_hand_over"), this.#handOverText())}
      ${this.state.phase === "over" || this.state.phase === "archived"
        ? sheet("result", t("web.house_over"), html`<upcard-result .facts=${this.facts} .state=${this.state}></upcard-result>`)
        : nothing}
    `;
  }

  #historyList() {
    return html`<ol class="history">
      ${(this.history ?? []).map((sentence) => html`<li>${said(sentence)}</li>`)}
    </ol>`;
  }

  #phraseList() {
    const speak = (/** @type {string} */ phrase) => {
      close(this, "say");
      this.#do("say", { phrase });
    };
    return html`<div class="phrases">
      ${this.phrases.map(
        (phrase) => html`<button type="button" data-phrase=${phrase} @click=${() => speak(phrase)}>${t(`web.house_phrase_${phrase}`)}</button>`,
      )}
    </div>`;
  }

  #moreList() {
    const seated = this.state.you !== null;
    return html`<div class="phrases">
      <a class="button" href="/t/${this.table}/room">${icon("screen")} ${t("web.house_room")}</a>
      ${seated ? html`<button type="button" data-do="hand-over" @click=${this.#openHandOver}>${icon("device")} ${t("web.house_hand_over")}</button>` : nothing}
      ${seated ? html`<button type="button" data-do="leave" @click=${this.#leave}>${icon("leave")} ${t("web.house_leave")}</button>` : nothing}
      <a class="button" href="/">${icon("home")} ${t("web.house_home")}</a>
    </div>`;
  }

  #handOverText() {
    if (!this.handOver) return nothing;
    const { code } = this.handOver;
    return html`<div class="hand-over">
      <p>${t("web.house_hand_over_how")}</p>
      ${qr(`${origin()}/?code=${code}`)}
      <p class="big-code" translate="no" data-code>${code}</p>
    </div>`;
  }
}

define("upcard-sitting", SittingPage);
