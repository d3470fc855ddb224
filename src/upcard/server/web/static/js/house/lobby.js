// The lobby: choosing seats before the cards are dealt.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import { faceOf, portrait, tintOf } from "../table/faces.js";
import { Problem, send } from "./http.js";
import { HouseElement, define } from "./element.js";
import { optionOf, titleOf, valueOf } from "./games.js";
import { icon } from "./icons.js";
import { invitation, linkTo, pass } from "./invitation.js";
import "./looks.js";
import { sitDown } from "./new-table.js";
import { chime } from "./chime.js";
import { preferences } from "./preferences.js";
import { winsOf } from "./wins.js";
import { t, words } from "./words.js";

// How long the others have to come before someone can start without them, in seconds. The server checks it too.
const READY_SECONDS = 20;

class Lobby extends HouseElement {
  static properties = {
    facts: { attribute: false },
    state: { attribute: false },
    busy: { state: true },
    trouble: { state: true },
    passed: { state: true },
    naming: { state: true },
    now: { state: true },
  };

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;
  /** Whether this person had not chosen a picture when the page was opened. */
  #isNew = preferences.values.face === "";

  constructor() {
    super();
    // Set before the first render.
    /** @type {import("../table/types.js").Facts} */
    this.facts = /** @type {any} */ (null);
    /** @type {import("../table/types.js").State} */
    this.state = /** @type {any} */ (null);
    this.busy = "";
    this.trouble = "";
    this.passed = "";
    this.naming = preferences.values.name;
    /** Seconds since this page was opened. */
    this.now = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#ticking = setInterval(() => (this.now += 1), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#ticking);
  }

  /** @param {Map<PropertyKey, any>} changed */
  updated(changed) {
    const before = changed.get("state");
    if (!before) return;
    const seated = (/** @type {import("../table/types.js").State} */ state) => state.seats.filter((seat) => seat.kind === "person").length;
    if (seated(this.state) > seated(before)) chime();
  }

  /** Whether this table waits for the players of the game before. */
  get #isRematch() {
    return Boolean(this.facts.rematch_of);
  }

  get #path() {
    return `/api/tables/${this.facts.table}`;
  }

  /**
   * @param {string} what
   * @param {() => Promise<any>} doing
   */
  async #do(what, doing) {
    if (this.busy) return;
    this.busy = what;
    this.trouble = "";
    try {
      const answer = await doing();
      if (answer?.type === "refused") this.trouble = t(answer.code, answer.parameters);
      else if (answer?.state) this.dispatchEvent(new CustomEvent("answered", { detail: answer, bubbles: true }));
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
    this.busy = "";
  }

  /** @param {number | null} seat */
  #sit(seat) {
    const name = this.naming.trim();
    if (name === "") {
      this.trouble = t("web.house_say_name");
      /** @type {HTMLInputElement | null} */ (this.querySelector("input[name=name]"))?.focus();
      return;
    }
    preferences.change({ name });
    this.#do("sit", () => sitDown(this.facts.table, seat, name));
  }

  async #share() {
    this.passed = await pass(linkTo(this.facts.table));
  }

  render() {
    const { facts, state } = this;
    const isHost = state.you !== null && state.host === state.you;
    const free = state.seats.some((seat) => seat.kind === "free");
    if (this.#isRematch) return this.#rematch();
    return html`<div class="lobby">
      <h1 tabindex="-1">${t("web.house_table_of", { game: titleOf(facts.game) })}</h1>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      ${facts.continues ? html`<p class="quiet" data-continues>${t("web.house_continues", { seat: facts.continues })}</p>` : nothing}
      <div class="two ${free && state.you !== null ? "inviting" : ""}">
        <section class="card">
          <h2>${t("web.house_seats")}</h2>
          ${state.you === null && free ? this.#nameField() : nothing}
          <ol class="seats">
            ${state.seats.map((seat, place) => this.#seat(seat, place + 1, isHost))}
          </ol>
          <div class="do">
            ${isHost
              ? html`<button class="primary" type="button" data-do="start" ?disabled=${free || this.busy !== ""} @click=${() =>
                    this.#do("start", () => send(`${this.#path}/start`))}>
                  ${t("web.house_start")}
                </button>`
              : nothing}
            ${!isHost && state.you !== null && state.host !== null && !state.present?.includes(state.host ?? 0)
              ? html`<button type="button" data-do="host" ?disabled=${this.busy !== ""} @click=${() =>
                  this.#do("host", () => send(`${this.#path}/host`))}>${t("web.house_be_host")}</button>`
              : nothing}
            ${isHost && free
              ? html`<button type="button" data-do="fill" ?disabled=${this.busy !== ""} @click=${this.#fill}>${t("web.house_fill")}</button>`
              : nothing}
            ${isHost
              ? html`<button class="quiet-button" type="button" data-do="lock" ?disabled=${this.busy !== ""} @click=${() =>
                  this.#do("lock", () => send(`${this.#path}/lock`, { locked: !state.locked }))}>
                  ${t(state.locked ? "web.house_unlock" : "web.house_lock")}
                </button>`
              : nothing}
            ${state.you === null
              ? nothing
              : html`<button class="quiet-button" type="button" data-do="stand" ?disabled=${this.busy !== ""} @click=${() =>
                    this.#do("stand", () => send(`${this.#path}/stand`))}>
                  ${t("web.house_stand")}
                </button>`}
          </div>
          <p class="quiet" role="status">${this.#status(isHost, free)}</p>
          ${state.locked ? html`<p class="quiet">${t("table.is_locked")}</p>` : nothing}
        </section>
        ${state.you === null ? nothing : this.#looks()} ${invitation(facts, { passed: this.passed, share: () => this.#share() })}
      </div>
      ${this.#rules()}
      <p class="links">
        <a href="/t/${facts.table}/room">${icon("screen")} ${t("web.house_room")}</a>
        <a href="/rules/${facts.game}">${icon("book")} ${t("web.house_rules")}</a>
      </p>
    </div>`;
  }

  /** The name, picture and colour, open for players who have not chosen any. */
  #looks() {
    return html`<details class="card fold looks" data-fold="looks" ?open=${this.#isNew}>
      <summary><h2>${t("web.house_me")}</h2></summary>
      <upcard-looks></upcard-looks>
    </details>`;
  }

  /** The players who are ready for the next game, and those who are not yet. */
  #rematch() {
    const { state, facts } = this;
    const missing = state.seats.filter((seat) => seat.kind === "free");
    const own = state.seats.find((seat) => seat.kept && seat.name === preferences.values.name);
    const left = Math.max(0, READY_SECONDS - this.now);
    return html`<div class="lobby rematch">
      <h1 tabindex="-1">${t("web.house_next_game", { game: titleOf(facts.game) })}</h1>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      ${winsOf(state)}
      <section class="card">
        <ol class="seats">
          ${state.seats.map(
            (seat, place) =>
              html`<li class="seat-row ${state.you === place + 1 ? "own" : ""} ${seat.kind === "free" ? "missing" : "ready"}">
                <span class="seat-who">${portrait(faceOf(seat), tintOf(seat, place + 1))}<strong>${seat.name}</strong></span>
                <span class=${seat.kind === "free" ? "ready-ring" : "tag now"}>${t(seat.kind === "free" ? "web.house_not_ready" : "web.house_ready")}</span>
              </li>`,
          )}
        </ol>
        <div class="do">
          ${state.you === null
            ? html`<button class="primary wide" type="button" data-do="ready" ?disabled=${this.busy !== ""} @click=${() =>
                this.#do("sit", () => sitDown(facts.table, null, own?.name ?? (preferences.values.name || t("web.house_guest"))))}>
                ${t("web.house_be_ready")}
              </button>`
            : html`<button type="button" data-do="start" ?disabled=${left > 0 || this.busy !== ""} @click=${() =>
                this.#do("start", () => send(`${this.#path}/start`))}>
                ${t("web.house_start_without", { names: words.list(missing.map((seat) => seat.name)) })}
                ${left > 0 ? html`<span class="count">${words.number(left)}</span>` : nothing}
              </button>`}
        </div>
        <p class="quiet" role="status">${t("web.house_dealt_when_ready")}</p>
      </section>
    </div>`;
  }

  /**
   * @param {boolean} isHost
   * @param {boolean} free
   */
  #status(isHost, free) {
    if (this.state.you === null) return t(free ? "web.house_take_a_seat" : "web.house_full_watch");
    if (free) return t("web.house_waiting_for_people");
    return t(isHost ? "web.house_all_here" : "web.house_waiting_for_host");
  }

  #nameField() {
    return html`<form class="line" @submit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      this.#sit(null);
    }}>
      <input
        name="name"
        maxlength="24"
        autocomplete="nickname"
        aria-label=${t("web.house_your_name")}
        placeholder=${t("web.house_your_name")}
        .value=${this.naming}
        @input=${(/** @type {Event} */ event) => (this.naming = /** @type {HTMLInputElement} */ (event.target).value)}
      />
      <button class="primary" type="submit" data-do="sit" ?disabled=${this.busy !== ""}>${t("web.house_sit")}</button>
    </form>`;
  }

  /**
   * @param {import("../table/types.js").Chair} seat
   * @param {number} number
   * @param {boolean} isHost
   */
  #seat(seat, number, isHost) {
    const { facts, state } = this;
    const own = state.you === number;
    // The player who continues a game knows the cards of one seat, and keeps it.
    const stays = Boolean(facts.continues) && facts.continues === state.you;
    return html`<li class="seat-row ${own ? "own" : ""}">
      <span class="seat-who">
        ${seat.kind === "free" ? icon("person") : portrait(faceOf(seat), tintOf(seat, number))}
        <span>
          ${seat.kind === "free"
            ? html`<em>${t(seat.kept ? "web.house_kept" : "web.house_free")}</em>`
            : html`<strong>${seat.name}</strong>`}
          ${seat.kind === "bot" ? html`<small>${t(`web.house_seat_${seat.bot}`)}</small>` : nothing}
          ${own ? html`<small>${t("web.house_me")}</small>` : nothing}
          ${state.host === number ? html`<small>${t("web.house_host")}</small>` : nothing}
        </span>
      </span>
      ${seat.kind === "free" && !seat.kept && !stays
        ? html`<button type="button" data-do="sit-${number}" ?disabled=${this.busy !== ""} @click=${() => this.#sit(number)}>
            ${t(state.you === null ? "web.house_sit_here" : "web.house_move_here")}
          </button>`
        : nothing}
      ${isHost && seat.kind !== "person" ? this.#placing(seat, number) : nothing}
      ${isHost && seat.kind === "person" && !own ? this.#removing(seat, number) : nothing}
    </li>`;
  }

  /**
   * @param {import("../table/types.js").Chair} seat
   * @param {number} number
   */
  #placing(seat, number) {
    const place = (/** @type {Event} */ event) => {
      const value = /** @type {HTMLSelectElement} */ (event.target).value;
      this.#do("place", () => send(`${this.#path}/place`, { seat: number, bot: value === "open" ? null : value }));
    };
    return html`<select aria-label=${t("web.house_who_sits", { seat: number })} @change=${place}>
      ${["open", ...offers.levels].map(
        (kind) => html`<option value=${kind} .selected=${kind === (seat.bot ?? "open")}>${t(`web.house_seat_${kind}`)}</option>`,
      )}
    </select>`;
  }

  /**
   * @param {import("../table/types.js").Chair} seat
   * @param {number} number
   */
  #removing(seat, number) {
    return html`<button class="quiet-button" type="button" data-do="remove-${number}" ?disabled=${this.busy !== ""} @click=${() =>
      this.#do("remove", () => send(`${this.#path}/remove`, { seat: number }))}>
      ${t("web.house_remove", { name: seat.name })}
    </button>`;
  }

  #fill = () =>
    this.#do("fill", async () => {
      let answer;
      for (const [place, seat] of this.state.seats.entries()) {
        if (seat.kind === "free") {
          answer = await send(`${this.#path}/place`, { seat: place + 1, bot: preferences.values.level });
        }
      }
      return answer;
    });

  /** The options that differ from their defaults. */
  #rules() {
    const { options, game } = this.facts;
    const changed = (offers.games[game]?.options ?? []).filter((option) => options[option.name] !== option.usual);
    if (changed.length === 0) return nothing;
    return html`<section class="card">
      <h2>${t("web.house_other_rules")}</h2>
      <dl class="facts-list">
        ${changed.map((option) => {
          const seat = option.kind === "seat" ? t("web.house_seat", { seat: Number(options[option.name]) }) : null;
          return html`<dt>${optionOf(game, option.name)}</dt>
            <dd>
              ${seat ?? valueOf(game, option.name, options[option.name])}
              <a class="clause" href="/rules/${game}#${option.clause}" target="_blank">${option.clause}</a>
            </dd>`;
        })}
      </dl>
    </section>`;
  }
}

define("upcard-lobby", Lobby);
