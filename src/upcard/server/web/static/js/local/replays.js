// Finished games, from their records: replayed step by step, checked, and continued from one of their moves.
// @ts-check
import { partsOf } from "./rules.js";
import { newsOf } from "./table.js";

/** @typedef {import("./messages.js").Parts} Parts */
/** @typedef {import("./messages.js").Setup} Setup */

/** An error that is shown to the person who opened the record. @param {string} message */
const wrong = (message) => Object.assign(new Error(message), { status: 400 });

/** The modules of the game that a record is of. @param {any} record @returns {Promise<Parts>} */
async function partsFor(record) {
  // The name of a game in a record must not lead to another address.
  if (typeof record?.game !== "string" || !/^\w+$/.test(record.game)) throw wrong("'game' should be the name of a game");
  try {
    return await partsOf(record.game);
  } catch {
    throw wrong("there is no such game here");
  }
}

/**
 * Replay a record. Nothing in it is trusted.
 * @param {Parts} parts
 * @param {any} record
 * @param {((match: any) => void) | null} [before] called before every move
 */
function replayed(parts, record, before = null) {
  try {
    return parts.replay(record, before);
  } catch (error) {
    throw wrong(/** @type {Error} */ (error).message);
  }
}

/**
 * A game as a seat saw it (null: what was public): a step for the deal and one for each move, each with its news and the
 * state after it.
 * @param {any} record
 * @param {number | null} seat
 */
export async function stepsOf(record, seat) {
  const parts = await partsFor(record);
  /** @type {object[]} */
  const steps = [];
  let known = 0;
  const look = (/** @type {any} */ match) => {
    steps.push(stepOf(parts, match, known, seat, steps.length));
    known = match.events.length;
  };
  const match = replayed(parts, record, look);
  look(match);
  return { facts: { table: null, game: record.game, options: match.options }, names: match.names, seat, steps };
}

/**
 * The events since the last step, and the state after them.
 * @param {Parts} parts
 * @param {any} match
 * @param {number} known
 * @param {number | null} viewer
 * @param {number} number
 */
function stepOf(parts, match, known, viewer, number) {
  const told = { seq: number, at: 0, kind: "started" };
  if (number > 0) {
    const moved = match.log_of_moves.at(-1);
    Object.assign(told, { kind: "moved", seat: moved.seat + 1, move: moved.text, by: "person" });
  }
  return { told: { ...told, news: newsOf(parts, match.events.slice(known), match.names, viewer) }, state: stateOf(match, viewer, number) };
}

/** A table after a number of moves, as a seat knows it. @param {any} match @param {number | null} viewer @param {number} number */
function stateOf(match, viewer, number) {
  return {
    seq: number,
    phase: match.over ? "over" : "playing",
    you: viewer,
    host: null,
    seats: match.players.map((/** @type {any} */ { name, bot }) => ({ kind: bot === null ? "person" : "bot", name, bot, kept: false, away: false })),
    to_move: match.to_move,
    deadline: null,
    undo: null,
    rematch: null,
    window: null,
    legal: [],
    view: match.show(viewer),
    result: match.result,
    present: match.players.map((/** @type {any} */ _, /** @type {number} */ place) => place + 1),
  };
}

/** Whether every move of a record follows the rules, and every card its seed. @param {any} record */
export async function isRight(record) {
  const parts = await partsFor(record);
  try {
    replayed(parts, record);
    return record.seed !== null;
  } catch {
    return false;
  }
}

/**
 * The setup of a table that continues a game after some of its moves.
 * @param {any} record
 * @param {number} count how many moves are kept
 * @param {import("./messages.js").Seat[]} seats
 * @param {number} pace
 * @returns {Promise<Omit<Setup, "table">>}
 */
export async function continuing(record, count, seats, pace) {
  const match = replayed(await partsFor(record), record);
  if (match.seed === null) throw wrong("this record has no seed, so its next cards are unknown");
  const moves = match.log_of_moves.slice(0, count).map((/** @type {any} */ { seat, text }) => [seat + 1, text]);
  const { log, ...begun } = record.continues ?? { log: [] };
  const continues = record.continues ? { ...begun, moves: log.map((/** @type {any} */ one) => [one.seat, one.move]) } : undefined;
  return { game: record.game, options: match.options, seats, pace, seed: record.seed, moves, continues };
}
