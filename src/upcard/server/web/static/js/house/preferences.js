// A person's preferences, stored in the browser, the same for all tables.
// @ts-check
import { load, save } from "./storage.js";

/**
 * @typedef {object} Values
 * @property {string} name what one is called at tables
 * @property {"auto" | "light" | "dark"} theme
 * @property {number} speed of cards, 0 (slow) to 3 (instant)
 * @property {boolean} onePlace a card with only one place goes there automatically
 * @property {boolean} sounds
 * @property {boolean} motion
 * @property {string} level of bots
 * @property {string} face the picture at the seat; empty if none was chosen
 * @property {number} tint the colour at the seat; 0 if none was chosen
 * @property {boolean} notify when it is their turn and they do not look
 * @property {boolean} unhurried always have time to answer out of turn
 * @property {Record<string, number>} players how many played last, by game
 */

const DEFAULTS = /** @type {Values} */ ({
  name: "",
  theme: "auto",
  speed: 1,
  onePlace: false,
  sounds: false,
  motion: true,
  level: "normal",
  face: "",
  tint: 0,
  notify: false,
  unhurried: false,
  players: {},
});

class Preferences extends EventTarget {
  constructor() {
    super();
    /** @type {Values} */
    this.values = { ...DEFAULTS, ...load("preferences", {}) };
    // Another tab may have changed them.
    addEventListener("storage", () => this.#take({ ...DEFAULTS, ...load("preferences", {}) }));
  }

  /** @param {Partial<Values>} changes */
  change(changes) {
    this.#take({ ...this.values, ...changes });
    save("preferences", this.values);
  }

  /** @param {Values} values */
  #take(values) {
    this.values = values;
    const root = document.documentElement;
    if (values.theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = values.theme;
    this.dispatchEvent(new Event("change"));
  }

  /** The preferences for <upcard-table>. The system setting for reduced motion is respected. */
  get atTable() {
    const { speed, onePlace, sounds, motion } = this.values;
    return { speed, onePlace, sounds, motion: motion && !matchMedia("(prefers-reduced-motion: reduce)").matches };
  }
}

export const preferences = new Preferences();
