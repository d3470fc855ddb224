// New games on this device: their seats.
// @ts-check
import { offers } from "../offers.js";
import { ownName } from "../house/new-table.js";
import { preferences } from "../house/preferences.js";

/** @typedef {import("./messages.js").Seat} Seat */
/** @typedef {import("./messages.js").Plan} Plan */

/** The address of a place on the page for this device (play.js). @param {string} place */
export const placeOf = (place) => `${"server" in document.documentElement.dataset ? "/play" : ""}#${place}`;

// How long bots take for a move, in seconds, as on a server.
export const PACE = 1.2;
const BOT_NAMES = ["Robin", "Sacha", "Kim", "Alex", "Noor", "Charlie"];

/**
 * Give bots names that nobody else at the table has.
 * @param {Seat[]} seats
 * @returns {Seat[]}
 */
export function named(seats) {
  const taken = new Set(seats.flatMap((seat) => (seat.bot === null ? [seat.name.toLowerCase()] : [])));
  const free = BOT_NAMES.filter((name) => !taken.has(name.toLowerCase()));
  return seats.map((seat) => (seat.bot === null ? seat : { ...seat, name: free.shift() ?? "" }));
}

/** A game against bots, with the last settings. @param {string} game @returns {Plan} */
export function planBots(game) {
  const { values } = preferences;
  const players = values.players[game] ?? offers.games[game].company;
  const bots = Array.from({ length: players - 1 }, () => ({ name: "", bot: values.level }));
  return { game, options: { players }, seats: named([{ name: ownName(), bot: null }, ...bots]), pace: PACE };
}

/** The same game once more. @param {any} facts @param {import("../table/types.js").State} state @returns {Plan} */
export const planAgain = ({ game, options }, { seats, pace = PACE, wins }) => ({ game, options, pace, wins, seats: seats.map(({ name, bot }) => ({ name, bot })) });
