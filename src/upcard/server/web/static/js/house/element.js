// The base class of all elements of pages. They render into the page itself, and again when the language or a
// preference changes.
// @ts-check
import { LitElement } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import { preferences } from "./preferences.js";
import { words } from "./words.js";

export class HouseElement extends LitElement {
  #drawAnew = () => this.requestUpdate();

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    words.addEventListener("change", this.#drawAnew);
    preferences.addEventListener("change", this.#drawAnew);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    words.removeEventListener("change", this.#drawAnew);
    preferences.removeEventListener("change", this.#drawAnew);
  }
}

/**
 * Define an element once the words and the games are loaded. Before that it could only show codes.
 * @param {string} name
 * @param {CustomElementConstructor} made
 */
export async function define(name, made) {
  try {
    await Promise.all([words.ready, offers.ready]);
  } finally {
    customElements.define(name, made);
  }
}
