// Sprites: SVG files of shapes, loaded once and put into the page, so that `<use href="#id">` finds them immediately.
// @ts-check

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/** The shapes that all games share. */
export const COMMON = new URL("../../art/common.svg", import.meta.url).href;
/** The faces of people and bots. */
export const FACES = new URL("../../art/faces.svg", import.meta.url).href;

/** Put a sprite into the page. @param {string} address @returns {Promise<void>} */
export function loadSprite(address) {
  const begun = loading.get(address) ?? load(address);
  loading.set(address, begun);
  // The network may work the next time.
  begun.catch(() => loading.delete(address));
  return begun;
}

/** @param {string} address */
async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const { documentElement } = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  documentElement.classList.add("sprite");
  documentElement.setAttribute("aria-hidden", "true");
  document.body.append(document.importNode(documentElement, true));
}
