// The generic drawing, for games without their own: the values of the view are drawn under their names, and the legal
// moves are buttons. A list of texts is a row of cards, the top one last.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { isNumbered, lookOf, nameOf, symbolOf } from "./cards.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./types.js").Drawing} Drawing */
/** @typedef {import("./types.js").Move} Move */

// Keys that the table shows anyway, or beside the names of seats.
const ELSEWHERE = new Set(["first", "turn", "to_move", "over", "seats"]);
// The maximum length of a row of cards; of a longer one, only the last cards are shown.
const ROW = 10;

/** A key of the view as a label: "out_of_play" is "Out of play", and a card is as it is written. @param {string} key */
const labelOf = (key) => (isNumbered(key) ? key : key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " "));

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isGroup = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {value is string[]} */
const areCards = (value) => Array.isArray(value) && value.every((each) => typeof each === "string");

/** @param {unknown} value */
const isEmpty = (value) => value === null || value === undefined || (isGroup(value) && !Object.keys(value).length);

/** A value of the view with its label. @param {Scene} scene @param {string} path @param {string} label @param {unknown} value */
function entry(scene, path, label, value) {
  if (isEmpty(value)) return nothing;
  return html`<li class="entry" data-spot=${path}>
    ${label ? html`<span class="label">${label}</span>` : nothing}${thing(scene, path, label, value)}
  </li>`;
}

/** @param {Scene} scene @param {string} path @param {string} label @param {unknown} value @returns {unknown} */
function thing(scene, path, label, value) {
  if (areCards(value)) return row(scene, path, label, value);
  if (Array.isArray(value)) {
    return group(scene, path, Object.fromEntries(value.map((each, place) => [String(place + 1), each])));
  }
  if (isGroup(value)) return group(scene, path, value);
  if (typeof value === "number") return html`<b class="number">${scene.words.number(value)}</b>`;
  if (typeof value === "boolean") return html`<b>${scene.words.t(value ? "web.house_yes" : "web.house_no")}</b>`;
  return isNumbered(String(value)) ? card(scene, String(value)) : html`<b>${labelOf(String(value))}</b>`;
}

/** @param {Scene} scene @param {string} path @param {Record<string, unknown>} value */
function group(scene, path, value) {
  return html`<ul class="group">
    ${Object.entries(value).map(([key, each]) => entry(scene, `${path}:${key}`, key === "cards" ? "" : labelOf(key), each))}
  </ul>`;
}

/** @param {Scene} scene @param {string} card */
function card(scene, card) {
  return html`<span class="one-card" role="img" aria-label=${scene.nameOf(card)}>${scene.card(card, true)}</span>`;
}

/** Cards in a row; those of a long one can be looked at. @param {Scene} scene @param {string} path @param {string} label @param {string[]} cards */
function row(scene, path, label, cards) {
  if (!cards.length) return html`<span class="one-card">${scene.card(undefined, true)}</span>`;
  if (cards.length <= ROW) return html`<span class="card-row">${cards.map((each) => card(scene, each))}</span>`;
  const name = [label, scene.t("cards", { count: cards.length })].filter(Boolean).join(": ");
  const content = html`${scene.buried(cards, ROW / 2)}${scene.card(cards.at(-1), true)}${scene.count(cards.length)}`;
  return scene.spot({ key: `${path}:all`, label: name, content, kind: "long-row", cards });
}

/** @param {Scene} scene */
function middle(scene) {
  const { hand, ...view } = scene.view;
  // A hand that is not a list of cards is drawn like everything else.
  const all = Object.entries(areCards(hand) ? view : scene.view);
  const shown = all.filter(([key]) => !ELSEWHERE.has(key));
  return html`<ul class="group">${shown.map(([key, value]) => entry(scene, key, labelOf(key), value))}</ul>`;
}

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const at = scene.view.seats?.[seat - 1];
  if (isEmpty(at)) return nothing;
  return isGroup(at) ? group(scene, `seat:${seat}`, at) : thing(scene, `seat:${seat}:all`, scene.nameAt(seat), at);
}

/** The viewer's own cards. @param {Scene} scene */
function hand(scene) {
  const { hand } = scene.view;
  if (!areCards(hand)) return nothing;
  return html`<section class="hand plain-hand" data-spot="hand" aria-label=${scene.t("your_hand", { count: hand.length })}>
    ${hand.length ? hand.map((each) => card(scene, each)) : html`<p class="quiet">${scene.t("empty_hand")}</p>`}
  </section>`;
}

/** A move as it is written, with the symbols of its cards and the names of seats (@2). @param {Scene} scene @param {Move} move */
function button(scene, move) {
  const parts = move.move.split(" ").map((word) => {
    const seat = /^@(\d+)$/.exec(word)?.[1];
    return { text: seat ? scene.nameAt(Number(seat)) : word, look: isNumbered(word) ? lookOf(word) : null };
  });
  const name = parts.map(({ text, look }) => (look ? nameOf(scene.words, look) : text)).join(" ");
  const content = parts.map(({ text, look }) =>
    look?.hue ? html`<b class="card-text hue-${look.hue}">${look.value}${symbolOf(look.hue)}</b>` : html`<span>${text}</span>`,
  );
  return scene.choice(move, html`<span class="move-text">${content}</span>`, name);
}

/** @type {Drawing} */
export const drawing = {
  read: (move) => ({ move, source: null, place: move }),
  write: () => null,
  blank: () => ({}),
  middle,
  seat,
  hand,
  prompt: () => null,
  choices: (scene, offered) => offered.map((move) => button(scene, move)),
  card: () => null,
  // The next state shows the rest.
  course: (_view, news) => ({ mark: news.seat ? [`seat:${news.seat}`] : [] }),
};
