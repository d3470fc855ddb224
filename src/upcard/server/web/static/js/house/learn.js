// A first game that teaches by playing: a real table with one easy bot, and a coach who explains things as they come
// up.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { device } from "../local/device.js";
import "../local/local-table-page.js";
import { named } from "../local/new-game.js";
import { offers } from "../offers.js";
import { Problem } from "./http.js";
import "./bar.js";
import { HouseElement, define } from "./element.js";
import { summaryOf } from "./games.js";
import { icon } from "./icons.js";
import { ownName } from "./new-table.js";
import { load, save } from "./storage.js";
import { t } from "./words.js";

class Lesson extends HouseElement {
  static properties = {
    game: {},
    course: { state: true },
    table: { state: true },
    told: { state: true },
    waiting: { state: true },
    trouble: { state: true },
    busy: { state: true },
    over: { state: true },
    fresh: { state: true },
    slipped: { state: true },
  };

  constructor() {
    super();
    this.game = "";
    /** The lessons of the game. @type {import("../../lessons.js").Course | null} */
    this.course = null;
    this.table = "";
    /** The explanations so far. The last one is on the screen. @type {import("../../lessons.js").Lesson[]} */
    this.told = [];
    /** The explanations that are waiting. @type {import("../../lessons.js").Lesson[]} */
    this.waiting = [];
    this.trouble = "";
    this.busy = false;
    /** Whether the first game is over. */
    this.over = false;
    /** Whether the learner has not touched anything since the last explanation. */
    this.fresh = false;
    /** Whether the learner has just tried what cannot be done. */
    this.slipped = false;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("resize", this.#moved);
    addEventListener("pointerdown", this.#touched);
    addEventListener("keydown", this.#touched);
    // A learner who returns continues the same first game.
    this.table = load(`lesson.${this.game}`, "");
    this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("resize", this.#moved);
    removeEventListener("pointerdown", this.#touched);
    removeEventListener("keydown", this.#touched);
  }

  #moved = () => this.#point();

  #touched = () => (this.fresh = false);

  async #load() {
    const { lesson } = offers.games[this.game].web;
    if (lesson) this.course = (await import(lesson)).course;
  }

  async #begin() {
    if (this.busy || !this.course) return;
    this.busy = true;
    this.trouble = "";
    try {
      // A short game with time to read, against an opponent who can be beaten.
      const options = { players: 2, ...this.course.options };
      const seats = named([{ name: ownName(), bot: null }, { name: "", bot: "easy" }]);
      this.table = await device.create({ game: this.game, options, seats, pace: 2 });
      save(`lesson.${this.game}`, this.table);
      this.told = [];
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
    this.busy = false;
  }

  #restart() {
    save(`lesson.${this.game}`, "");
    this.table = "";
    this.told = [];
    this.waiting = [];
    this.over = false;
  }

  /** @param {CustomEvent<{events: any[], state: any}>} event */
  #shown(event) {
    const { events, state } = event.detail;
    if (state.phase === "open" || !this.course) return;
    const news = events.flatMap((one) => one.news ?? []);
    if (news.length) this.slipped = false;
    // A learner who plays has read enough of the explanation before.
    if (events.some((one) => one.kind === "moved" && one.seat === state.you)) this.#next();
    const known = new Set([...this.told, ...this.waiting].map((lesson) => lesson.name));
    const due = this.course.lessons.filter((lesson) => !known.has(lesson.name) && lesson.when(state, news));
    this.waiting = [...this.waiting, ...due];
    if (this.told.length === 0) this.#next();
    if (state.phase === "over") this.over = true;
    this.#point();
  }

  /** Mark what is being explained with a ring, which moves with the table. */
  #point() {
    const ring = /** @type {HTMLElement | null} */ (this.querySelector(".spotlight"));
    if (!ring) return;
    const { at } = this.told.at(-1) ?? {};
    const target = at ? this.querySelector(`upcard-table :is(${at})`) : null;
    const box = target?.getBoundingClientRect();
    ring.hidden = !box?.width;
    if (!box) return;
    // The arrow stands above, if there is room.
    ring.classList.toggle("low", box.top < 110);
    for (const side of /** @type {const} */ (["left", "top", "width", "height"])) ring.style.setProperty(side, `${box[side]}px`);
  }

  updated() {
    this.#point();
  }

  #next() {
    const [lesson, ...rest] = this.waiting;
    if (!lesson) return;
    this.told = [...this.told, lesson];
    this.waiting = rest;
    this.fresh = true;
    this.slipped = false;
  }

  render() {
    if (!this.course) return nothing;
    if (!this.table) return this.#welcome();
    return html`<div class="lesson" @explain=${() => (this.slipped = true)}>
      <aside class="coach" aria-label=${t("web.house_coach")} aria-live="polite">${this.#coach()}</aside>
      <upcard-local-table lesson table=${this.table} @shown=${this.#shown}></upcard-local-table>
      <div class="spotlight ${this.fresh ? "fresh" : ""}" hidden aria-hidden="true"></div>
    </div>`;
  }

  #welcome() {
    return html`<upcard-bar></upcard-bar><main id="main" tabindex="-1"><section class="card narrow">
      <img class="picture" src=${offers.games[this.game]?.web.picture} alt="" width="320" height="120" />
      <h1 tabindex="-1">${t(`web.house_learn_${this.game}`)}</h1>
      <p>${summaryOf(this.game)}</p>
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
    if (this.over && this.waiting.length === 0) return this.#ready();
    return html`<p class="coach-text">${this.slipped ? html`<strong>${t("web.house_lesson_slip")}</strong> ` : nothing}${t(`web.house_lesson_${this.game}_${lesson.name}`)}</p>
      <div class="coach-do">
        <a href="/rules/${this.game}#${lesson.clause}" data-clause=${lesson.clause} @click=${this.#clause}>${icon("book")} ${lesson.clause}</a>
        <span>${t("web.house_lesson_count", { count, all: this.course?.lessons.length ?? 0 })}</span>
        <span class="spacer"></span>
        <button class="bare" type="button" data-do="restart" aria-label=${t("web.house_learn_again")} @click=${this.#restart}>${icon("again")}</button>
        ${this.waiting.length
          ? html`<button class="primary" type="button" data-do="next" @click=${this.#next}>${t("web.house_next")}</button>`
          : nothing}
      </div>`;
  }

  /** The first game is over. */
  #ready() {
    return html`<p class="coach-text"><strong>${t("web.house_lesson_ready")}</strong></p>
      <div class="coach-do">
        <a class="button primary" data-do="play" href="/#set-up-${this.game}">${t("web.house_lesson_play")}</a>
        <button type="button" data-do="restart" @click=${this.#restart}>${icon("again")} ${t("web.house_learn_again")}</button>
      </div>`;
  }

  /** @param {MouseEvent} event */
  #clause(event) {
    event.preventDefault();
    const clause = /** @type {HTMLElement} */ (event.currentTarget).dataset.clause ?? "";
    /** @type {any} */ (this.querySelector("upcard-local-table"))?.openRules(clause);
  }
}

define("upcard-lesson", Lesson);
