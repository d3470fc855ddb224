// How somebody likes to play. Kept in the browser, the same for all tables.
// @ts-check
import { keep, kept } from "./keeping.js";

/**
 * @typedef {object} Liked
 * @property {string} name what one is called at tables
 * @property {"auto" | "light" | "dark"} theme
 * @property {number} speed of cards, 0 (slow) to 3 (at once)
 * @property {boolean} onePlace a card with one place goes there by itself
 * @property {boolean} sounds
 * @property {boolean} motion
 * @property {string} level of bots
 * @property {Record<string, number>} players how many played last, by game
 */

const USUAL = /** @type {Liked} */ ({
  name: "",
  theme: "auto",
  speed: 1,
  onePlace: false,
  sounds: false,
  motion: true,
  level: "normal",
  players: {},
});

class Preferences extends EventTarget {
  constructor() {
    super();
    /** @type {Liked} */
    this.liked = { ...USUAL, ...kept("preferences", {}) };
    // Another tab may have changed them.
    addEventListener("storage", () => this.#take({ ...USUAL, ...kept("preferences", {}) }));
  }

  /** @param {Partial<Liked>} changes */
  change(changes) {
    this.#take({ ...this.liked, ...changes });
    keep("preferences", this.liked);
  }

  /** @param {Liked} liked */
  #take(liked) {
    this.liked = liked;
    const root = document.documentElement;
    if (liked.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = liked.theme;
    this.dispatchEvent(new Event("change"));
  }

  /** What <upcard-table> needs to know. Whoever wants less motion everywhere gets less here. */
  get atTable() {
    const { speed, onePlace, sounds, motion } = this.liked;
    return { speed, onePlace, sounds, motion: motion && !matchMedia("(prefers-reduced-motion: reduce)").matches };
  }
}

export const preferences = new Preferences();
