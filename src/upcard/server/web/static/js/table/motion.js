// Motion: what happened is shown one after another, each card flying from where it lay to where it goes.
//
// The queue catches up: the more is waiting, or the longer ago it happened, the faster it goes, and when it is too
// much, nothing flies any more. A state that is newer than all that waits ends everything at once.
// @ts-check
import { render } from "../../vendor/lit.js";
import { back, chip, face } from "./cards.js";

/** @typedef {import("./table.js").UpcardTable} UpcardTable */
/** @typedef {import("./types.js").Course} Course */
/** @typedef {import("./types.js").Entry} Entry */

// How long a card flies at each speed, in milliseconds.
const FLIGHT = [760, 440, 240, 0];
// So many entries may wait before they are shown without motion.
const PATIENCE = 4;
// So many seconds may the table be behind before it goes faster, and before nothing flies any more.
const BEHIND = 1.5;
const FAR_BEHIND = 4;
// Of a deal, the next card starts when the one before has gone so much of its way.
const CLOSELY = 0.2;
const EASE = "cubic-bezier(0.3, 0.7, 0.2, 1)";

export class Motion {
  /** @type {{entry: Entry, done: () => void}[]} */
  #waiting = [];
  /** @type {Set<Animation>} */
  #flying = new Set();
  /** @type {Set<Element>} */
  #ghosts = new Set();
  #running = false;
  #hurried = false;
  // Whatever began in an earlier round has nothing more to say.
  #round = 0;
  // How far the server's clock seems to be from ours at the least, and how many seconds the table is behind.
  #skew = Infinity;
  #behind = 0;
  /** The sequence number of the last entry that was told. */
  last = 0;

  /** @param {UpcardTable} table */
  constructor(table) {
    this.table = table;
  }

  /** Whether something is still being shown. */
  get running() {
    return this.#running;
  }

  /** How many things are in the air. */
  get inTheAir() {
    return this.#ghosts.size;
  }

  /**
   * Show entries, after those that wait already.
   * @param {Entry[]} entries
   * @returns {Promise<void>} kept when all of them have been shown
   */
  tell(entries) {
    if (!entries.length) return Promise.resolve();
    const newest = entries[entries.length - 1];
    this.last = Math.max(this.last, newest.seq);
    this.#notice(newest.at);
    return new Promise((done) => {
      entries.forEach((entry, place) => {
        this.#waiting.push({ entry, done: place === entries.length - 1 ? done : () => {} });
      });
      if (!this.#running) this.#run(this.#round);
    });
  }

  /** Notice how late something is told. What has no time, as in a replay, is never late. @param {number} at */
  #notice(at) {
    const late = Date.now() / 1000 - at;
    this.#skew = at ? Math.min(this.#skew, late) : this.#skew;
    this.#behind = at ? late - this.#skew : 0;
  }

  /** Show what is left of it without motion. */
  hurry() {
    this.#hurried = this.#running;
    for (const animation of this.#flying) animation.finish();
  }

  /** Stop showing anything: somebody knows better how the table stands. */
  clear() {
    this.#round += 1;
    this.#running = this.#hurried = false;
    for (const animation of this.#flying) animation.cancel();
    for (const ghost of this.#ghosts) ghost.remove();
    this.#flying.clear();
    this.#ghosts.clear();
    for (const { done } of this.#waiting.splice(0)) done();
  }

  /** @param {number} round */
  async #run(round) {
    this.#running = true;
    while (this.#waiting.length) {
      const next = this.#waiting[0];
      try {
        await this.#show(next.entry, round);
      } catch (trouble) {
        // What cannot be shown is not worth a table that stands still: the state that follows is right anyway.
        console.warn(trouble);
      }
      if (round !== this.#round) return;
      this.#waiting.shift();
      next.done();
    }
    this.#running = this.#hurried = false;
    this.table.requestUpdate();
  }

  /** @param {Entry} entry @param {number} round */
  async #show(entry, round) {
    /** @type {Promise<void>[]} */
    let closely = [];
    for (const news of entry.news ?? []) {
      const course = this.table.courseOf(news);
      const time = this.#time();
      if (!course.dealt && closely.length) {
        await Promise.all(closely);
        closely = [];
      }
      if (round !== this.#round) return;
      if (course.sound && time) this.table.sound(course.sound);
      const flight = this.#fly(course, time, round);
      if (!time) continue;
      if (!course.dealt) await flight;
      else {
        closely.push(flight);
        await this.#wait(time * CLOSELY);
      }
      if (round !== this.#round) return;
    }
    await Promise.all(closely);
    this.table.requestUpdate();
  }

  /** How long a card flies now. */
  #time() {
    const { motion, speed } = this.table.settings;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    const tooMuch = this.#waiting.length > PATIENCE || this.#behind > FAR_BEHIND;
    if (!motion || still || this.#hurried || tooMuch) return 0;
    return FLIGHT[speed] / this.#waiting.length / (this.#behind > BEHIND ? 2 : 1);
  }

  /** @param {Course} course @param {number} time @param {number} round */
  async #fly(course, time, round) {
    const from = this.#find(course.from);
    const to = this.#find(course.to);
    if (time && from && to) {
      const ghost = this.#ghost(course, from, to);
      course.lift?.();
      this.table.requestUpdate();
      await this.#play(ghost, this.#way(from, to), { duration: time, easing: EASE, fill: "both" });
      if (round !== this.#round) return;
      course.land?.();
      this.table.requestUpdate();
      await this.table.updateComplete;
      this.#ghosts.delete(ghost);
      ghost.remove();
    } else {
      // Without motion, all of an entry is drawn at once.
      course.lift?.();
      course.land?.();
      if (time) this.table.requestUpdate();
    }
    if (time) this.#point(course, time);
  }

  /** Of some spots, the first that can be seen. @param {string[] | undefined} keys */
  #find(keys) {
    for (const key of keys ?? []) {
      const spot = this.table.spotAt(key);
      const box = (spot?.querySelector(":scope > .leaf, :scope > .chips > .token") ?? spot)?.getBoundingClientRect();
      if (box?.width) return box;
    }
    return null;
  }

  /** What flies: it has the size of where it goes, so that it is sharp when it lands. */
  /** @param {Course} course @param {DOMRect} from @param {DOMRect} to */
  #ghost(course, from, to) {
    const ghost = document.createElement("span");
    ghost.className = course.chip ? "ghost chip-ghost" : "ghost leaf";
    const width = course.chip ? Math.min(to.width, 32) : Math.min(Math.max(from.width, 40), Math.max(to.width, 40), 130);
    ghost.style.setProperty("--card-width", `${width}px`);
    render(course.chip ? chip(course.chip) : course.card ? face(course.card) : back(), ghost);
    this.table.flights.append(ghost);
    this.#ghosts.add(ghost);
    return ghost;
  }

  /** @param {DOMRect} from @param {DOMRect} to */
  #way(from, to) {
    const at = (/** @type {DOMRect} */ box) =>
      `translate(${(box.left + box.width / 2).toFixed(1)}px, ${(box.top + box.height / 2).toFixed(1)}px) translate(-50%, -50%)`;
    return [{ transform: `${at(from)} scale(1)` }, { transform: `${at(from)} scale(1.06)`, offset: 0.08 }, { transform: at(to) }];
  }

  /** Point at where something happened that moves no card. @param {Course} course @param {number} time */
  #point(course, time) {
    for (const key of course.mark ?? []) {
      const spot = this.table.spotAt(key);
      if (spot) this.#play(spot, [{ transform: "none" }, { transform: "scale(1.05)" }, { transform: "none" }], { duration: time });
    }
  }

  /** @param {number} time */
  #wait(time) {
    return time ? this.#play(this.table.flights, [], { duration: time }) : Promise.resolve();
  }

  /** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
  async #play(element, frames, options) {
    const animation = element.animate(frames, options);
    this.#flying.add(animation);
    try {
      await animation.finished;
    } catch {
      // It was cancelled, and whoever did that has cleared the table.
    } finally {
      this.#flying.delete(animation);
    }
  }
}
