// The page of a table on this device: like that of a server's table, without the features that need a server, and with
// a screen in between when people pass the device.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { define } from "../house/element.js";
import { icon } from "../house/icons.js";
import { Problem } from "../house/http.js";
import { countEnding } from "../house/my-tables.js";
import { createTable, sitDown } from "../house/new-table.js";
import { close, open, sheet } from "../house/sheet.js";
import { TablePage } from "../house/table-page.js";
import { t } from "../house/words.js";
import { device } from "./device.js";
import { LocalConnection } from "./local-connection.js";
import { placeOf, planAgain } from "./new-game.js";

/** @typedef {import("../table/types.js").State} State */

export class LocalTablePage extends TablePage {
  static properties = { ...TablePage.properties, continuing: { state: true }, inviting: { state: true }, inviteTrouble: { state: true } };

  /** The record of the game that is over, as text. */
  #record = "";
  #recordAddress = "";
  /** @type {LocalConnection | null} */
  #connection = null;

  constructor() {
    super();
    /** Whether the game would continue at a shared table, or be dealt again. */
    this.continuing = false;
    this.inviting = false;
    this.inviteTrouble = "";
  }

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

  // A shared table

  /** An exported site has no server. */
  get canInvite() {
    return "server" in document.documentElement.dataset && this.state.phase === "playing";
  }

  async openInvite() {
    this.inviteTrouble = "";
    this.continuing = Boolean(await this.#connection?.continuation());
    await this.updateComplete;
    open(this, "invite");
  }

  /** Open a table of the server, and sit down there at the same seat. */
  async #invite() {
    if (this.inviting) return;
    this.inviting = true;
    this.inviteTrouble = "";
    const { game, options } = this.facts;
    const { seats, you, pace } = this.state;
    const people = seats.filter(({ kind }) => kind === "person");
    // A person who played against bots makes room for others.
    const bots = people.length > 1 ? seats.map(({ kind, bot }) => (kind === "bot" ? { bot } : {})) : [];
    try {
      const continues = this.continuing ? await this.#connection?.continuation() : null;
      const table = await createTable({ game, options, pace, seats: bots, ...(continues ? { continues } : {}) });
      const seat = you ?? 1 + seats.indexOf(people[0]);
      await sitDown(table, seat, seats[seat - 1].name);
      location.href = `/t/${table}`;
    } catch (problem) {
      this.inviting = false;
      this.inviteTrouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
  }

  #invitation() {
    const { continuing } = this;
    return sheet(
      "invite",
      t("web.house_invite"),
      html`<p>${t(continuing ? "web.house_invite_here" : "web.house_invite_anew")}</p>
        ${this.inviteTrouble ? html`<p class="notice" role="alert">${this.inviteTrouble}</p>` : nothing}
        <div class="do">
          <button class="primary" type="button" data-do="invite-now" ?disabled=${this.inviting} @click=${this.#invite}>
            ${icon("share")} ${t(continuing ? "web.house_invite_continue" : "web.house_invite_deal")}
          </button>
          <button type="button" data-do="stay-here" @click=${() => close(this, "invite")}>${t("web.house_close")}</button>
        </div>`,
    );
  }

  /** The seat of the person who should hold the device now. @returns {number | null} */
  get #next() {
    return /** @type {any} */ (this.state)?.hand_over ?? null;
  }

  render() {
    return html`${super.render()} ${this.state ? this.#invitation() : nothing} ${this.#next === null ? nothing : this.#handOver(this.#next)}`;
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
