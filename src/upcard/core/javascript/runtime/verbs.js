/** The verbs, which dispatch to the game of a table or view. */

import { describeEvents } from "./structs.js";

/** @type {Map<any, any>} */
const meanings = new Map();

/**
 * Make the verbs work on the tables and views of a game.
 * @param {any} game
 * @param {any} Event the class of events
 * @param {any} rules other rules that words of all games call
 */
export function register(game, Event, rules) {
  for (const kind of [game.Table, game.View]) meanings.set(kind, { game, Event, rules });
}

/** The ids of the games that are loaded. @returns {string[]} */
export function names() {
  return [...meanings.values()].map(({ game }) => game.id).filter((id, i, all) => all.indexOf(id) === i);
}

/** A game that is loaded. @param {string} name @returns {any} */
export function find(name) {
  for (const { game } of meanings.values()) if (game.id === name) return game;
  throw new Error(`the game ${name} is not loaded`);
}

/** Return a rule that every game has, by its name. @param {string} name */
export function shared(name) {
  return (/** @type {any} */ position, /** @type {any[]} */ ...more) =>
    meanings.get(position.constructor).rules[name](position, ...more);
}

/** @param {any} position @returns {any} */
function rulesOf(position) {
  return meanings.get(position.constructor).game.rules;
}

describeEvents((table, event) => {
  const { game, Event } = meanings.get(table.constructor);
  const { seat, card, place, other, audience, cards } = event;
  return new Event(game.event_kinds[event.kind], seat, card, place, other, audience, cards);
});

/** @param {any} table */
export const deal = (table) => rulesOf(table).deal(table);
/** @param {any} table @param {number[]} moves @returns {number} */
export const legal = (table, moves) => rulesOf(table).legal(table, moves);
/** @param {any} table @param {number} move */
export const apply = (table, move) => rulesOf(table).apply(table, move);
/** @param {any} table @param {any} result */
export const outcome = (table, result) => rulesOf(table).outcome(table, result);
/** @param {any} table @param {number} viewer @param {any} view */
export const observe = (table, viewer, view) => rulesOf(table).observe(table, viewer, view);
/** @param {any} view @param {any} table @param {any} chance */
export const determinize = (view, table, chance) => rulesOf(view).determinize(view, table, chance);
/** @param {any} position @param {number} move @returns {number} */
export const heuristic = (position, move) => rulesOf(position).heuristic(position, move);
/** @param {any} table @param {number} seat @returns {number} */
export const evaluate = (table, seat) => rulesOf(table).evaluate(table, seat);
