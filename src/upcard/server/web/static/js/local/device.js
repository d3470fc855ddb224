// The connection from a page to the worker that runs the tables of this device.
// @ts-check
import { Problem, randomHex } from "../house/http.js";
import { keepPledge } from "../house/my-tables.js";
import { ownName } from "../house/new-table.js";
import { preferences } from "../house/preferences.js";
import { PACE, named } from "./new-game.js";

/** @typedef {import("./messages.js").Listed} Listed */
/** @typedef {import("./messages.js").Plan} Plan */

class Device extends EventTarget {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (problem: Error) => void}>} */
  #waiting = new Map();
  #asked = 0;

  get #started() {
    if (this.#worker === null) {
      this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      this.#worker.addEventListener("message", ({ data }) => this.#hear(data));
      this.#worker.addEventListener("error", () => this.#fail());
    }
    return this.#worker;
  }

  /** @param {any} message */
  #hear(message) {
    if (message.id === undefined) {
      this.dispatchEvent(new CustomEvent("news", { detail: message }));
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.failed === undefined) waiting?.resolve(message.result);
    else waiting?.reject(new Problem(message.status ?? 500, { detail: message.failed }));
  }

  /** The worker could not be started. */
  #fail() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new Problem(0));
    this.#waiting.clear();
  }

  /** @param {string} action @param {object} [fields] @returns {Promise<any>} */
  ask(action, fields = {}) {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#started.postMessage({ id, action, ...fields });
    });
  }

  /**
   * Deal. This page adds its share to the shuffle, and keeps what it knows of it until the end of the game.
   * @param {Plan} plan
   * @returns {Promise<string>} the name of the new table
   */
  async create(plan) {
    const { table, commitment } = await this.ask("prepare", { game: plan.game });
    const share = randomHex(32);
    keepPledge(table, { commitment, share });
    return this.ask("create", { table, plan, share });
  }

  /**
   * Continue a game that is over from one of its moves, against bots.
   * @param {any} record
   * @param {number} moves how many of them are kept
   * @param {number} seat the one that the person at this device takes
   * @returns {Promise<string>} the name of the new table
   */
  branch(record, moves, seat) {
    const seats = named(record.seats.map((/** @type {any} */ _, /** @type {number} */ place) => (place + 1 === seat ? { name: ownName(), bot: null } : { name: "", bot: preferences.values.level })));
    return this.ask("branch", { record, moves, seats, pace: PACE });
  }

  /** A game, step by step, as a seat saw it. @param {any} record @param {number | null} seat @returns {Promise<any>} */
  steps(record, seat) {
    return this.ask("steps", { record, seat });
  }

  /** @returns {Promise<Listed[]>} the games that are saved here, the last one first */
  list() {
    return this.ask("list");
  }
}

export const device = new Device();
