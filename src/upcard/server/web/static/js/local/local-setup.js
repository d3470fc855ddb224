// Setting up a table on this device: the seats and the options.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import { HouseElement, define } from "../house/element.js";
import { optionOf, titleOf, valueOf, whyOf } from "../house/games.js";
import { icon } from "../house/icons.js";
import { ownName } from "../house/new-table.js";
import { preferences } from "../house/preferences.js";
import { t } from "../house/words.js";
import { device } from "./device.js";
import { PACE, named } from "./new-game.js";

const PERSON = "person";

class LocalSetup extends HouseElement {
  static properties = { game: {}, seats: { state: true }, chosen: { state: true }, busy: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    this.game = "";
    /** @type {{name: string, kind: string}[]} */
    this.seats = [];
    /** @type {Record<string, any>} */
    this.chosen = {};
    this.busy = false;
    this.trouble = "";
  }

  willUpdate() {
    if (!this.seats.length) this.#seatsFor(preferences.values.players[this.game] ?? this.#offer.company);
  }

  get #offer() {
    return offers.games[this.game];
  }

  /** @param {number} players */
  #seatsFor(players) {
    this.seats = Array.from({ length: players }, (_, place) => {
      const kind = place === 0 ? PERSON : preferences.values.level;
      return this.seats[place] ?? { name: place === 0 ? ownName() : t("web.house_seat", { seat: place + 1 }), kind };
    });
    for (const { name, kind } of this.#offer.options) {
      if (kind === "seat" && this.chosen[name] > players) delete this.chosen[name];
    }
    this.chosen = { ...this.chosen, ...this.#offer.presets[players] };
  }

  /** @param {number} place @param {object} changes */
  #change(place, changes) {
    this.seats = this.seats.map((seat, at) => (at === place ? { ...seat, ...changes } : seat));
  }

  /** @param {Event} event */
  async #start(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    const players = this.seats.length;
    preferences.change({ players: { ...preferences.values.players, [this.game]: players } });
    const seats = this.seats.map(({ name, kind }) => (kind === PERSON ? { name: name.trim() || t("web.house_guest"), bot: null } : { name: "", bot: kind }));
    try {
      const plan = { game: this.game, options: { ...this.chosen, players }, seats: named(seats), pace: PACE };
      location.hash = `#table-${await device.create(plan)}`;
    } catch (problem) {
      this.busy = false;
      // The rules name the clause that the combination of options violates.
      const clause = /\(([A-Z]\d+\.\d+)\)$/.exec(/** @type {Error} */ (problem).message)?.[1];
      this.trouble = clause ? t("web.house_options_other", { clause }) : t("web.house_problem_other");
    }
  }

  render() {
    const { least, most, options } = this.#offer;
    const counts = Array.from({ length: most - least + 1 }, (_, more) => least + more);
    return html`<form class="setup" @submit=${this.#start}>
      <a class="back" href="#">${icon("back")} ${t("web.house_back")}</a>
      <h1 tabindex="-1">${t("web.house_setting_up", { game: titleOf(this.game) })}</h1>
      <section class="card">
        <label class="field row-field">
          <span>${t("web.house_players")}</span>
          ${select("players", counts, this.seats.length, String, (count) => this.#seatsFor(Number(count)))}
        </label>
        <ol class="seats">
          ${this.seats.map((seat, place) => this.#seat(seat, place))}
        </ol>
      </section>
      <section class="card">
        <h2>${t("web.house_the_rules")}</h2>
        ${options.map((option) => this.#option(option))}
      </section>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      <div class="do">
        <button class="primary" type="submit" data-do="open" ?disabled=${this.busy}>
          ${t(this.busy ? "web.house_dealing" : "web.house_open_and_start")}
        </button>
      </div>
    </form>`;
  }

  /** @param {{name: string, kind: string}} seat @param {number} place */
  #seat({ name, kind }, place) {
    const label = t("web.house_seat", { seat: place + 1 });
    const called = (/** @type {string} */ one) => t(one === PERSON ? "web.house_local_person" : `web.house_seat_${one}`);
    return html`<li>
      <label class="field row-field">
        <span>${label}</span>
        ${select(`seat-${place + 1}`, [PERSON, ...offers.levels], kind, called, (chosen) => this.#change(place, { kind: chosen }))}
      </label>
      ${kind === PERSON
        ? html`<input
            name="name-${place + 1}"
            maxlength="24"
            aria-label=${label}
            .value=${name}
            @change=${(/** @type {Event} */ event) => this.#change(place, { name: /** @type {HTMLInputElement} */ (event.target).value })}
          />`
        : nothing}
    </li>`;
  }

  /** @param {import("../offers.js").Option} option */
  #option(option) {
    const { name, kind, clause, usual } = option;
    const value = this.chosen[name] ?? usual;
    const choose = (/** @type {any} */ chosen) => (this.chosen = { ...this.chosen, [name]: chosen });
    const label = optionOf(this.game, name);
    const seats = this.seats.map((_, place) => place + 1);
    const called = (/** @type {any} */ one) =>
      kind !== "seat" ? valueOf(this.game, name, one) : one === "random" ? t("web.house_by_chance") : t("web.house_seat", { seat: one });
    const values = kind === "seat" ? ["random", ...seats] : kind === "flag" ? [true, false] : (option.choices ?? []);
    return html`<div class="field option" data-option=${name}>
      <label class="row-field">
        <span>${label}</span>
        ${kind === "number"
          ? html`<input
              type="number"
              name=${name}
              min=${option.least}
              max=${option.most}
              .value=${String(value)}
              @change=${(/** @type {Event} */ event) => choose(Number(/** @type {HTMLInputElement} */ (event.target).value))}
            />`
          : select(name, values, value, called, choose)}
      </label>
      <p class="why">${whyOf(this.game, name)} <a class="clause" href="#rules-${this.game}-${clause}">${clause}</a></p>
    </div>`;
  }
}

/**
 * @template T
 * @param {string} name
 * @param {T[]} values
 * @param {T} chosen
 * @param {(value: T) => string} called
 * @param {(value: T) => void} choose
 */
function select(name, values, chosen, called, choose) {
  const change = (/** @type {Event} */ event) => choose(values[/** @type {HTMLSelectElement} */ (event.target).selectedIndex]);
  return html`<select name=${name} @change=${change}>
    ${values.map((value) => html`<option value=${value} .selected=${value === chosen}>${called(value)}</option>`)}
  </select>`;
}

define("upcard-local-setup", LocalSetup);
