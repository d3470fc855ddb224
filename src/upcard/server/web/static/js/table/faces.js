// The faces of people and bots: an animal or a clockwork toy on a disc of the colour of the seat.
// @ts-check
import { html } from "../../vendor/lit.js";
import { FACES, loadSprite } from "./sprites.js";

export const ANIMALS = [
  "fox", "owl", "bear", "cat", "rabbit", "frog", "panda", "penguin",
  "octopus", "lion", "koala", "whale", "bee", "turtle", "hedgehog", "parrot",
];
/** The toys that play, the weakest first. */
export const TOYS = ["tin", "copper", "steel", "brass"];
/** How many colours of people there are. Their styles are `.tint-1` and so on. */
export const TINTS = 8;

const LEVELS = ["easy", "normal", "hard", "expert"];

/** A number that follows from a text. @param {string} text */
function hash(text) {
  let state = 2166136261;
  for (const letter of text) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  return state >>> 0;
}

/**
 * The face of a seat: the chosen one, or one that follows from the name.
 * @param {import("./types.js").Chair} chair
 */
export function faceOf(chair) {
  if (chair.face && [...ANIMALS, ...TOYS].includes(chair.face)) return chair.face;
  if (chair.kind === "bot") return TOYS[Math.max(0, LEVELS.indexOf(chair.bot ?? ""))];
  return ANIMALS[hash(chair.name.trim().toLowerCase()) % ANIMALS.length];
}

/** The colour of a seat, from 1: the chosen one, or one that follows from its number. @param {import("./types.js").Chair} chair @param {number} seat */
export const tintOf = (chair, seat) => chair.tint ?? ((seat - 1) % TINTS) + 1;

/** A face on a disc. @param {string} name @param {number} tint */
export function portrait(name, tint) {
  loadSprite(FACES).catch(() => null);
  return html`<svg class="portrait tint-${tint}" viewBox="-50 -50 100 100" aria-hidden="true" focusable="false">
    <circle class="disc" r="50" />
    <use href="#face-${name}" />
  </svg>`;
}
