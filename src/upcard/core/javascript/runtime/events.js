/** The listener to a table's events: one table at a time, and none while tables are only imagined. */

import { EventKind_SHUFFLED, HIDDEN, NOBODY, SPECTATOR } from "./core.js";
import { M } from "./memory.js";

/** @typedef {{kind: number, seat: number, card: number, place: number, other: number, audience: number, cards: number[]}} RawEvent */

let heard = -1;
/** @type {RawEvent[]} */
let events = [];

/**
 * Call a function, and return the events of a table during the call.
 * @param {number} table
 * @param {() => void} action
 * @returns {RawEvent[]}
 */
export function listen(table, action) {
  const [before, others] = [heard, events];
  heard = table;
  events = [];
  try {
    action();
    return events;
  } finally {
    heard = before;
    events = others;
  }
}

/**
 * @param {number} table
 * @param {number} kind
 * @param {number} seat
 * @param {number} card
 * @param {number} place
 * @param {number} other
 * @param {number} audience
 */
export function emit(table, kind, seat, card, place, other, audience) {
  if (table === heard) events.push({ kind, seat, card, place, other, audience, cards: [] });
}

/**
 * The order of a new draw pile, the first card to be drawn first.
 * @param {number} table
 * @param {number} cards
 * @param {number} count
 */
export function emit_shuffle(table, cards, count) {
  if (table !== heard) return;
  const order = Array.from(M.subarray(cards, cards + count)).reverse();
  events.push({ kind: EventKind_SHUFFLED, seat: SPECTATOR, card: HIDDEN, place: 0, other: 0, audience: NOBODY, cards: order });
}
