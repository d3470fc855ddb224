// What happened, as sentences: an event of the server becomes codes with parameters, which any language can say.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { nameOf, read, symbolOf } from "../table/cards.js";
import { words } from "./words.js";

/** @typedef {[string, Record<string, string | number>]} Sentence */

/** Events about people, which are said in the words of the house. */
const ABOUT_PEOPLE = new Set([
  "sat", "stood", "renamed", "left", "sat_in", "took_back", "handed_over", "nudged", "undo_asked", "undone", "rematched",
]);

/**
 * @param {import("../table/types.js").Entry} told one event
 * @param {import("../table/types.js").State} state a state that knows the seats
 * @returns {Sentence[]}
 */
export function sentencesOf(told, state) {
  if (told.news) return told.news.filter((/** @type {any} */ one) => one.say).map((/** @type {any} */ one) => one.say);
  const name = told.name || state?.seats[told.seat - 1]?.name || "";
  const own = told.seat === state?.you ? "_you" : "";
  if (told.kind === "said") return [["web.house_said", { name, phrase: told.phrase }]];
  if (told.kind === "undo_answered") return [[`web.house_undo_${told.agreed ? "agreed" : "refused"}`, { name }]];
  if (told.kind === "placed") return told.bot ? [["web.house_event_placed", { name }]] : [];
  return ABOUT_PEOPLE.has(told.kind) ? [[`web.house_event_${told.kind}${own}`, { name }]] : [];
}

// Stands where a card is to be drawn; no sentence has it.
const CARD = "\u0001";

/**
 * Say a sentence. A phrase in it is said in the language of whoever hears it; a card is a small picture, since its
 * name would have to bend with the sentence in many languages.
 * @param {Sentence} sentence
 */
export function said([code, parameters]) {
  const { card, phrase } = parameters;
  const text = words.t(code, {
    ...parameters,
    ...(phrase === undefined ? {} : { phrase: words.t(`web.house_phrase_${phrase}`) }),
    ...(typeof card === "string" ? { card: CARD } : {}),
  });
  if (typeof card !== "string" || !text.includes(CARD)) return html`${text}`;
  const [before, ...after] = text.split(CARD);
  return html`${before}${drawn(card)}${after.join(card)}`;
}

/** @param {string} card */
function drawn(card) {
  const { hue, value, special } = read(card);
  const name = nameOf(words, card);
  if (special) return html`<span class="said-card">${name}</span>`;
  return html`<span class="said-card said-${hue || "ink"}" aria-hidden="true">${value}${hue ? symbolOf(hue) : nothing}</span><span class="unseen">${name}</span>`;
}
