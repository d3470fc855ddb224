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
import { planAgain } from "./new-game.js";

/** @typedef {import("../table/types.js").State} State */

export class LocalTablePage extends TablePage {
  /** @type {LocalConnection | null} */
  #connection = null;

  connect() {
    this.#connection = new LocalConnection(this.table);
    return this.#connection;
  }

  connectedCallback() {
    super.connectedCallback();
    // Answers here what the page of a server's table would ask the server.
    this.addEventListener("click", this.#instead, { capture: true });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.removeEventListener("click", this.#instead, { capture: true });
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
    this.showEnd();
  }

  async leave() {
    location.hash = "";
  }

  /** @param {Event} event */
  #instead = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const again = target.closest("[data-do=again]");
    const record = target.closest("a[download]");
    if (!again && !record) return;
    event.preventDefault();
    event.stopPropagation();
    if (again) this.#again();
    else this.#save();
  };

  async #again() {
    const { facts, state } = this;
    const table = await device.create(planAgain(facts, state));
    location.hash = `#table-${table}`;
  }

  async #save() {
    const record = await this.#connection?.record();
    if (!record) return;
    const address = URL.createObjectURL(new Blob([`${record}\n`], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href: address, download: `${this.facts.game}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
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
