// What this browser knows of its player's games: how their cards were shuffled, and their results.
// @ts-check
import { load, save } from "./storage.js";

const MOST = 30;
const MOST_GAMES = 2000;

/**
 * @typedef {object} Ended
 * @property {string} table
 * @property {string} game
 * @property {number} at
 * @property {boolean} won
 * @property {boolean} shared
 * @property {number} players
 * @property {boolean} people whether anyone else was a person
 * @property {string[]} [others] the names of the others; missing in games of earlier versions
 */

/**
 * What this browser knows about the shuffle of a table.
 * @typedef {{share?: string, commitment?: string}} Pledge
 */

/** @param {string} table */
export const pledgeOf = (table) => load("pledges", /** @type {Record<string, Pledge>} */ ({}))[table] ?? {};

/**
 * Save what the server has published and what this device has added, to compare them when the game is over.
 * @param {string} table
 * @param {Pledge} pledge
 */
export function keepPledge(table, pledge) {
  const others = Object.entries(load("pledges", /** @type {Record<string, Pledge>} */ ({})));
  const rest = others.filter(([other]) => other !== table).slice(-MOST);
  save("pledges", Object.fromEntries([...rest, [table, { ...pledgeOf(table), ...pledge }]]));
}

/** @returns {Ended[]} */
export const endings = () => load("endings", /** @type {Ended[]} */ ([]));

/**
 * Count a finished game, only once, however often it is opened.
 * @param {string} table
 * @param {string} game
 * @param {import("../table/types.js").State} state
 */
export function countEnding(table, game, state) {
  const before = endings();
  if (state.you === null || state.result === null || before.some((one) => one.table === table)) return;
  const { winners } = state.result;
  /** @type {Ended} */
  const ended = {
    table,
    game,
    at: Date.now(),
    won: winners.includes(state.you),
    shared: winners.length > 1,
    players: state.seats.length,
    others: state.seats.filter((_, place) => place + 1 !== state.you).map((seat) => seat.name),
    people: state.seats.some((seat, place) => place + 1 !== state.you && seat.kind === "person"),
  };
  save("endings", [...before, ended].slice(-MOST_GAMES));
}

/** @param {string} game */
export function figures(game) {
  const games = endings().filter((one) => one.game === game);
  let running = 0;
  let longest = 0;
  for (const one of games) {
    running = one.won ? running + 1 : 0;
    longest = Math.max(longest, running);
  }
  return { played: games.length, won: games.filter((one) => one.won).length, longest };
}
