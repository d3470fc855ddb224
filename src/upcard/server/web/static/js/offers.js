// The games of this server: their options, and the files that draw them. A page loads them together with its words.
// @ts-check
import { getWithRetries } from "./house/http.js";

/**
 * @typedef {object} Option
 * @property {string} name
 * @property {string} clause
 * @property {"seat" | "choice" | "flag" | "number"} kind
 * @property {any} usual
 * @property {any[]} [choices]
 * @property {number} [least]
 * @property {number} [most]
 * @property {number | null} [players] the only number of players for which it matters
 */
/**
 * @typedef {object} Offer
 * @property {string} title
 * @property {string} summary
 * @property {number} least
 * @property {number} most
 * @property {number} usual
 * @property {number} company seats of a table for one person and bots
 * @property {Record<string, Record<string, any>>} presets options that go with a number of players
 * @property {boolean} lowest_wins
 * @property {Option[]} options
 * @property {{table: string, styles: string, deck: string | null, picture: string, lesson: string | null}} web addresses of files
 */

class Offers {
  constructor() {
    /** @type {Record<string, Offer>} */
    this.games = {};
    /** The levels of bots, the weakest first. @type {string[]} */
    this.levels = [];
    /** @type {string[]} */
    this.phrases = [];
    this.ready = this.#fetch(document.documentElement.dataset.offers ?? "/offers.json");
  }

  /** @param {string} address */
  async #fetch(address) {
    const response = await getWithRetries(address);
    Object.assign(this, await response.json());
    // The addresses of an exported site are relative to the page, not to the module.
    for (const { web } of Object.values(this.games)) {
      for (const [part, place] of Object.entries(web)) {
        if (place !== null && !place.startsWith("/")) Object.assign(web, { [part]: new URL(place, document.baseURI).href });
      }
    }
  }
}

export const offers = new Offers();
