/** All randomness at a table goes through `pick`, so that a replay can choose the cards that come out. */

import { randint } from "./core.js";

let scripted = -1;
/** @type {(cards: number, count: number) => number} */
let script = () => 0;

/**
 * Call a function while `choose` decides which cards come out at the table with this chance.
 * @template T
 * @param {number} chance
 * @param {(cards: number, count: number) => number} choose
 * @param {() => T} action
 * @returns {T}
 */
export function follow(chance, choose, action) {
  const [before, other] = [scripted, script];
  scripted = chance;
  script = choose;
  try {
    return action();
  } finally {
    scripted = before;
    script = other;
  }
}

/**
 * Return which of the first `count` cards comes out, as its index.
 * @param {number} chance
 * @param {number} cards
 * @param {number} count
 * @returns {number}
 */
export function pick(chance, cards, count) {
  return chance === scripted ? script(cards, count) : randint(chance, count);
}
