// A worker in which bots think, so that the table keeps responding. A bot gets the view of its seat, and nothing else.
// @ts-check
import { botsOf } from "./rules.js";

/**
 * @typedef {object} Question
 * @property {number} id
 * @property {string} game
 * @property {Int32Array} view the numbers of the view of a seat
 * @property {number[]} moves
 * @property {string} bot
 * @property {Uint8Array} seed of the bot's own dice
 */

addEventListener("message", async ({ data }) => {
  const { id } = /** @type {Question} */ (data);
  postMessage({ id, move: await choose(data) });
});

/** @param {Question} question @returns {Promise<number>} */
async function choose({ game, view, moves, bot, seed }) {
  if (moves.length === 1) return moves[0];
  const { GAME, LEVELS, Turn, Greedy } = await botsOf(game);
  const seen = new GAME.View();
  seen.numbers.set(view);
  const [Bot, budget] = LEVELS[bot] ?? [Greedy];
  try {
    return new Bot(seed).choose(new Turn(GAME, seen, moves, [], budget));
  } catch (error) {
    // The game continues, as on a server.
    console.error(error);
    return new Greedy(seed).choose(new Turn(GAME, seen, moves));
  }
}
