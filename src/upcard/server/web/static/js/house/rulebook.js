// A rulebook beside a game, open at a clause.
// @ts-check
import { html, unsafeHTML } from "../../vendor/lit.js";
import { HouseElement, define } from "./element.js";
import { getWithRetries } from "./http.js";
import "./position.js";
import { t, words } from "./words.js";

/** Where the text of a rulebook is. @param {string} game */
const addressOf = (game) => `${document.documentElement.dataset.books}${game}.${words.language}.html`;

export class Rulebook extends HouseElement {
  static properties = { game: {}, clause: { state: true }, text: { state: true }, failed: { state: true } };

  constructor() {
    super();
    this.game = "";
    /** Where it is open; null before anyone wanted to read. @type {string | null} */
    this.clause = null;
    this.text = "";
    this.loaded = "";
    this.failed = false;
  }

  /** @param {string} clause */
  openAt(clause) {
    this.failed = false;
    this.clause = clause;
    this.requestUpdate();
  }

  willUpdate() {
    const wanted = `${this.game} ${words.language}`;
    if (this.clause === null || this.loaded === wanted || this.failed) return;
    this.loaded = wanted;
    // The text comes from this server, made of its own rulebook.
    getWithRetries(addressOf(this.game))
      .then((response) => response.text())
      .then(
        (text) => (this.text = text),
        () => {
          // The next look into the book tries again.
          this.loaded = "";
          this.text = "";
          this.failed = true;
        },
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
    const waiting = this.failed ? t("web.house_problem_offline") : t("web.house_one_moment");
    return html`<div class="book" @click=${this.#follow}>${this.text ? unsafeHTML(this.text) : waiting}</div>`;
  }
}

define("upcard-rulebook", Rulebook);
