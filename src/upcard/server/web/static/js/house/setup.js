// Setting up a table: who plays, and by which rules.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { Problem, insist, look } from "./asking.js";
import { HouseElement, define } from "./element.js";
import { icon } from "./icons.js";
import { ownName, setUp, sitDown } from "./opening.js";
import { preferences } from "./preferences.js";
import { t } from "./words.js";

/**
 * @typedef {object} Option
 * @property {string} name
 * @property {string} clause
 * @property {"seat" | "choice" | "flag" | "number"} kind
 * @property {any} usual
 * @property {any[]} [choices]
 * @property {number} [least]
 * @property {number} [most]
 */

const PATIENCE = /** @type {const} */ (["none", "nudge", "bot"]);
/** How long bots take for a move, in seconds. */
const PACES = { slow: 2.5, calm: 1.2, quick: 0.4 };

// What options can be wrong together although each is right, by the clause that says so.
const TOGETHER = new Set(["S2.2", "L1.2"]);

/** Why a table cannot be opened. The server names the clause at the end of its sentence. @param {Problem} problem */
function whatIsWrong(problem) {
  const clause = problem.status === 400 && /\(([A-Z]\d+\.\d+)\)$/.exec(problem.message)?.[1];
  if (!clause) return t(problem.code);
  return t(`web.house_options_${TOGETHER.has(clause) ? clause.replace(".", "_") : "other"}`, { clause });
}

class SetUp extends HouseElement {
  static properties = {
    game: {},
    offers: { state: true },
    players: { state: true },
    seats: { state: true },
    chosen: { state: true },
    patience: { state: true },
    pace: { state: true },
    public: { state: true },
    busy: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    this.game = "";
    /** @type {any} */
    this.offers = null;
    this.players = 2;
    /** Who sits where: "me", "open", or the level of a bot. @type {string[]} */
    this.seats = ["me"];
    /** @type {Record<string, any>} */
    this.chosen = {};
    /** @type {"none" | "nudge" | "bot"} */
    this.patience = "bot";
    this.pace = "calm";
    this.public = false;
    this.busy = false;
    this.trouble = "";
  }

  async firstUpdated() {
    this.offers = await look("/offers.json").catch(() => null);
    if (this.offers === null) {
      this.trouble = t("web.house_problem_offline");
      return;
    }
    this.#seatsFor(preferences.liked.players[this.game] ?? this.offers.games[this.game].usual);
  }

  /** @param {number} players */
  #seatsFor(players) {
    this.players = players;
    this.seats = Array.from({ length: players }, (_, place) => this.seats[place] ?? "open");
    for (const [name, value] of Object.entries(this.chosen)) {
      if (typeof value === "number" && ["first", "dealer"].includes(name) && value > players) delete this.chosen[name];
    }
    // Five need six colours (L1.2).
    if (this.game === "lines" && players === 5) this.chosen = { ...this.chosen, colours: 6 };
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
    preferences.change({ players: { ...preferences.liked.players, [this.game]: this.players } });
    const seats = this.seats.map((who) => (who === "me" || who === "open" ? {} : { bot: who }));
    const pace = PACES[/** @type {keyof typeof PACES} */ (this.pace)];
    try {
      const options = { ...this.chosen, players: this.players };
      const table = await setUp({ game: this.game, options, seats, public: this.public, patience: this.patience, pace });
      const mine = this.seats.indexOf("me");
      if (mine >= 0) await sitDown(table, mine + 1, ownName());
      if (!this.seats.includes("open")) await insist(`/api/tables/${table}/start`);
      location.href = `/t/${table}`;
    } catch (problem) {
      this.busy = false;
      this.trouble = problem instanceof Problem ? whatIsWrong(problem) : String(problem);
    }
  }

  render() {
    const offer = this.offers?.games[this.game];
    return html`<form class="setup" @submit=${this.#open}>
      <a class="back" href="#">${icon("back")} ${t("web.house_back")}</a>
      <h1 tabindex="-1">${t("web.house_setting_up", { game: t(`web.house_game_${this.game}`) })}</h1>
      ${offer ? this.#form(offer) : nothing}
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      <div class="do">
        <button class="primary" type="submit" data-do="open" ?disabled=${this.busy || !offer}>
          ${this.busy ? t("web.house_dealing") : t(this.seats.includes("open") ? "web.house_open_table" : "web.house_open_and_start")}
        </button>
      </div>
    </form>`;
  }

  /** @param {any} offer */
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
      <section class="card">
        <h2>${t("web.house_the_rules")}</h2>
        ${offer.options.map((/** @type {Option} */ option) => this.#option(option))}
      </section>
      <section class="card">
        <h2>${t("web.house_at_the_table")}</h2>
        <fieldset class="field">
          <legend>${t("web.house_patience")}</legend>
          <div class="choices">
            ${PATIENCE.map((name) => choice("patience", name, t(`web.house_patience_${name}`), this.patience === name, () => (this.patience = name)))}
          </div>
          <p class="why">${t(`web.house_patience_${this.patience}_why`)}</p>
        </fieldset>
        <fieldset class="field">
          <legend>${t("web.house_pace")}</legend>
          <div class="choices">
            ${Object.keys(PACES).map((name) => choice("pace", name, t(`web.house_pace_${name}`), this.pace === name, () => (this.pace = name)))}
          </div>
        </fieldset>
        <label class="switch">
          <input type="checkbox" name="public" .checked=${this.public} @change=${(/** @type {Event} */ event) => (this.public = checked(event))} />
          <span>${t("web.house_public")}</span>
        </label>
      </section>
    `;
  }

  /**
   * @param {string} who
   * @param {number} place
   */
  #seat(who, place) {
    const change = (/** @type {Event} */ event) => {
      const value = /** @type {HTMLSelectElement} */ (event.target).value;
      // One sits at one seat only: whoever moves leaves the other one to the others.
      this.seats = this.seats.map((other, at) => (at === place ? value : value === "me" && other === "me" ? "open" : other));
    };
    const kinds = ["me", "open", ...this.offers.levels];
    return html`<li>
      <label class="field row-field">
        <span>${t("web.house_seat", { seat: place + 1 })}</span>
        <select name="seat-${place + 1}" @change=${change}>
          ${kinds.map((kind) => html`<option value=${kind} .selected=${kind === who}>${t(`web.house_seat_${kind}`)}</option>`)}
        </select>
      </label>
    </li>`;
  }

  /** @param {Option} option */
  #option(option) {
    const code = `web.house_option_${this.game}_${option.name}`;
    const value = this.chosen[option.name] ?? option.usual;
    return html`<fieldset class="field option" data-option=${option.name}>
      <legend>${t(code)}</legend>
      ${this.#control(option, value, code)}
      <p class="why">
        ${t(`${code}_why`)}
        <a class="clause" href="/rules/${this.game}#${option.clause}" target="_blank">${option.clause}</a>
      </p>
    </fieldset>`;
  }

  /**
   * @param {Option} option
   * @param {any} value
   * @param {string} code
   */
  #control(option, value, code) {
    const { name } = option;
    const pick = (/** @type {any} */ wanted) => () => this.#choose(name, wanted);
    if (option.kind === "number") {
      return html`<input
        type="number"
        name=${name}
        inputmode="numeric"
        aria-label=${t(code)}
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
      ${values.map((wanted) => choice(name, wanted, valueText(code, wanted), value === wanted, pick(wanted)))}
    </div>`;
  }

  /** @param {number} seat */
  #whoSits(seat) {
    return this.seats[seat - 1] === "me" ? t("web.house_me") : t("web.house_seat", { seat });
  }
}

/** Numbers in their order; other values stay in theirs. @type {(a: any, b: any) => number} */
const byNumber = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : 0);

/** @param {Event} event */
const checked = (event) => /** @type {HTMLInputElement} */ (event.target).checked;

/**
 * @param {string} code
 * @param {any} value
 */
export function valueText(code, value) {
  if (typeof value === "number") return String(value);
  return typeof value === "boolean" ? t(value ? "web.house_yes" : "web.house_no") : t(`${code}_${value}`);
}

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
