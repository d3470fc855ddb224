// The connection to the worker in which bots think.
// @ts-check

/** @type {Map<number, (move: number) => void>} */
const waiting = new Map();
let asked = 0;
/** @type {Worker | null} */
let worker = null;

function thinker() {
  if (worker === null) {
    worker = new Worker(new URL("./thinker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      waiting.get(data.id)?.(data.move);
      waiting.delete(data.id);
    });
  }
  return worker;
}

/**
 * Let a bot choose a move for a seat that is asked or to move.
 * @param {import("./table.js").LocalTable} table
 * @param {number} seat
 * @param {string} bot
 * @returns {Promise<number>}
 */
export function think(table, seat, bot) {
  return choose(table.setup.game, table.match.view(seat).numbers.slice(), [...table.moves(seat)], bot);
}

/**
 * Let a bot choose one of some moves.
 * @param {string} game
 * @param {Int32Array} view the numbers of the view of a seat
 * @param {number[]} moves
 * @param {string} bot
 * @returns {Promise<number>}
 */
export function choose(game, view, moves, bot) {
  const id = ++asked;
  const seed = crypto.getRandomValues(new Uint8Array(32));
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    thinker().postMessage({ id, game, view, moves, bot, seed });
  });
}
