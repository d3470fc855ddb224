// The page of a table: its lobby, the game with everything around it, and the end.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { sign } from "./bar.js"; // and the bar itself, for the lobby
import { RemoteTable } from "./connection.js";
import { define } from "./element.js";
import { titleOf, windowOf } from "./games.js";
import { getJson, post } from "./http.js";
import { icon } from "./icons.js";
import { lately } from "./lately.js";
import { countEnding, keepPledge, pledgeOf } from "./my-tables.js";
import { playAgain } from "./new-table.js";
import { preferences } from "./preferences.js";
import { SessionPage } from "./session-page.js";
import { settingsButton } from "./settings-sheet.js";
import { open } from "./sheet.js";
import { load, remove, save } from "./storage.js";
import { isYourTurn, turnOf } from "./store.js";
import { banners, linkBanner, notices, sayings, waiting } from "./table-notices.js";
import { sheets } from "./table-sheets.js";
import { winsOf } from "./wins.js";
import { t, words } from "./words.js";

/** @typedef {import("../table/types.js").State} State */

/**
 * What can be done when a game is over.
 * @typedef {object} Ending
 * @property {string} record the address of its record
 * @property {string} replay the address of its replay
 * @property {string | null} shared the address of its replay for others, if they can reach it
 * @property {(plan: {game?: string, options?: object}) => Promise<string>} again play with the same people; returns the
 *   address of the next table
 * @property {() => Promise<import("./fairness.js").Check[]>} check was all fair?
 */

// Events that show that someone is present.
const SIGNS_OF_LIFE = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"];

export class TablePage extends SessionPage {
  static properties = { ...SessionPage.properties, lesson: { type: Boolean }, handOverCode: { state: true }, now: { state: true } };

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  /** @type {any} */
  #wakeLock = null;
  #ended = false;
  #came = false;
  /** Whether it was this person's turn when the table was last shown. @type {boolean | null} */
  #wasYours = null;
  /** The face and colour that were sent to the table. */
  #wish = "";
  /** The preference for time to answer that was sent to the table. @type {boolean | null} */
  #given = null;

  constructor() {
    super();
    this.lesson = false;
    this.handOverCode = "";
    this.now = Date.now() / 1000;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#ticking = setInterval(() => {
      if (!this.state?.deadline) return;
      this.now = Date.now() / 1000;
      // A player who reads a sheet is present.
      if (document.visibilityState === "visible" && this.querySelector("dialog[open]")) this.session?.stay();
    }, 1000);
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, this.#here, { passive: true });
    document.addEventListener("visibilitychange", this.#here);
    preferences.addEventListener("change", this.#rename);
  }

  #here = () => {
    if (document.visibilityState === "visible") this.session?.stay();
  };

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#ticking);
    for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, this.#here);
    document.removeEventListener("visibilitychange", this.#here);
    preferences.removeEventListener("change", this.#rename);
    this.#wakeLock?.release?.();
  }

  /** @returns {import("./messages.js").TableConnection} */
  connect() {
    return new RemoteTable(this.table);
  }

  /** @param {any} loaded */
  async prepare(loaded) {
    // A visitor who may sit down later needs an identity before the stream begins, or it would stay anonymous.
    if (loaded.you === null) await post("/api/session", {}).catch(() => null);
    return load(`seen.${this.table}`, /** @type {State | null} */ (null));
  }

  /** Do everything that follows from the state of the table. @param {State} state */
  settle(state) {
    const { facts } = this;
    if (state.phase === "open") keepPledge(this.table, { commitment: facts.commitment });
    if (state.phase === "playing") save(`seen.${this.table}`, state);
    else remove(`seen.${this.table}`);
    if (state.phase === "over") {
      countEnding(this.table, facts.game, state);
      this.showEnd();
    }
    const yours = isYourTurn(this.model);
    if (yours && this.#wasYours === false && preferences.values.notify) {
      import("./notifications.js").then(({ notifyTurn }) => notifyTurn(this.table, titleOf(facts.game)), () => null);
    }
    this.#wasYours = yours;
    this.#stayAwake();
    // Opening the page takes the seat back; later that needs a touch or a key, or a page that lies open would do so.
    if (!this.#came) this.#here();
    this.#came = true;
    this.#askForTime(state);
  }

  /** Open the result, once. It is loaded before, so that it does not grow on the screen. */
  async showEnd() {
    if (this.#ended) return;
    this.#ended = true;
    await Promise.all([this.updateComplete, import("./result.js"), import("../table/celebration.js")]).catch(() => null);
    await this.updateComplete;
    open(this, "result");
  }

  /** Tell the table whether its player always wants time to answer out of turn. @param {State} state */
  #askForTime(state) {
    if (state.you === null || (state.phase !== "open" && state.phase !== "playing")) return;
    const given = preferences.values.unhurried;
    if (this.#given === given || (state.seats[state.you - 1].unhurried ?? false) === given) return;
    this.#given = given;
    this.#session.tell("give-time", { given });
  }

  /** A changed name, face or colour also changes at this table. */
  #rename = () => {
    const { state } = this;
    if (!state || state.you === null) return;
    const { name, face, tint } = preferences.values;
    const seat = state.seats[state.you - 1];
    const changed = (name && name !== seat.name) || (face && face !== seat.face) || (tint && tint !== seat.tint);
    const wish = JSON.stringify([name, face, tint]);
    if (!changed || wish === this.#wish) return;
    this.#wish = wish;
    this.#session.tell("rename", { name: name || seat.name, face, tint });
  };

  async #stayAwake() {
    const wanted = this.state.phase === "playing" && this.state.you !== null;
    if (!wanted || this.#wakeLock || !("wakeLock" in navigator)) return;
    try {
      this.#wakeLock = await navigator.wakeLock.request("screen");
      this.#wakeLock.addEventListener("release", () => (this.#wakeLock = null));
    } catch {
      // Then the screen sleeps according to its owner's settings.
    }
  }

  // Actions

  get #session() {
    return /** @type {import("./session.js").Session} */ (this.session);
  }

  /** Only the server knows the rules: it says which of them forbids a move. @param {CustomEvent<{move: string}>} event */
  #explain(event) {
    const { move } = event.detail;
    if (move) this.#session.play(move);
    else this.#session.explain("web.table_not_there");
  }

  /** @param {CustomEvent<{move: string}>} event */
  #answer(event) {
    this.#session.do("react", { base: this.state.seq, move: event.detail.move });
  }

  /** @param {string} [clause] */
  async openRules(clause = "") {
    open(this, "rules");
    // The first load does without it.
    await import("./rulebook.js");
    await customElements.whenDefined("upcard-rulebook");
    /** @type {import("./rulebook.js").Rulebook | null} */ (this.querySelector("upcard-rulebook"))?.openAt(clause);
  }

  async openHistory() {
    open(this, "history");
    await this.#session.history();
    await this.updateComplete;
    this.querySelector("dialog[data-sheet=history] ol")?.lastElementChild?.scrollIntoView({ block: "end" });
  }

  /** Whether a table of this device can become a shared one. */
  get canInvite() {
    return false;
  }

  async openInvite() {}

  async openHandOver() {
    const answer = await this.#session.do("hand-over");
    if (answer?.type !== "done") return;
    this.handOverCode = answer.body.code;
    open(this, "hand-over");
  }

  /** @returns {Ending} */
  get ending() {
    const { table, state } = this;
    const record = `/api/tables/${table}/record`;
    const shared = `/replay?table=${encodeURIComponent(table)}`;
    const replay = state.you === null ? shared : `${shared}&seat=${state.you}`;
    return {
      record,
      replay,
      shared,
      again: async (plan) => `/t/${await playAgain(table, plan)}`,
      check: async () => this.checked(await getJson(record)),
    };
  }

  /** Check a record by what this browser knew before the cards were dealt. @param {any} record */
  async checked(record) {
    // Most people never ask.
    const { check } = await import("./fairness.js");
    return check(record, { ...pledgeOf(this.table), seat: this.state.you });
  }

  async leave() {
    const answer = await this.#session.leave();
    if (answer) location.href = "/";
  }

  // Rendering

  render() {
    const { model } = this;
    if (model.missing) return noTable();
    if (model.state === null) return html`<p class="waiting" role="status">${t("web.house_one_moment")}</p>${linkBanner(model)}`;
    return model.state.phase === "open" ? this.#lobby() : this.#game();
  }

  updated() {
    if (!this.state || !this.facts) return;
    const game = titleOf(this.facts.game);
    document.title = isYourTurn(this.model) ? `● ${t("web.house_your_turn")} · ${game}` : `${game} · Upcard`;
  }

  #lobby() {
    // A game with bots begins without it.
    import("./lobby.js").catch(() => null);
    return html`<upcard-bar></upcard-bar>
      <main id="main" tabindex="-1">
        ${linkBanner(this.model)}
        <upcard-lobby
          .facts=${this.facts}
          .state=${this.state}
          @answered=${(/** @type {CustomEvent} */ event) => this.#session.receive({ events: event.detail.news, state: event.detail.state })}
        ></upcard-lobby>
      </main>`;
  }

  #game() {
    const { model, state, facts } = this;
    const yours = isYourTurn(model);
    return html`
      <header class="strip">
        <a class="bare" href="/" aria-label=${t("web.house_home")}>${sign}</a>
        <h1>${titleOf(facts.game)}</h1>
        <p class=${yours ? "turn yours" : "turn"} data-turn=${turnOf(model) ?? ""}>${turnText(model)}</p>
        <span class="spacer"></span>
        ${winsOf(state)}
        ${settingsButton(this)}
      </header>
      <main id="main" tabindex="-1" class="playing">
        ${linkBanner(model)} ${banners(this)}
        <upcard-table
          .words=${words}
          .facts=${facts}
          .state=${state}
          .settings=${preferences.atTable}
          .busy=${model.busy !== null}
          .hint=${model.hint?.move ?? null}
          @move=${(/** @type {CustomEvent<{move: string}>} */ event) => this.#session.play(event.detail.move)}
          .clock=${model.clock}
          .said=${sayings(model)}
          .waiting=${waiting(model, this.now)}
          @answer=${this.#answer}
          @hold=${() => this.#session.do("hold", { base: state.seq })}
          @explain=${this.#explain}
        ></upcard-table>
      </main>
      ${notices(this)}
      <footer class="foot">
        ${lately(model, 2)}
        ${this.#tools()}
      </footer>
      ${sheets(this)}
    `;
  }

  /** Whether a bot is to move while a person waits. */
  get #botsPlay() {
    const seat = turnOf(this.model);
    return seat !== null && !this.state.window && this.state.seats[seat - 1].bot !== null;
  }

  #tools() {
    const { state, model } = this;
    const plays = state.you !== null && state.phase === "playing";
    const busy = model.busy !== null;
    return html`<nav class="tools" aria-label=${t("web.house_tools")}>
      ${plays || (state.you !== null && state.phase === "over")
        ? html`<span class="one-of">
              <button type="button" data-do="skip" class=${plays && this.#botsPlay ? "" : "off"} @click=${() => this.#session.tell("hurry")}>
                ${icon("last")}<span>${t("web.house_skip_to_turn")}</span>
              </button>
              <button type="button" data-do="hint" class=${plays && !this.#botsPlay ? "" : "off"} ?disabled=${busy || !isYourTurn(model)} @click=${() => this.#session.hint()}>
                ${icon("hint")}<span>${t("web.house_hint")}</span>
              </button>
              <button type="button" data-do="result" class=${plays ? "off" : ""} @click=${() => open(this, "result")}>
                ${icon("check")}<span>${t("web.house_result")}</span>
              </button>
            </span>
            <button type="button" data-do="undo" class=${plays ? "" : "off"} ?disabled=${busy || Boolean(state.undo)} @click=${() => this.#session.do("undo", { base: state.seq })}>
              ${icon("undo")}<span>${t("web.house_undo")}</span>
            </button>`
        : state.phase === "over"
          ? html`<button type="button" data-do="result" @click=${() => open(this, "result")}>${icon("check")}<span>${t("web.house_result")}</span></button>`
          : nothing}
      ${state.you !== null && !this.lesson
        ? html`<button type="button" data-do="say" @click=${() => open(this, "say")}>${icon("say")}<span>${t("web.house_say")}</span></button>`
        : nothing}
      <button type="button" data-do="history" @click=${this.openHistory}>${icon("log")}<span>${t("web.house_history_short")}</span></button>
      <button type="button" data-do="rules" @click=${() => this.openRules()}>${icon("book")}<span>${t("web.house_rules")}</span></button>
      <button type="button" data-do="more" @click=${() => open(this, "more")}>${icon("more")}<span>${t("web.house_more")}</span></button>
    </nav>`;
  }
}

/** @param {import("./store.js").Model} model */
function turnText(model) {
  const { state, facts } = model;
  if (state?.phase !== "playing" || !facts) return t("web.house_over");
  if (state.window) return windowOf(facts.game);
  if (isYourTurn(model)) return t("web.house_your_turn");
  return t("web.house_turn_of", { name: state.seats[(turnOf(model) ?? 0) - 1]?.name ?? "" });
}

const noTable = () => html`<main id="main" class="lost">
  ${sign}
  <h1>${t("web.house_no_table")}</h1>
  <p>${t("web.house_no_table_why")}</p>
  <a class="button primary" href="/">${t("web.house_home")}</a>
</main>`;

define("upcard-table-page", TablePage);
