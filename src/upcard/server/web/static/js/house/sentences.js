// Events as sentences: an event of the server becomes codes with parameters, for any language.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { lookOf, nameOf, symbolOf } from "../table/cards.js";
import { drawingOf } from "../table/drawings.js";
import { words } from "./words.js";

/** @typedef {[string, Record<string, string | number>]} Sentence */

/** Events about people, with sentences of their own. */
const ABOUT_PEOPLE = new Set([
  "sat", "stood", "renamed", "left", "sat_in", "took_back", "handed_over", "nudged", "undo_asked", "undone", "rematched",
  "held", "host_changed", "resigned", "end_asked",
]);

/**
 * @param {import("../table/types.js").Entry} told one event
 * @param {import("../table/types.js").State} state a state that knows the seats
 * @returns {Sentence[]}
 */
export function sentencesOf(told, state) {
  const chair = state?.seats[told.seat - 1];
  if (told.news) {
    const sentences = told.news.filter((/** @type {any} */ one) => one.say).map((/** @type {any} */ one) => one.say);
    // A bot has played for a person.
    const standsIn = told.by === "bot" && chair?.kind === "person" && sentences.length > 0;
    return standsIn ? [["web.house_event_bot_played", { name: chair.name }], ...sentences] : sentences;
  }
  if (told.kind === "removed") return [["web.house_event_removed", { name: told.name }]];
  if (told.kind === "locked") return [[told.locked ? "table.is_locked" : "web.house_event_unlocked", {}]];
  if (told.kind === "resumed") return [["web.house_event_resumed", {}]];
  const name = told.name || state?.seats[told.seat - 1]?.name || "";
  const own = told.seat === state?.you ? "_you" : "";
  if (told.kind === "said") return [["web.house_said", { name, phrase: told.phrase }]];
  if (told.kind === "ended") return [[`table.reason_${told.reason}`, {}]];
  if (told.kind === "undo_answered" || told.kind === "end_answered") return [[`web.house_undo_${told.agreed ? "agreed" : "refused"}`, { name }]];
  if (told.kind === "placed") return told.bot ? [["web.house_event_placed", { name }]] : [];
  return ABOUT_PEOPLE.has(told.kind) ? [[`web.house_event_${told.kind}${own}`, { name }]] : [];
}

// The parameters that are cards, and the sign that marks their places in a sentence.
const CARDS = { card: "\u0001", highest: "\u0002" };
const SIGN = /([\u0001\u0002])/;

/**
 * Render a sentence. A phrase in it is in the language of the reader. A card is a small picture, since in many
 * languages its name would have to be inflected.
 * @param {Sentence} sentence
 * @param {string} game the one that cards in it are of
 */
export function said([code, parameters], game) {
  const { phrase } = parameters;
  const cards = Object.entries(CARDS).filter(([gap]) => typeof parameters[gap] === "string");
  const drawnAt = Object.fromEntries(cards.map(([gap, sign]) => [sign, drawn(String(parameters[gap]), game)]));
  const text = words.t(code, {
    ...parameters,
    ...(phrase === undefined ? {} : { phrase: words.t(`web.house_phrase_${phrase}`) }),
    ...Object.fromEntries(cards),
  });
  return html`${text.split(SIGN).map((part) => drawnAt[part] ?? part)}`;
}

/** @param {string} card @param {string} game */
function drawn(card, game) {
  const look = lookOf(card, drawingOf(game));
  const { hue, value, picture } = look;
  const name = nameOf(words, look);
  if (picture) return html`<span class="said-card">${name}</span>`;
  return html`<span class="said-card said-${hue || "ink"}" aria-hidden="true">${value}${hue ? symbolOf(hue) : nothing}</span><span class="unseen">${name}</span>`;
}
