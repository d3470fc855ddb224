// The faces and backs of cards, and their names in words. The notation of a card determines its look, unless its game
// says otherwise (`look` of its drawing). The shapes are in sprites, see `make art`.
// @ts-check
import { html, nothing, svg } from "../../vendor/lit.js";

/** @typedef {import("./types.js").Drawing} Drawing */
/** @typedef {import("./types.js").Look} Look */
/** @typedef {import("./types.js").Words} Words */

// A number or a wild, with the letter of a colour before it if the card has one.
const NUMBERED = /^[rbgypo]?(\d+|\?)$/;
// The sprite that all games share has outlines of these numbers.
const OUTLINED = 20;

/** The prefix of the shapes of each game with a sprite. @type {WeakMap<Drawing, string>} */
const decks = new WeakMap();

/** Let the cards of a game use the shapes of its own sprite. @param {Drawing} drawing @param {string} deck */
export const useDeck = (drawing, deck) => decks.set(drawing, deck);

/** Whether a text is certainly the notation of a card. @param {string} text */
export const isNumbered = (text) => NUMBERED.test(text);

/**
 * How a card looks.
 * @param {string} card
 * @param {Drawing} [drawing] that of its game
 * @returns {Look}
 */
export function lookOf(card, drawing) {
  const value = NUMBERED.exec(card)?.[1] ?? card;
  const hue = value === card ? "" : card[0];
  const deck = drawing && decks.get(drawing);
  return { hue, value, wild: value === "?", deck, ...drawing?.look?.(card) };
}

/** @param {string} value @param {boolean} wild */
function numeral(value, wild) {
  if (wild) return svg`<use href="#up-wild"/>`;
  if (/^\d+$/.test(value) && Number(value) <= OUTLINED) return svg`<use href="#up-${Number(value)}"/>`;
  const squeezed = value.length > 2 ? 32 : nothing;
  return svg`<text class="word" y="7.500" textLength=${squeezed} lengthAdjust="spacingAndGlyphs">${value}</text>`;
}

/** The number and the sign in the corner, which a fan of cards shows. @param {Look} look */
function corner({ hue, value, wild }) {
  if (value.length > 2) return nothing;
  return svg`<g class="index" transform="translate(${value.length > 1 ? 12 : 10.5} 13) scale(0.72)">${numeral(value, wild)}</g>
    ${hue ? svg`<use class="sign" href="#up-sign-${hue}" transform="translate(10.500 28) scale(0.5)"/>` : nothing}`;
}

/** @param {Look} look @param {unknown} content @param {string} [kind] */
const drawn = ({ hue }, content, kind = "") => html`<svg
  class="face hue-${hue || "ink"} ${kind}"
  viewBox="0 0 60 84"
  aria-hidden="true"
  focusable="false"
>
  ${content}
</svg>`;

/** The face of a card. @param {Look} look */
export function face(look) {
  const { hue, value, wild, picture, deck } = look;
  if (picture) return drawn(look, svg`<use href="#${picture}"/>`, "special");
  const medal = hue ? svg`<circle r="23"/><circle class="stitch" r="19.500"/>` : svg`<use href="#up-pinwheel"/>`;
  const content = svg`<rect class="frame" x="3" y="3" width="54" height="78" rx="5"/>
    ${wild ? svg`<g class="medal" transform="translate(32 45) scale(0.86)">${medal}</g>` : nothing}
    ${!wild && deck ? svg`<use class="ornament" href="#${deck}-${value}"/>` : nothing}
    <g class="numeral" transform="translate(32 45) scale(${wild ? 1.35 : value.length > 1 ? 1.55 : 1.85})">${numeral(value, wild)}</g>
    ${corner(look)}`;
  return drawn(look, content, wild ? "wild" : "");
}

/** A small card: its number and its sign as large as they can be. @param {Look} look */
export function mini(look) {
  const { hue, value, wild, picture } = look;
  if (picture) return drawn(look, svg`<use href="#${picture}"/>`, "special mini");
  const middle = hue ? 32 : 43;
  const content = svg`
    ${wild ? svg`<g class="medal" transform="translate(30 ${middle}) scale(${hue ? 1 : 1.15})">${hue ? svg`<circle r="23"/>` : svg`<use href="#up-pinwheel"/>`}</g>` : nothing}
    <g class="numeral" transform="translate(30 ${middle}) scale(${wild ? 1.6 : value.length > 1 ? 1.95 : 2.3})">${numeral(value, wild)}</g>
    ${hue ? svg`<use class="sign" href="#up-sign-${hue}" transform="translate(30 68.500) scale(1.050)"/>` : nothing}`;
  return drawn(look, content, wild ? "wild mini" : "mini");
}

/** The back of a card. @param {Drawing} [drawing] that of its game */
export function back(drawing) {
  const deck = (drawing && decks.get(drawing)) ?? "up";
  return html`<svg class="face rear" viewBox="0 0 60 84" aria-hidden="true" focusable="false"><use href="#${deck}-back" /></svg>`;
}

/** A token of a colour, with the sign of that colour. @param {string} hue */
export function token(hue) {
  return html`<svg class="token hue-${hue}" viewBox="-13 -13 26 26" aria-hidden="true" focusable="false">
    <use class="coin" href="#up-token" /><use class="stamp" href="#up-sign-${hue}" transform="scale(0.4)" />
  </svg>`;
}

/** A place for a token, with the sign of the colour that it needs; "" is any colour. @param {string} hue */
export function socket(hue) {
  return html`<svg class="token socket hue-${hue || "ink"}" viewBox="-13 -13 26 26" aria-hidden="true" focusable="false">
    <circle class="ring" r="11" />${hue ? svg`<use class="stamp" href="#up-sign-${hue}" transform="scale(0.48)" />` : svg`<path class="plus-sign" d="M-5 0H5M0-5V5" />`}
  </svg>`;
}

/** The crown of the leading player. */
export const crown = () => html`<svg class="crown" viewBox="-14 -14 28 26" aria-hidden="true" focusable="false"><use href="#up-crown" /></svg>`;

/** The sign of a colour alone. @param {string} hue */
export function symbolOf(hue) {
  return html`<svg class="mark hue-${hue}" viewBox="-12 -12 24 24" aria-hidden="true" focusable="false">
    <use class="sign" href="#up-sign-${hue}" />
  </svg>`;
}

/** A card's name in words: "red 7". @param {Words} words @param {Look} look */
export function nameOf(words, { hue, value, wild, name }) {
  if (name) return words.t(name);
  if (wild) return words.t(hue ? `web.table_wild_${hue}` : "web.table_wild");
  return hue ? words.t(`web.table_card_${hue}`, { value }) : value;
}
