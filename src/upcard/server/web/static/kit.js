// The toolkit for the modules of games. Its address is stable: a game's module imports it as "../../kit.js",
// whatever package the game comes from.
// @ts-check
export { html, keyed, nothing, svg } from "./vendor/lit.js";
export { socket, symbolOf, token } from "./js/table/cards.js";

/** @typedef {import("./js/table/types.js").Course} Course */
/** @typedef {import("./js/table/types.js").Drawing} Drawing */
/** @typedef {import("./js/table/types.js").Look} Look */
/** @typedef {import("./js/table/types.js").Move} Move */
/** @typedef {import("./js/table/types.js").News} News */
/** @typedef {import("./js/table/scene.js").Scene} Scene */
/** @typedef {import("./js/table/types.js").Question} Question */

/** The seats with the highest of these scores. @param {number[]} scores by seat @returns {number[]} */
export function leading(scores) {
  const best = Math.max(...scores);
  return scores.flatMap((score, place) => (score === best ? [place + 1] : []));
}
