// A table for the screen that everybody in a room can see: public cards, and how to join with a phone.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import "../table/table.js";
import { look } from "./asking.js";
import { sign } from "./bar.js";
import { Connection } from "./connection.js";
import { HouseElement, define } from "./element.js";
import { linkTo, qr } from "./inviting.js";
import { preferences } from "./preferences.js";
import { said, sentencesOf } from "./saying.js";
import { t, words } from "./words.js";

class Room extends HouseElement {
  static properties = {
    table: {},
    facts: { state: true },
    state: { state: true },
    lately: { state: true },
    link: { state: true },
    missing: { state: true },
  };

  /** @type {Promise<unknown>} */
  #showing = Promise.resolve();
  /** @type {Connection | null} */
  #connection = null;

  constructor() {
    super();
    this.table = "";
    // Given before anything is drawn.
    /** @type {import("../table/types.js").Facts} */
    this.facts = /** @type {any} */ (null);
    /** @type {import("../table/types.js").State} */
    this.state = /** @type {any} */ (null);
    /** @type {import("./saying.js").Sentence[]} */
    this.lately = [];
    this.link = "coming";
    this.missing = false;
  }

  async connectedCallback() {
    super.connectedCallback();
    // Nobody's hand may be on this screen, not even that of whoever opened it: so it asks as a stranger.
    try {
      const told = await look(`/api/tables/${encodeURIComponent(this.table)}`, { credentials: "omit" });
      this.facts = told;
      this.state = told;
    } catch {
      this.missing = true;
      return;
    }
    const connection = new Connection(this.table, { since: this.state.seq, unknown: true });
    connection.addEventListener("news", (event) => {
      const { events, state } = /** @type {CustomEvent} */ (event).detail;
      this.#showing = this.#showing.then(() => this.#show(events, state)).catch((error) => console.error(error));
    });
    connection.addEventListener("link", () => (this.link = connection.link));
    connection.open();
    this.#connection = connection;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#connection?.close();
  }

  /**
   * @param {import("../table/types.js").Entry[]} events
   * @param {import("../table/types.js").State} state
   */
  async #show(events, state) {
    const sentences = events.flatMap((event) => sentencesOf(event, state));
    if (sentences.length) this.lately = [...this.lately, ...sentences].slice(-6);
    const table = /** @type {import("../table/table.js").UpcardTable | null} */ (this.querySelector("upcard-table"));
    if (table?.tell && events.length) await Promise.race([table.tell(events), new Promise((done) => setTimeout(done, 8000))]);
    this.state = state;
    await this.updateComplete;
  }

  render() {
    const { state, facts } = this;
    if (this.missing) return html`<main id="main" class="lost">${sign}<h1>${t("web.house_no_table")}</h1></main>`;
    if (!state) return html`<p class="waiting">${t("web.house_one_moment")}</p>`;
    return html`
      <header class="strip">
        <a class="bare" href="/" aria-label=${t("web.house_home")}>${sign}</a>
        <h1>${t(`web.house_game_${facts.game}`)}</h1>
        <p class="turn" data-turn=${state.to_move ?? ""}>${this.#turn()}</p>
        <span class="spacer"></span>
        ${this.link === "away" ? html`<p class="tag" role="status">${t("web.house_away")}</p>` : nothing}
      </header>
      <main id="main" tabindex="-1" class="playing">
        ${state.phase === "open"
          ? html`<section class="welcome">
              ${qr(linkTo(this.table))}
              <div>
                <p class="headline">${t("web.house_scan")}</p>
                ${facts.code ? html`<p class="big-code" translate="no">${facts.code}</p>` : nothing}
                <p class="link" translate="no">${linkTo(this.table)}</p>
                <ol class="seats">
                  ${state.seats.map(
                    (seat) => html`<li class="seat-row">${seat.name || html`<em>${t("web.house_free")}</em>`}</li>`,
                  )}
                </ol>
              </div>
            </section>`
          : html`<upcard-table .words=${words} .facts=${facts} .state=${{ ...state, you: null, legal: [] }} .settings=${preferences.atTable}></upcard-table>`}
      </main>
      ${state.phase === "open"
        ? nothing
        : html`<footer class="foot room-foot">
            <p class="lately" role="log" aria-live="polite" aria-label=${t("web.house_history")}>
              ${this.lately.slice(-3).map((sentence) => html`<span>${said(sentence)}</span> `)}
            </p>
            <div class="small-qr">${qr(linkTo(this.table))}</div>
          </footer>`}
    `;
  }

  #turn() {
    const { state } = this;
    if (state.phase === "open") return t("web.house_waiting_for_people");
    if (state.result) {
      const names = state.result.winners.map((/** @type {number} */ seat) => state.seats[seat - 1].name);
      return names.length > 1 ? t("table.shared", { names: words.list(names) }) : t("table.won", { name: names[0] ?? "" });
    }
    if (state.window) return t("web.house_window");
    return t("web.house_turn_of", { name: state.seats[(state.to_move ?? 0) - 1]?.name ?? "" });
  }
}

define("upcard-room", Room);
