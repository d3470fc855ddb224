// The faces and backs of cards, and their names in words. A card is known by its notation.
// @ts-check
import { html, nothing, svg } from "../../vendor/lit.js";

/** @typedef {import("./types.js").Words} Words */

const SPECIALS = ["skip", "reverse", "card", "chip", "block"];
const HUES = ["r", "b", "g", "y", "p", "o"];

/**
 * The corners of a star, or of a regular figure where both radii are equal.
 * @param {number} points
 * @param {number} outer
 * @param {number} inner
 */
function star(points, outer, inner) {
  return Array.from({ length: points * 2 }, (_, corner) => {
    const radius = corner % 2 ? inner : outer;
    const angle = (Math.PI * corner) / points - Math.PI / 2;
    return `${(radius * Math.cos(angle)).toFixed(2)},${(radius * Math.sin(angle)).toFixed(2)}`;
  });
}

/** A symbol for each colour, about the origin and ten units high and low. @type {Record<string, unknown>} */
const SYMBOLS = {
  r: svg`<circle r="8.600"/>`,
  b: svg`<path d="M0-10.500 8.500 0 0 10.500-8.500 0z"/>`,
  g: svg`<path d="M0-9.500 10 8H-10z"/>`,
  y: svg`<polygon points=${star(5, 10.8, 4.6).join(" ")}/>`,
  p: svg`<rect x="-8" y="-8" width="16" height="16" rx="1.500"/>`,
  o: svg`<path d="M-5.200-9h10.400L10.400 0 5.200 9H-5.200L-10.400 0z"/>`,
};

const WEDGES = star(6, 24, 11);

/** A star of all colours. */
const WILD = HUES.map((hue, place) => {
  const before = WEDGES[(place * 2 + 11) % 12];
  return svg`<polygon class="hue-${hue} fill" points="0,0 ${before} ${WEDGES[place * 2]} ${WEDGES[place * 2 + 1]}"/>`;
});

/** Pictograms of special cards, in ink lines about the middle of a face. @type {Record<string, unknown>} */
const PICTURES = {
  skip: svg`<path d="M13 48c3-22 31-22 34-4"/><path d="m38 41 9.500 4L51 35"/><circle class="solid" cx="30" cy="53" r="5"/>`,
  reverse: svg`<path d="M15 34h24a8 8 0 0 1 0 0"/><path d="m33 26 9 8-9 8"/><path d="M45 54H21"/><path d="m27 46-9 8 9 8"/>`,
  card: svg`<rect x="13" y="25" width="22" height="31" rx="3"/><path d="M29 45h20"/><path d="m41 36.500 9 8.500-9 8.500"/>`,
  chip: svg`<circle cx="24" cy="42" r="12.500"/><circle cx="24" cy="42" r="5.500"/><path d="M24 29.500v7M24 47.500v7M11.500 42h7"/><path d="M29.500 42H51"/><path d="m43 33.500 9 8.500-9 8.500"/>`,
  block: svg`<path d="M30 20 47 26v15c0 11-7.500 18-17 22-9.500-4-17-11-17-22V26z"/><path d="M20.500 42h19" stroke-width="6"/>`,
};

/**
 * Take a card's notation apart.
 * @param {string} card
 * @returns {{hue: string, value: string, special: boolean, wild: boolean}}
 */
export function read(card) {
  if (SPECIALS.includes(card)) return { hue: "", value: card, special: true, wild: false };
  const hue = HUES.includes(card[0]) ? card[0] : "";
  const value = hue ? card.slice(1) : card;
  return { hue, value, special: false, wild: value === "?" };
}

/** @param {string} hue @param {number} x @param {number} y @param {number} size */
function symbol(hue, x, y, size) {
  return hue ? svg`<g class="symbol" transform="translate(${x} ${y}) scale(${size})">${SYMBOLS[hue]}</g>` : nothing;
}

/** How far up a pile this number is: for cards without a colour. @param {string} value */
function ladder(value) {
  const steps = Array.from({ length: 10 }, (_, step) => {
    const filled = step < Number(value) ? "step filled" : "step";
    return svg`<rect class=${filled} x=${6 + step * 4.9} y="72" width="3.600" height="5" rx="1"/>`;
  });
  return svg`${steps}`;
}

/**
 * The face of a card.
 * @param {string} card
 */
export function face(card) {
  const { hue, value, special, wild } = read(card);
  return html`<svg class="face hue-${hue || "ink"}" viewBox="0 0 60 84" aria-hidden="true" focusable="false">
    ${special ? svg`<g class="picture">${PICTURES[value]}</g><path class="hem" d="M10 11h40"/>` : nothing}
    ${wild ? wildFace(hue) : nothing}
    ${special || wild
      ? nothing
      : svg`<text class=${value.length > 1 ? "numeral long" : "numeral"} x="30" y=${hue ? 57 : 53}>${value}</text>
          ${hue ? nothing : ladder(value)}`}
    ${symbol(hue, 13, 14.5, 0.82)} ${symbol(hue, 47, 69.5, 0.82)}
  </svg>`;
}

/** @param {string} hue */
function wildFace(hue) {
  if (!hue) return svg`<g transform="translate(30 42)">${WILD}<circle class="eye" r="6"/></g>`;
  return svg`<g transform="translate(30 42)"><polygon class="fill" points=${WEDGES.join(" ")}/><circle class="eye" r="6"/></g>`;
}

/**
 * A small card: its number and symbol as large as they can be.
 * @param {string} card
 */
export function mini(card) {
  const { hue, value, special, wild } = read(card);
  const middle = special
    ? svg`<g class="picture bold">${PICTURES[value]}</g>`
    : wild
      ? svg`<g transform="translate(30 ${hue ? 32 : 42})">${hue ? svg`<polygon class="fill" points=${WEDGES.join(" ")}/>` : WILD}</g>`
      : svg`<text class=${value.length > 1 ? "numeral long" : "numeral"} x="30" y=${hue ? 45 : 58}>${value}</text>`;
  return html`<svg class="face mini hue-${hue || "ink"}" viewBox="0 0 60 84" aria-hidden="true" focusable="false">
    ${middle}${symbol(hue, 30, 66, 1.15)}
  </svg>`;
}

/** The back of a card. */
export function back() {
  return html`<svg class="face rear" viewBox="0 0 60 84" aria-hidden="true" focusable="false">
    <rect class="frame" x="5" y="5" width="50" height="74" rx="4" />
    <path class="weave" d="M14 34 30 20l16 14M14 46l16-14 16 14M14 58l16-14 16 14M14 70l16-14 16 14" />
  </svg>`;
}

/**
 * A chip of a colour, with the symbol of that colour.
 * @param {string} colour
 */
export function chip(colour) {
  const hue = colour[0];
  return html`<svg class="token hue-${hue}" viewBox="-14 -14 28 28" aria-hidden="true" focusable="false">
    <circle class="rim" r="12.500" />
    <g class="symbol" transform="scale(0.62)">${SYMBOLS[hue]}</g>
  </svg>`;
}

/**
 * The symbol of a colour by itself.
 * @param {string} hue
 */
export function symbolOf(hue) {
  return html`<svg class="mark hue-${hue}" viewBox="-12 -12 24 24" aria-hidden="true" focusable="false">
    <g class="symbol">${SYMBOLS[hue]}</g>
  </svg>`;
}

/**
 * A card's name in words: "red 7".
 * @param {Words} words
 * @param {string | null | undefined} card
 */
export function nameOf(words, card) {
  if (card === null || card === undefined) return words.t("web.table_unknown");
  const { hue, value, special, wild } = read(card);
  if (special) return words.t(`web.table_${value}`);
  if (wild) return words.t(hue ? `web.table_wild_${hue}` : "web.table_wild");
  return hue ? words.t(`web.table_card_${hue}`, { value }) : value;
}
