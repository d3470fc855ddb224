// Setting up a table: the seats and the options.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import { Problem, sendOrThrow } from "./http.js";
import { HouseElement, define } from "./element.js";
import { optionOf, titleOf, valueOf, whyOf } from "./games.js";
import { icon } from "./icons.js";
import { PACES, createTable, ownName, sitDown } from "./new-table.js";
import { preferences } from "./preferences.js";
import { t, words } from "./words.js";

/** @typedef {import("../offers.js").Offer} Offer */
/** @typedef {import("../offers.js").Option} Option */

const PATIENCE = /** @type {const} */ (["none", "nudge", "bot"]);
const DAY = 24 * 60 * 60;
/** The time for a move, in seconds. */
const TIMES = { minute: 60, day: DAY, days: 3 * DAY, week: 7 * DAY };

/** Why a table cannot be opened. The server names the clause at the end of its sentence. @param {Problem} problem */
function whatIsWrong(problem) {
  const clause = problem.status === 400 && /\(([A-Z]\d+\.\d+)\)$/.exec(problem.message)?.[1];
  if (!clause) return t(problem.code);
  const own = `web.house_options_${clause.replace(".", "_")}`;
  return t(words.has(own) ? own : "web.house_options_other", { clause });
}

class SetUp extends HouseElement {
  static properties = {
    game: {},
    players: { state: true },
    seats: { state: true },
    chosen: { state: true },
    patience: { state: true },
    time: { state: true },
    pace: { state: true },
    public: { state: true },
    unhurried: { state: true },
    busy: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.game = "";
    this.players = 2;
    /** The seats: "me", "open", or the level of a bot. @type {string[]} */
    this.seats = ["me"];
    /** @type {Record<string, any>} */
    this.chosen = {};
    /** @type {"none" | "nudge" | "bot"} */
    this.patience = "none";
    /** The time for a move, unless the table waits as long as it takes. @type {keyof typeof TIMES} */
    this.time = "minute";
    this.pace = "calm";
    this.public = false;
    this.unhurried = false;
    this.busy = false;
    this.trouble = "";
  }

  firstUpdated() {
    this.#seatsFor(preferences.values.players[this.game] ?? this.#offer.usual);
  }

  get #offer() {
    return offers.games[this.game];
  }

  /** @param {number} players */
  #seatsFor(players) {
    this.players = players;
    this.seats = Array.from({ length: players }, (_, place) => this.seats[place] ?? "open");
    for (const { name, kind } of this.#offer.options) {
      if (kind === "seat" && this.chosen[name] > players) delete this.chosen[name];
    }
    this.chosen = { ...this.chosen, ...this.#offer.presets[players] };
  }

  /**
   * @param {string} name
   * @param {any} value
   */
  #choose(name, value) {
    this.chosen = { ...this.chosen, [name]: value };
    this.trouble = "";
  }

  /** @param {Event} event */
  async #open(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    preferences.change({ players: { ...preferences.values.players, [this.game]: this.players } });
    const seats = this.seats.map((who) => (who === "me" || who === "open" ? {} : { bot: who }));
    const pace = PACES[/** @type {keyof typeof PACES} */ (this.pace)];
    try {
      const options = { ...this.chosen, players: this.players };
      const table = await createTable({ game: this.game, options, seats, public: this.public, unhurried: this.unhurried, patience: this.patience, patience_seconds: TIMES[this.time], pace });
      const mine = this.seats.indexOf("me");
      if (mine >= 0) await sitDown(table, mine + 1, ownName());
      if (!this.seats.includes("open")) await sendOrThrow(`/api/tables/${table}/start`);
      location.href = `/t/${table}`;
    } catch (problem) {
      this.busy = false;
      this.trouble = problem instanceof Problem ? whatIsWrong(problem) : String(problem);
    }
  }

  render() {
    return html`<form class="setup" @submit=${this.#open}>
      <a class="back" href="#">${icon("back")} ${t("web.house_back")}</a>
      <img class="picture" src=${this.#offer.web.picture} alt="" width="320" height="120" />
      <h1 tabindex="-1">${t("web.house_setting_up", { game: titleOf(this.game) })}</h1>
      ${this.#form(this.#offer)}
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      <div class="do sticky">
        <button class="primary wide" type="submit" data-do="open" ?disabled=${this.busy}>
          ${this.busy ? t("web.house_dealing") : t(this.seats.includes("open") ? "web.house_open_table" : "web.house_open_and_start")}
        </button>
      </div>
    </form>`;
  }

  /** @param {Offer} offer */
  #form(offer) {
    const counts = Array.from({ length: offer.most - offer.least + 1 }, (_, more) => offer.least + more);
    return html`
      <section class="card">
        <fieldset class="field">
          <legend>${t("web.house_players")}</legend>
          <div class="choices">
            ${counts.map((count) => choice("players", count, String(count), this.players === count, () => this.#seatsFor(count)))}
          </div>
        </fieldset>
        <ol class="seats">
          ${this.seats.map((who, place) => this.#seat(who, place))}
        </ol>
      </section>
      <details class="card fold" data-fold="rules" >
        <summary><h2>${t("web.house_the_rules")}</h2></summary>
        ${offer.options.filter((option) => this.#applies(option)).map((option) => this.#option(option))}
      </details>
      <details class="card fold" data-fold="table" >
        <summary><h2>${t("web.house_at_the_table")}</h2></summary>
        <fieldset class="field">
          <legend>${t("web.house_patience")}</legend>
          <div class="choices">
            ${PATIENCE.map((name) => choice("patience", name, t(`web.house_patience_${name}`), this.patience === name, () => (this.patience = name)))}
          </div>
          <p class="why">${t(`web.house_patience_${this.patience}_why`)}</p>
        </fieldset>
        ${this.patience === "none" ? nothing : this.#times()}
        ${this.seats.some((who) => who !== "me" && who !== "open") ? this.#paces() : nothing}
        <label class="switch">
          <input type="checkbox" name="public" .checked=${this.public} @change=${(/** @type {Event} */ event) => (this.public = checked(event))} />
          <span>${t("web.house_public")}</span>
        </label>
        ${words.has(`web.house_window_${this.game}`)
          ? html`<label class="switch">
              <input type="checkbox" name="unhurried" .checked=${this.unhurried} @change=${(/** @type {Event} */ event) => (this.unhurried = checked(event))} />
              <span>${t("web.house_unhurried")}</span>
            </label>`
          : nothing}
      </details>
    `;
  }

  /** How long bots take, if there are any. */
  #paces() {
    return html`<fieldset class="field" data-field="pace">
      <legend>${t("web.house_pace")}</legend>
      <div class="choices">
        ${Object.keys(PACES).map((name) => choice("pace", name, t(`web.house_pace_${name}`), this.pace === name, () => (this.pace = name)))}
      </div>
    </fieldset>`;
  }

  /** How long a player has for a move. */
  #times() {
    const names = /** @type {(keyof typeof TIMES)[]} */ (Object.keys(TIMES));
    return html`<fieldset class="field">
      <legend>${t("web.house_time")}</legend>
      <div class="choices">
        ${names.map((name) => choice("time", name, t(`web.house_time_${name}`), this.time === name, () => (this.time = name)))}
      </div>
    </fieldset>`;
  }

  /**
   * @param {string} who
   * @param {number} place
   */
  #seat(who, place) {
    const change = (/** @type {Event} */ event) => {
      const value = /** @type {HTMLSelectElement} */ (event.target).value;
      // A person has only one seat: the one that they leave becomes open.
      this.seats = this.seats.map((other, at) => (at === place ? value : value === "me" && other === "me" ? "open" : other));
    };
    const kinds = ["me", "open", ...offers.levels];
    return html`<li>
      <label class="field row-field">
        <span>${t("web.house_seat", { seat: place + 1 })}</span>
        <select name="seat-${place + 1}" @change=${change}>
          ${kinds.map((kind) => html`<option value=${kind} .selected=${kind === who}>${t(`web.house_seat_${kind}`)}</option>`)}
        </select>
      </label>
    </li>`;
  }

  /** Whether an option matters for this number of players. @param {Option} option */
  #applies(option) {
    return option.players === undefined || option.players === null || option.players === this.players;
  }

  /** @param {Option} option */
  #option(option) {
    const value = this.chosen[option.name] ?? option.usual;
    return html`<fieldset class="field option" data-option=${option.name}>
      <legend>${optionOf(this.game, option.name)}</legend>
      ${this.#control(option, value)}
      <p class="why">
        ${whyOf(this.game, option.name)}
        <a class="clause" href="/rules/${this.game}#${option.clause}" target="_blank">${option.clause}</a>
      </p>
    </fieldset>`;
  }

  /**
   * @param {Option} option
   * @param {any} value
   */
  #control(option, value) {
    const { name } = option;
    const pick = (/** @type {any} */ wanted) => () => this.#choose(name, wanted);
    if (option.kind === "number") {
      return html`<input
        type="number"
        name=${name}
        inputmode="numeric"
        aria-label=${optionOf(this.game, name)}
        min=${option.least}
        max=${option.most}
        .value=${String(value)}
        @change=${(/** @type {Event} */ event) => this.#choose(name, Number(/** @type {HTMLInputElement} */ (event.target).value))}
      />`;
    }
    if (option.kind === "seat") {
      const seats = Array.from({ length: this.players }, (_, place) => place + 1);
      return html`<div class="choices">
        ${choice(name, "random", t("web.house_by_chance"), value === "random", pick("random"))}
        ${seats.map((seat) => choice(name, seat, this.#whoSits(seat), value === seat, pick(seat)))}
      </div>`;
    }
    const values = option.kind === "flag" ? [true, false] : (option.choices ?? []).toSorted(byNumber);
    return html`<div class="choices">
      ${values.map((wanted) => choice(name, wanted, valueOf(this.game, name, wanted), value === wanted, pick(wanted)))}
    </div>`;
  }

  /** @param {number} seat */
  #whoSits(seat) {
    return this.seats[seat - 1] === "me" ? t("web.house_me") : t("web.house_seat", { seat });
  }
}

/** Sort numbers, and keep the order of other values. @type {(a: any, b: any) => number} */
const byNumber = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : 0);

/** @param {Event} event */
const checked = (event) => /** @type {HTMLInputElement} */ (event.target).checked;

/**
 * @param {string} name
 * @param {any} value
 * @param {string} text
 * @param {boolean} chosen
 * @param {() => void} choose
 */
function choice(name, value, text, chosen, choose) {
  return html`<label class="choice">
    <input type="radio" name=${name} value=${value} .checked=${chosen} @change=${choose} />
    <span>${text}</span>
  </label>`;
}

define("upcard-setup", SetUp);
