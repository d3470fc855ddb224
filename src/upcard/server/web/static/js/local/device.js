// The connection from a page to the worker that runs the tables of this device.
// @ts-check
import { Problem } from "../house/http.js";

/** @typedef {import("./messages.js").Listed} Listed */
/** @typedef {import("./messages.js").Setup} Setup */

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
    else waiting?.reject(new Problem(500, { detail: message.failed }));
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

  /** @param {Omit<Setup, "table" | "seed">} plan @returns {Promise<string>} the name of the new table */
  create(plan) {
    return this.ask("create", { plan });
  }

  /** @returns {Promise<Listed[]>} the games that are saved here, the last one first */
  list() {
    return this.ask("list");
  }
}

export const device = new Device();
