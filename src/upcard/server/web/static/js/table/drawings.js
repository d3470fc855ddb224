// Drawings: the module of each game that draws its table, loaded when a table of that game is first shown.
// @ts-check
import { offers } from "../offers.js";
import { useDeck } from "./cards.js";
import { COMMON, loadSprite } from "./sprites.js";

/** @typedef {import("./types.js").Drawing} Drawing */

/** @type {Map<string, Drawing>} */
const loaded = new Map();
/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/** The drawing of a game, once it is loaded. @param {string} game */
export const drawingOf = (game) => loaded.get(game);

/** Load the drawing of a game, with its styles and the shapes of its cards. @param {string} game @returns {Promise<void>} */
export function loadDrawing(game) {
  const begun = loading.get(game) ?? load(game);
  loading.set(game, begun);
  // The network may work the next time.
  begun.catch(() => loading.delete(game));
  return begun;
}

/** @param {string} game */
async function load(game) {
  await offers.ready;
  const { table, styles, deck } = offers.games[game].web;
  const sprites = [COMMON, deck].filter((address) => typeof address === "string");
  const [module] = await Promise.all([import(table), addStyles(styles), ...sprites.map(loadSprite)]);
  if (deck) useDeck(module.drawing, game);
  if (module.drawing.question !== null) await import("./asking.js");
  loaded.set(game, module.drawing);
}

/** Add a style sheet to the page, unless the page came with it. @param {string} address */
function addStyles(address) {
  if (document.querySelector(`link[href="${address}"]`)) return undefined;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  return new Promise((done, failed) => {
    link.addEventListener("load", done);
    link.addEventListener("error", failed);
    document.head.append(link);
  });
}
