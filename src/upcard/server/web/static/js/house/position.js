// A picture in a rulebook: a position of a real game, drawn by the table. It is not interactive, and the caption below
// it explains it.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { drawingOf, loadDrawing } from "../table/drawings.js";
import "../table/table.js";
import { HouseElement, define } from "./element.js";
import { words } from "./words.js";

const STILL = { speed: 3, onePlace: false, sounds: false, motion: false };
// How far outside the viewport a picture is already fetched.
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
    this.#fetch().then(
      (shown) => (this.shown = shown),
      () => null, // The caption is there anyway.
    );
  }

  async #fetch() {
    const answer = await fetch(this.src);
    if (!answer.ok) return null;
    const shown = await answer.json();
    await loadDrawing(shown.facts.game);
    return shown;
  }

  /** @param {Map<PropertyKey, any>} changed */
  updated(changed) {
    if (!changed.has("shown") || !this.shown?.picked) return;
    const table = /** @type {import("../table/table.js").UpcardTable} */ (this.querySelector("upcard-table"));
    const { source } = table.drawing.read(this.shown.picked, this.shown.state.you);
    if (source) table.hold(source, 0);
  }

  render() {
    if (!this.shown) return nothing;
    const { facts, state } = this.shown;
    const drawing = drawingOf(facts.game);
    // Such moves are nearly always possible, so showing them would only distract.
    const legal = state.legal.filter((/** @type {string} */ move) => !drawing?.read(move, state.you).deliberate);
    return html`<upcard-table .words=${words} .facts=${facts} .state=${{ ...state, legal }} .settings=${STILL}></upcard-table>`;
  }
}

define("upcard-position", Position);
