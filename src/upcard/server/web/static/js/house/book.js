// A rulebook beside a game, open at a clause.
// @ts-check
import { html, unsafeHTML } from "../../vendor/lit.js";
import { HouseElement, define } from "./element.js";
import "./position.js";
import { t, words } from "./words.js";

export class Book extends HouseElement {
  static properties = { game: {}, clause: { state: true }, text: { state: true } };

  constructor() {
    super();
    this.game = "";
    /** Where it is open; null before anybody wanted to read. @type {string | null} */
    this.clause = null;
    this.text = "";
    this.loaded = "";
  }

  /** @param {string} clause */
  openAt(clause) {
    this.clause = clause;
    this.requestUpdate();
  }

  willUpdate() {
    const wanted = `${this.game} ${words.language}`;
    if (this.clause === null || this.loaded === wanted) return;
    this.loaded = wanted;
    // The text comes from this server, made of its own rulebook.
    fetch(`/rules/${this.game}?part=book`)
      .then((answer) => answer.text())
      .then(
        (text) => (this.text = text),
        () => (this.loaded = ""),
      );
  }

  updated() {
    this.querySelector("li.now")?.classList.remove("now");
    const item = this.clause && this.querySelector(`li[id="${CSS.escape(this.clause)}"]`);
    if (!item) return;
    item.classList.add("now");
    item.scrollIntoView({ block: "start" });
  }

  /** @param {MouseEvent} event */
  #follow(event) {
    const link = /** @type {HTMLElement} */ (event.target).closest("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    this.openAt((link.getAttribute("href") ?? "").slice(1));
  }

  render() {
    return html`<div class="book" @click=${this.#follow}>${this.text ? unsafeHTML(this.text) : t("web.house_one_moment")}</div>`;
  }
}

define("upcard-book", Book);
