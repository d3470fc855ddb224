// The page of a table on this device: like that of a server's table, without the features that need a server, and with
// a screen in between when people pass the device.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { define } from "../house/element.js";
import { icon } from "../house/icons.js";
import { countEnding } from "../house/my-tables.js";
import { TablePage } from "../house/table-page.js";
import { t } from "../house/words.js";
import { device } from "./device.js";
import { LocalConnection } from "./local-connection.js";
import { placeOf, planAgain } from "./new-game.js";

/** @typedef {import("../table/types.js").State} State */

export class LocalTablePage extends TablePage {
  /** The record of the game that is over, as text. */
  #record = "";
  #recordAddress = "";
  /** @type {LocalConnection | null} */
  #connection = null;

  connect() {
    this.#connection = new LocalConnection(this.table);
    return this.#connection;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    if (this.#recordAddress) URL.revokeObjectURL(this.#recordAddress);
  }

  /** Nothing can be missed at a table on this device. @returns {Promise<State | null>} */
  async prepare() {
    return null;
  }

  /** @param {State} state */
  settle(state) {
    if (state.phase !== "over") return;
    // With several people at one device, games are not counted.
    const people = state.seats.filter((seat) => seat.kind === "person");
    if (people.length === 1) countEnding(this.table, this.facts.game, state);
    this.#end();
  }

  async #end() {
    if (this.#record) return;
    this.#record = (await this.#connection?.record()) ?? "";
    this.#recordAddress = URL.createObjectURL(new Blob([`${this.#record}\n`], { type: "application/json" }));
    this.requestUpdate();
    this.showEnd();
  }

  /** @returns {import("../house/table-page.js").Ending} */
  get ending() {
    const { table, facts, state } = this;
    return {
      record: this.#recordAddress,
      replay: placeOf(`replay-${table}`),
      shared: null,
      again: async (plan) => placeOf(`table-${await device.create({ ...planAgain(facts, state), ...plan })}`),
      check: () => this.#check(),
    };
  }

  async #check() {
    const record = JSON.parse(this.#record);
    const checks = await this.checked(record);
    // The first of them is about a secret, which was this device's own.
    return [
      ...checks.map((one) => (one.code === "web.house_fair_commitment" ? { ...one, code: "web.house_fair_device" } : one)),
      { code: "web.house_fair_moves", right: await device.ask("isRight", { record }) },
    ];
  }

  async leave() {
    location.href = placeOf("");
  }

  /** The seat of the person who should hold the device now. @returns {number | null} */
  get #next() {
    return /** @type {any} */ (this.state)?.hand_over ?? null;
  }

  render() {
    return html`${super.render()} ${this.#next === null ? nothing : this.#handOver(this.#next)}`;
  }

  /** @param {number} seat */
  #handOver(seat) {
    const { name } = this.state.seats[seat - 1];
    return html`<dialog class="take" aria-labelledby="take" @cancel=${(/** @type {Event} */ event) => event.preventDefault()}>
      ${icon("device")}
      <h2 id="take">${t("web.house_local_hand", { name })}</h2>
      <button class="primary" type="button" data-do="take" @click=${() => this.#connection?.take(seat)}>
        ${t("web.house_local_take", { name })}
      </button>
    </dialog>`;
  }

  updated() {
    super.updated();
    const dialog = /** @type {HTMLDialogElement | null} */ (this.querySelector("dialog.take"));
    if (dialog && !dialog.open) dialog.showModal();
  }
}

define("upcard-local-table", LocalTablePage);
