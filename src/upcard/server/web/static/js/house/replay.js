// A finished game, step by step: from a table of this server or of this device, or from a record in a file. The steps are
// made on this device.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import { loadDrawing } from "../table/drawings.js";
import "../table/table.js";
import { device } from "../local/device.js";
import { placeOf } from "../local/new-game.js";
import { Problem, getJson } from "./http.js";
import "./bar.js";
import { HouseElement, define } from "./element.js";
import { titleOf } from "./games.js";
import { icon } from "./icons.js";
import { origin, pass } from "./invitation.js";
import "./settings.js";
import { preferences } from "./preferences.js";
import { said, sentencesOf } from "./sentences.js";
import { t, words } from "./words.js";

/** How long a step stays, in milliseconds, by speed. */
const STAYS = [2600, 1500, 800, 350];

/** The error in a record, and its place. @param {Problem} problem */
function whatIsWrong(problem) {
  if (problem.status !== 400) return t(problem.code);
  const entry = /^entry (\d+):/.exec(problem.message)?.[1];
  return entry ? t("web.house_bad_record_entry", { entry }) : t("web.house_bad_record");
}

class Replay extends HouseElement {
  static properties = {
    kept: {},
    game: { state: true },
    step: { state: true },
    running: { state: true },
    trouble: { state: true },
    passed: { state: true },
    busy: { state: true },
  };

  /** @type {any} */
  #record = null;
  #table = "";
  #moving = Promise.resolve();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  constructor() {
    super();
    /** A table of this device. */
    this.kept = "";
    /** @type {any} */
    this.game = null;
    this.step = 0;
    this.running = false;
    this.trouble = "";
    this.passed = "";
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.#key);
    const asked = new URLSearchParams(location.search);
    this.#table = asked.get("table") ?? "";
    if (this.#table) this.#load(Number(asked.get("seat")) || null, Number(asked.get("step")) || 0);
    else if (this.kept) this.#loadKept();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#key);
    clearTimeout(this.#timer);
  }

  /** A game of this device, as its only person saw it. */
  async #loadKept() {
    const { seats } = JSON.parse((await device.ask("record", { table: this.kept })) ?? '{"seats": []}');
    const people = seats.flatMap((/** @type {any} */ { bot }, /** @type {number} */ place) => (bot ? [] : [place + 1]));
    await this.#load(people.length === 1 ? people[0] : null, 0);
  }

  /**
   * @param {number | null} seat
   * @param {number} step
   */
  async #load(seat, step) {
    this.busy = true;
    this.trouble = "";
    try {
      this.#record ??= await this.#find();
      if (!(this.#record.game in offers.games)) throw new Problem(400);
      const told = await device.steps(this.#record, seat !== null && seat <= this.#record.seats?.length ? seat : null);
      await loadDrawing(told.facts.game);
      this.game = told;
      this.step = Math.min(step, this.game.steps.length - 1);
      this.#mark();
    } catch (problem) {
      this.trouble = problem instanceof Problem ? whatIsWrong(problem) : String(problem);
    }
    this.busy = false;
  }

  /** The record of a table. */
  async #find() {
    if (this.kept) {
      const record = await device.ask("record", { table: this.kept });
      if (!record) throw new Problem(404);
      return JSON.parse(record);
    }
    const record = await getJson(`/api/tables/${encodeURIComponent(this.#table)}/record`);
    // Before the end, the record has only what is public.
    if (record.seed === null) throw new Problem(404);
    return record;
  }

  /** @param {Event} event */
  async #open(event) {
    const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
    if (!file) return;
    try {
      // A file may contain many records, one per line; the first is shown.
      const text = await file.text();
      this.#record = JSON.parse(text.trimStart().split(/\n(?=\{)/)[0]);
      this.#table = this.kept = "";
      await this.#load(null, 0);
    } catch {
      this.trouble = t("web.house_bad_record");
    }
  }

  /** @param {number} step */
  #go(step) {
    const last = this.game.steps.length - 1;
    const wanted = Math.max(0, Math.min(last, step));
    const forward = wanted === this.step + 1;
    this.#moving = this.#moving.then(async () => {
      const table = /** @type {any} */ (this.querySelector("upcard-table"));
      const { told } = this.game.steps[wanted];
      if (forward && table?.tell) await Promise.race([table.tell([told]), new Promise((done) => setTimeout(done, 4000))]);
      this.step = wanted;
      this.#mark();
      await this.updateComplete;
    });
    return this.#moving;
  }

  /** Keep the step in the address, so that the link leads to this step. */
  #mark() {
    if (!this.#table) return;
    history.replaceState(null, "", this.#link);
  }

  get #link() {
    const { seat } = this.game;
    return `/replay?table=${encodeURIComponent(this.#table)}${seat ? `&seat=${seat}` : ""}${this.step ? `&step=${this.step}` : ""}`;
  }

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!this.game || target.closest("input, select, button, dialog, upcard-table")) return;
    if (event.key === "ArrowRight") this.#go(this.step + 1);
    else if (event.key === "ArrowLeft") this.#go(this.step - 1);
    else if (event.key === " ") this.#toggle();
    else return;
    event.preventDefault();
  };

  #toggle() {
    this.running = !this.running;
    if (this.running && this.step === this.game.steps.length - 1) this.step = 0;
    this.#run();
  }

  async #run() {
    clearTimeout(this.#timer);
    if (!this.running) return;
    if (this.step >= this.game.steps.length - 1) {
      this.running = false;
      return;
    }
    await this.#go(this.step + 1);
    this.#timer = setTimeout(() => this.#run(), STAYS[preferences.values.speed] ?? 1500);
  }

  async #share() {
    this.passed = await pass(origin() + this.#link);
  }

  /** Continue from here, with bots at all other seats. */
  async #branch() {
    this.busy = true;
    try {
      const moves = this.game.steps.slice(0, this.step + 1).filter((/** @type {any} */ one) => one.told.kind === "moved").length;
      const seat = this.game.seat ?? this.game.steps[this.step].state.to_move ?? 1;
      location.href = placeOf(`table-${await device.branch(this.#record, moves, seat)}`);
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
      this.busy = false;
    }
  }

  render() {
    return html`${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
    ${this.game ? this.#game() : this.#choose()}`;
  }

  #choose() {
    return html`<section class="card narrow">
      <h1>${t("web.house_replay")}</h1>
      <p>${t("web.house_replay_how")}</p>
      <label class="button primary file">
        ${icon("book")} ${t("web.house_choose_file")}
        <input type="file" accept=".json,.jsonl,application/json" @change=${this.#open} />
      </label>
      <p role="status">${this.busy ? t("web.house_one_moment") : nothing}</p>
    </section>`;
  }

  #game() {
    const { steps, facts, names, seat } = this.game;
    const { state } = steps[this.step];
    const last = steps.length - 1;
    const asSeat = (/** @type {Event} */ event) => this.#load(Number(/** @type {HTMLSelectElement} */ (event.target).value) || null, this.step);
    return html`<div class="replay">
      <h1>${t("web.house_replay_of", { game: titleOf(facts.game) })}</h1>
      <div class="stage" tabindex="0" role="region" aria-label=${t("web.house_replay_of", { game: titleOf(facts.game) })}>
        <upcard-table .words=${words} .facts=${facts} .state=${{ ...state, legal: [] }} .settings=${preferences.atTable}></upcard-table>
      </div>
      <section class="controls" aria-label=${t("web.house_replay_controls")}>
        <p class="lately" role="status">${this.#sentences().map((text) => html`<span>${text}</span> `)}</p>
        <input
          type="range"
          min="0"
          max=${last}
          aria-label=${t("web.house_step")}
          aria-valuetext=${t("web.house_step_of", { step: this.step, last })}
          .value=${String(this.step)}
          @input=${(/** @type {Event} */ event) => this.#go(Number(/** @type {HTMLInputElement} */ (event.target).value))}
        />
        <div class="buttons">
          ${this.#button("first", 0, this.step === 0)} ${this.#button("back", this.step - 1, this.step === 0)}
          <button class="primary" type="button" data-do="run" aria-label=${t(this.running ? "web.house_pause" : "web.house_run")} @click=${this.#toggle}>
            ${icon(this.running ? "pause" : "play")}
          </button>
          ${this.#button("next", this.step + 1, this.step === last)} ${this.#button("last", last, this.step === last)}
          <span class="count">${t("web.house_step_of", { step: this.step, last })}</span>
        </div>
        <div class="file-do">
          <label class="row-field">
            <span>${t("web.house_seen_by")}</span>
            <select name="seat" aria-label=${t("web.house_seen_by")} @change=${asSeat}>
              <option value="" .selected=${seat === null}>${t("web.house_everybody")}</option>
              ${names.map((/** @type {string} */ name, /** @type {number} */ place) => html`<option value=${place + 1} .selected=${seat === place + 1}>${name}</option>`)}
            </select>
          </label>
          ${this.#table ? html`<button type="button" data-do="share" @click=${this.#share}>${icon("share")} ${t("web.house_share_replay")}</button>` : nothing}
          ${state.phase === "playing"
            ? html`<button type="button" data-do="branch" ?disabled=${this.busy} @click=${this.#branch}>${icon("again")} ${t("web.house_branch")}</button>`
            : nothing}
        </div>
        ${this.passed ? html`<p class="quiet" role="status">${t(`web.house_passed_${this.passed}`)}</p>` : nothing}
      </section>
    </div>`;
  }

  #sentences() {
    const { told, state } = this.game.steps[this.step];
    return sentencesOf(told, state).slice(-4).map((sentence) => said(sentence, this.game.facts.game));
  }

  /**
   * @param {"first" | "back" | "next" | "last"} name
   * @param {number} step
   * @param {boolean} disabled
   */
  #button(name, step, disabled) {
    return html`<button type="button" data-do=${name} ?disabled=${disabled} aria-label=${t(`web.house_step_${name}`)} @click=${() => this.#go(step)}>
      ${icon(name)}
    </button>`;
  }
}

define("upcard-replay", Replay);
