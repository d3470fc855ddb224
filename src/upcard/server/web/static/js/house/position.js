// A picture in a rulebook: a position of a real game, drawn by the table. It is only to be looked at, and what it
// shows is in the caption below it.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import "../table/table.js";
import { HouseElement, define } from "./element.js";
import { words } from "./words.js";

const STILL = { speed: 3, onePlace: false, sounds: false, motion: false };
// A picture is fetched before it comes into sight.
const AHEAD = "600px";

class Position extends HouseElement {
  static properties = { src: {}, shown: { state: true } };

  /** @type {IntersectionObserver | null} */
  #observer = null;

  constructor() {
    super();
    this.src = "";
    /** @type {any} */
    this.shown = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.#load(), { rootMargin: AHEAD });
    this.#observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  #load() {
    this.#observer?.disconnect();
    if (this.shown) return;
    fetch(this.src)
      .then((answer) => (answer.ok ? answer.json() : null))
      .then(
        (shown) => (this.shown = shown),
        () => null, // The caption is there all the same.
      );
  }

  /** @param {Map<PropertyKey, any>} changed */
  updated(changed) {
    if (!changed.has("shown") || !this.shown?.picked) return;
    const table = /** @type {import("../table/table.js").UpcardTable} */ (this.querySelector("upcard-table"));
    const { source } = table.game.read(this.shown.picked, this.shown.state.you);
    if (source) table.hold(source, 0);
  }

  render() {
    if (!this.shown) return nothing;
    const { facts, state } = this.shown;
    return html`<upcard-table .words=${words} .facts=${facts} .state=${state} .settings=${STILL}></upcard-table>`;
  }
}

define("upcard-position", Position);
