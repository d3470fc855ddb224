// Motion: events are shown one after another, each card flying from its old place to its new one.
//
// A card is lifted, flies in an arc, turns over if it was face down, grows or shrinks to the size of its new place, and
// settles there. Only transforms are animated, which browsers do without redrawing anything.
//
// The queue catches up: the more entries are waiting, or the older they are, the faster it goes, and beyond a limit
// nothing flies any more. A state that is newer than all waiting entries ends everything immediately.
// @ts-check
import { html, render } from "../../vendor/lit.js";
import { back, face, lookOf, mini } from "./cards.js";

/** @typedef {import("./table.js").UpcardTable} UpcardTable */
/** @typedef {import("./types.js").Course} Course */
/** @typedef {import("./types.js").Entry} Entry */

// How long a card flies at each speed, in milliseconds.
const FLIGHT = [760, 440, 240, 0];
// Entries that may wait before they are shown without motion.
const PATIENCE = 4;
// Delays of the table after which motion is faster, and after which there is none, in seconds.
const BEHIND = 1.5;
const FAR_BEHIND = 4;
// The part of its flight after which the next dealt card starts, and how long a whole deal may take, in milliseconds.
const CLOSELY = 0.2;
const DEAL = 1200;
// Cards of one pile that are swept away follow each other this closely.
const SWEEP = 0.12;
// How long a card settles, and how long it fades in without motion, in milliseconds.
const SETTLE = 170;
const FADE = 220;
const EASE = "cubic-bezier(0.45, 0.05, 0.25, 1)";
// How high cards and tokens rise on their way, as parts of its length, and at most, in pixels.
const ARC = { card: 0.13, token: 0.4 };
const HIGHEST = 150;
// Kinds of news by which cards are dealt.
const DEALT = new Set(["drew", "dealt"]);
// The width, in pixels, below which cards have large numerals instead of all details.
const SMALL = 56;
// A turned card shows its other side.
const TURNED = "rotateY(180deg)";

export class Motion {
  /** @type {{entry: Entry, landed: () => void, done: () => void}[]} */
  #waiting = [];
  /** @type {Set<Animation>} */
  #flying = new Set();
  /** @type {Set<Element>} */
  #ghosts = new Set();
  #running = false;
  #hurried = false;
  // Callbacks of an earlier round are ignored.
  #round = 0;
  // The smallest difference seen between the clocks of server and browser, and the delay of the table, in seconds.
  #skew = Infinity;
  #behind = 0;
  /** The sequence number of the last entry. */
  last = 0;

  /** @param {UpcardTable} table */
  constructor(table) {
    this.table = table;
  }

  /** Whether something is still being shown. */
  get running() {
    return this.#running;
  }

  /** The number of things in the air. */
  get inTheAir() {
    return this.#ghosts.size;
  }

  /**
   * Show entries, after those that wait already.
   * @param {Entry[]} entries
   * @param {(entry: Entry) => void} [landed] called for each entry when everything of it has landed
   * @returns {Promise<void>} kept when all of them have been shown
   */
  tell(entries, landed = () => {}) {
    if (!entries.length) return Promise.resolve();
    const newest = entries[entries.length - 1];
    this.last = Math.max(this.last, newest.seq);
    this.#notice(newest.at);
    return new Promise((done) => {
      entries.forEach((entry, place) => {
        this.#waiting.push({ entry, landed: () => landed(entry), done: place === entries.length - 1 ? done : () => {} });
      });
      if (!this.#running) this.#run(this.#round);
    });
  }

  /** Measure the delay of an entry. An entry without a time, as in a replay, is never late. @param {number} at */
  #notice(at) {
    const late = Date.now() / 1000 - at;
    this.#skew = at ? Math.min(this.#skew, late) : this.#skew;
    this.#behind = at ? late - this.#skew : 0;
  }

  /** Show the remaining entries without motion. */
  hurry() {
    this.#hurried = this.#running;
    for (const animation of this.#flying) animation.finish();
  }

  /** Drop all entries: a newer state is known. */
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
        // An entry that cannot be shown must not stop the table: the state that follows is right anyway.
        console.warn(trouble);
      }
      if (round !== this.#round) return;
      this.#waiting.shift();
      next.landed();
      next.done();
    }
    this.#running = this.#hurried = false;
    this.table.requestUpdate();
  }

  /** @param {Entry} entry @param {number} round */
  async #show(entry, round) {
    /** @type {Promise<void>[]} */
    let closely = [];
    const all = this.#aroundTheTable(entry.news ?? []);
    const pace = DEAL / Math.max(1, all.filter(({ seat, kind }) => seat && DEALT.has(kind)).length);
    for (const news of all) {
      const course = this.table.courseOf(news);
      const time = this.#time();
      if (!course.dealt && closely.length) {
        await Promise.all(closely);
        closely = [];
      }
      if (round !== this.#round) return;
      if (course.sound && time) this.table.sound(course.sound);
      const flight = this.#fly(course, time, round, news.seat);
      if (!time) continue;
      if (!course.dealt) await flight;
      else {
        closely.push(flight);
        await this.#wait(Math.min(time * CLOSELY, pace));
      }
      if (round !== this.#round) return;
    }
    await Promise.all(closely);
    this.table.requestUpdate();
  }

  /**
   * Cards are dealt round the table, one to each seat at a time, whatever the order of the events.
   * @param {import("./types.js").News[]} news
   */
  #aroundTheTable(news) {
    const first = news.findIndex(({ kind, seat }) => seat && DEALT.has(kind));
    const length = news.slice(first).findIndex(({ kind, seat }) => !seat || !DEALT.has(kind));
    const end = length < 0 ? news.length : first + length;
    if (first < 0) return news;
    /** @type {Map<number, number>} */
    const rounds = new Map();
    const ranked = news.slice(first, end).map((each) => {
      const round = rounds.get(each.seat ?? 0) ?? 0;
      rounds.set(each.seat ?? 0, round + 1);
      return { each, round };
    });
    // Sorting is stable: within a round, the seats keep their order.
    ranked.sort((one, other) => one.round - other.round);
    return [...news.slice(0, first), ...ranked.map(({ each }) => each), ...news.slice(end)];
  }

  /** The time of a flight now, in milliseconds. */
  #time() {
    const { motion, speed } = this.table.settings;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
    const tooMuch = this.#waiting.length > PATIENCE || this.#behind > FAR_BEHIND;
    if (!motion || still || this.#hurried || tooMuch) return 0;
    return FLIGHT[speed] / this.#waiting.length / (this.#behind > BEHIND ? 2 : 1);
  }

  /** @param {Course} course @param {number} time @param {number} round @param {number | undefined} seat of the player who did it */
  async #fly(course, time, round, seat) {
    const from = this.#find(course.from, false);
    const to = this.#find(course.to, true);
    if (time && from && to) {
      const ghosts = this.#lift(course, from, to, seat);
      course.lift?.();
      this.table.requestUpdate();
      await Promise.all(ghosts.map((ghost, place) => this.#send(ghost, from.box, to.box, time, place * time * SWEEP)));
      if (round !== this.#round) return;
      course.land?.();
      this.table.requestUpdate();
      await this.table.updateComplete;
      for (const { element } of ghosts) {
        this.#ghosts.delete(element);
        element.remove();
      }
      this.#settle(course);
    } else {
      // Without motion, an entry is drawn in one update.
      course.lift?.();
      course.land?.();
      if (time) this.table.requestUpdate();
      else if (this.#fades) this.table.updateComplete.then(() => this.#fade(course));
    }
    if (time) this.#point(course, time);
  }

  /** Whether things fade in because they may not move. */
  get #fades() {
    return this.table.settings.motion && !this.#hurried && !document.hidden && matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /**
   * The first visible spot: its box, and whether what lies on top is face down.
   * @param {string[] | undefined} keys
   * @param {boolean} empty whether an empty place is wanted, if there is one
   */
  #find(keys, empty) {
    for (const key of keys ?? []) {
      const spot = this.table.spotAt(key);
      const part = spot && this.#part(spot, empty);
      const box = part?.getBoundingClientRect();
      if (part && box?.width) return { box, hidden: part.querySelector(".rear") !== null };
    }
    return null;
  }

  /** The thing at a spot that moves, or whose place is taken. @param {Element} spot @param {boolean} empty */
  #part(spot, empty) {
    const sockets = spot.querySelectorAll(":scope > .sockets > .token");
    if (sockets.length) {
      const wanted = [...sockets].filter((each) => each.classList.contains("socket") === empty);
      return (empty ? wanted[0] : wanted.at(-1)) ?? sockets[sockets.length - 1];
    }
    return spot.querySelector(":scope > .leaf, :scope > .backs > .leaf:last-child, :scope > .tokens > .token") ?? spot;
  }

  /**
   * What flies: a card, all cards of a pile, or a token.
   * @param {Course} course
   * @param {{box: DOMRect, hidden: boolean}} from
   * @param {{box: DOMRect, hidden: boolean}} to
   * @param {number | undefined} seat of the player who moves it
   */
  #lift(course, from, to, seat) {
    const cards = course.cards?.length ? course.cards : [course.card ?? null];
    return cards.map((card) => {
      const element = document.createElement("span");
      const width = course.token ? Math.min(Math.max(from.box.width, to.box.width), 40) : this.#width(from.box, to.box);
      element.className = course.token ? "ghost token-ghost" : "ghost";
      // What a player moves has a rim of that player's colour.
      if (seat && !course.dealt) element.classList.add("played-by", `tint-${this.table.tintAt(seat)}`);
      element.style.setProperty("--card-width", `${width}px`);
      render(course.token ?? this.#sides(card, width), element);
      this.table.flights.append(element);
      this.#ghosts.add(element);
      // A face-up card has no back, unless it lands face down.
      return { element, width, flips: card !== null && !course.token && from.hidden, token: Boolean(course.token) };
    });
  }

  /** The width of a flying card: that of the larger place, so that it is sharp on all of its way. @param {DOMRect} from @param {DOMRect} to */
  #width(from, to) {
    // A whole zone or hand is not the place of one card.
    const [narrow, wide] = [from, to].map(({ width, height }) => Math.min(width, height / 1.4)).sort((one, other) => one - other);
    return Math.max(28, Math.min(wide, Math.max(narrow * 3.2, 64)));
  }

  /** @param {string | null} card @param {number} width */
  #sides(card, width) {
    const rear = html`<span class="leaf side rear-side">${back(this.table.drawing)}</span>`;
    if (card === null) return html`<span class="turner">${rear}</span>`;
    const look = lookOf(card, this.table.drawing);
    return html`<span class="turner"><span class="leaf side">${width < SMALL ? mini(look) : face(look)}</span>${rear}</span>`;
  }

  /**
   * @param {{element: HTMLElement, width: number, flips: boolean, token: boolean}} ghost
   * @param {DOMRect} from
   * @param {DOMRect} to
   * @param {number} time
   * @param {number} delay
   */
  #send({ element, width, flips, token }, from, to, time, delay) {
    /** @type {KeyframeAnimationOptions} */
    const options = { duration: time, delay, easing: EASE, fill: "both" };
    const turner = element.querySelector(".turner");
    if (flips && turner) this.#play(turner, [{ transform: TURNED }, { transform: TURNED, offset: 0.2 }, { transform: "none", offset: 0.75 }, { transform: "none" }], options);
    return this.#play(element, this.#way(from, to, width, token), options);
  }

  /** @param {DOMRect} from @param {DOMRect} to @param {number} width @param {boolean} token */
  #way(from, to, width, token) {
    const middle = (/** @type {DOMRect} */ { left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 });
    const [start, end] = [middle(from), middle(to)];
    const far = Math.hypot(end.x - start.x, end.y - start.y);
    const rise = Math.min(far * (token ? ARC.token : ARC.card), HIGHEST);
    const size = (/** @type {DOMRect} */ box) => Math.min(1, Math.min(box.width, box.height / (token ? 1 : 1.4)) / width);
    const [small, large] = [size(from), size(to)];
    const lean = Math.max(-9, Math.min(9, (end.x - start.x) / 60));
    const at = (/** @type {number} */ part, /** @type {number} */ scale, /** @type {number} */ turn) => {
      const x = start.x + (end.x - start.x) * part;
      const y = start.y + (end.y - start.y) * part - rise * 4 * part * (1 - part);
      return `translate3d(${x.toFixed(1)}px, ${y.toFixed(1)}px, 0) translate(-50%, -50%) rotate(${turn.toFixed(1)}deg) scale(${scale.toFixed(3)})`;
    };
    const spin = token ? 360 : 0;
    const mid = (part = 0.5) => small + (large - small) * part;
    return [
      { transform: at(0, small, 0), offset: 0 },
      { transform: at(0.04, small * 1.12, lean * 0.3), offset: 0.12 },
      { transform: at(0.3, mid(0.3) * 1.14, lean + spin * 0.3), offset: 0.36 },
      { transform: at(0.6, mid(0.6) * 1.13, lean + spin * 0.6), offset: 0.58 },
      { transform: at(0.87, mid(0.87) * 1.07, lean * 0.4 + spin * 0.87), offset: 0.8 },
      { transform: at(1, large, spin), offset: 1 },
    ];
  }

  /** Let what has landed settle: it is pressed down a little and comes back. @param {Course} course */
  #settle(course) {
    for (const part of this.#landed(course)) {
      part.animate([{ scale: 1 }, { scale: 0.955, offset: 0.35 }, { scale: 1.018, offset: 0.7 }, { scale: 1 }], { duration: SETTLE, easing: "ease-out" });
    }
  }

  /** @param {Course} course */
  #fade(course) {
    for (const part of this.#landed(course)) part.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE, easing: "ease-out" });
  }

  /** The first of the spots that is there. @param {Course} course */
  #landed({ to }) {
    const spot = (to ?? []).map((key) => this.table.spotAt(key)).find((each) => each?.getBoundingClientRect().width);
    const part = spot && this.#part(spot, false);
    return part && part !== spot ? [part] : [];
  }

  /** Point at the place of an event that does not move a card. @param {Course} course @param {number} time */
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
      // It was cancelled by clear().
    } finally {
      this.#flying.delete(animation);
    }
  }
}
