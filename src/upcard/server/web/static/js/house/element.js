// What all elements of the house have in common: they are drawn in the page itself, and anew when the language or
// somebody's liking changes.
// @ts-check
import { LitElement } from "../../vendor/lit.js";
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
 * Define an element once the words are there: it would only show codes before.
 * @param {string} name
 * @param {CustomElementConstructor} made
 */
export async function define(name, made) {
  try {
    await words.ready;
  } finally {
    customElements.define(name, made);
  }
}
