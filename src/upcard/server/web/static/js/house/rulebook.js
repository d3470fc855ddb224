// A rulebook beside a game, open at a clause.
// @ts-check
import { html, unsafeHTML } from "../../vendor/lit.js";
import { HouseElement, define } from "./element.js";
import { getWithRetries } from "./http.js";
import "./position.js";
import { t, words } from "./words.js";

/** The address of the text of a rulebook. @param {string} game */
const addressOf = (game) => `${document.documentElement.dataset.books}${game}.${words.language}.html`;

export class Rulebook extends HouseElement {
  static properties = { game: {}, clause: { state: true }, text: { state: true }, failed: { state: true } };

  constructor() {
    super();
    this.game = "";
    /** The clause at which it is open; null before it is first opened. @type {string | null} */
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
    // The text is safe: this server made it from its own rulebook.
    getWithRetries(addressOf(this.game))
      .then((response) => response.text())
      .then(
        (text) => (this.text = text),
        () => {
          // Opening the rulebook again makes another attempt.
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
