// The connection to a table on this device, with the same messages as RemoteTable (js/house/connection.js).
// @ts-check
import { Problem } from "../house/http.js";
import { device } from "./device.js";

/** @typedef {import("../house/messages.js").Link} Link */

/** @implements {EventTarget} */
export class LocalConnection extends EventTarget {
  /** @type {Link} */
  link = "connecting";
  // Both clocks are this device's.
  clock = 0;

  /** @param {string} table */
  constructor(table) {
    super();
    this.table = table;
  }

  /** @param {string} action @param {object} [fields] */
  async #ask(action, fields = {}) {
    const result = await device.ask(action, { table: this.table, ...fields });
    if (result === null) throw new Problem(404);
    return result;
  }

  async load() {
    return this.#ask("load");
  }

  /** @param {number} since */
  open(since) {
    device.addEventListener("news", this.#hear);
    this.link = "open";
    this.dispatchEvent(new Event("link"));
    // Bots may have moved since the table was loaded.
    this.#ask("since", { since }).then((news) => this.dispatchEvent(new CustomEvent("news", { detail: news })));
  }

  close() {
    device.removeEventListener("news", this.#hear);
  }

  /** @param {Event} event */
  #hear = (event) => {
    const { table, news } = /** @type {CustomEvent} */ (event).detail;
    if (table === this.table) this.dispatchEvent(new CustomEvent("news", { detail: news }));
  };

  /** @param {string} command @param {object} [fields] */
  send(command, fields = {}) {
    return this.#ask("send", { command, fields });
  }

  hint() {
    return this.#ask("hint");
  }

  history() {
    return this.#ask("history");
  }

  /** Another player holds the device now. @param {number} seat */
  take(seat) {
    return device.ask("take", { table: this.table, seat });
  }

  /**
   * What a server needs to continue the game at a shared table; null if it cannot. This has the seed, so it is asked for
   * only to be sent.
   * @returns {Promise<import("./messages.js").Continues | null>}
   */
  async continuation() {
    return (await this.#ask("continuation")).continues;
  }

  /** The record of the game as text, null before its end. @returns {Promise<string | null>} */
  record() {
    return device.ask("record", { table: this.table });
  }
}
