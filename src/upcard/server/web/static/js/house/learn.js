// A first game that teaches by playing: a real table with one easy bot, and a coach who explains what comes up.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { Problem } from "./asking.js";
import "./bar.js";
import { HouseElement, define } from "./element.js";
import { icon } from "./icons.js";
import { keep, kept } from "./keeping.js";
import { LESSONS } from "./lessons.js";
import { playBots } from "./opening.js";
import "./sitting.js";
import { t } from "./words.js";

class Lesson extends HouseElement {
  static properties = {
    game: {},
    table: { state: true },
    told: { state: true },
    waiting: { state: true },
    trouble: { state: true },
    busy: { state: true },
  };

  constructor() {
    super();
    this.game = "";
    this.table = "";
    /** What was explained, the last of it being on the screen. @type {import("./lessons.js").Lesson[]} */
    this.told = [];
    /** What will be explained next. @type {import("./lessons.js").Lesson[]} */
    this.waiting = [];
    this.trouble = "";
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    // Whoever comes back goes on with the same first game.
    this.table = kept(`lesson.${this.game}`, "");
  }

  async #begin() {
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    try {
      // A short game with time to read, against somebody who can be beaten.
      const options = { players: 2, ...(this.game === "stockpile" ? { stock: 5 } : {}), ...LESSONS[this.game].options };
      this.table = await playBots(this.game, { options, seats: [{}, { bot: "easy" }], pace: 2, patience: "none", window_seconds: 12 });
      keep(`lesson.${this.game}`, this.table);
      this.told = [];
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
    this.busy = false;
  }

  #restart() {
    keep(`lesson.${this.game}`, "");
    this.table = "";
    this.told = [];
    this.waiting = [];
  }

  /** @param {CustomEvent<{events: any[], state: any}>} event */
  #shown(event) {
    const { events, state } = event.detail;
    if (state.phase === "open") return;
    const news = events.flatMap((one) => one.news ?? []);
    const known = new Set([...this.told, ...this.waiting].map((lesson) => lesson.name));
    const due = LESSONS[this.game].lessons.filter((lesson) => !known.has(lesson.name) && lesson.when(state, news));
    this.waiting = [...this.waiting, ...due];
    if (this.told.length === 0) this.#next();
  }

  #next() {
    const [lesson, ...rest] = this.waiting;
    if (!lesson) return;
    this.told = [...this.told, lesson];
    this.waiting = rest;
  }

  render() {
    if (!this.table) return this.#welcome();
    return html`<div class="lesson">
      <aside class="coach" aria-label=${t("web.house_coach")} aria-live="polite">${this.#coach()}</aside>
      <upcard-sitting lesson table=${this.table} @shown=${this.#shown}></upcard-sitting>
    </div>`;
  }

  #welcome() {
    return html`<upcard-bar></upcard-bar><main id="main" tabindex="-1"><section class="card narrow">
      <h1>${t(`web.house_learn_${this.game}`)}</h1>
      <p>${t(`web.house_summary_${this.game}`)}</p>
      <p>${t("web.house_learn_how")}</p>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      <div class="do">
        <button class="primary" type="button" data-do="begin" ?disabled=${this.busy} @click=${this.#begin}>
          ${this.busy ? t("web.house_dealing") : t("web.house_learn_begin")}
        </button>
        <a class="button" href="/rules/${this.game}">${icon("book")} ${t("web.house_rules")}</a>
      </div>
    </section></main>`;
  }

  #coach() {
    const lesson = this.told.at(-1);
    const count = this.told.length;
    if (!lesson) return html`<p>${t("web.house_one_moment")}</p>`;
    return html`<p class="coach-text">${t(`web.house_lesson_${this.game}_${lesson.name}`)}</p>
      <div class="coach-do">
        <a href="/rules/${this.game}#${lesson.clause}" data-clause=${lesson.clause} @click=${this.#clause}>${icon("book")} ${lesson.clause}</a>
        <span>${t("web.house_lesson_count", { count, all: LESSONS[this.game].lessons.length })}</span>
        <span class="spacer"></span>
        <button class="bare" type="button" data-do="restart" aria-label=${t("web.house_learn_again")} @click=${this.#restart}>${icon("again")}</button>
        ${this.waiting.length
          ? html`<button class="primary" type="button" data-do="next" @click=${this.#next}>${t("web.house_next")}</button>`
          : nothing}
      </div>`;
  }

  /** @param {MouseEvent} event */
  #clause(event) {
    event.preventDefault();
    const clause = /** @type {HTMLElement} */ (event.currentTarget).dataset.clause ?? "";
    /** @type {any} */ (this.querySelector("upcard-sitting"))?.openRules(clause);
  }
}

define("upcard-lesson", Lesson);
