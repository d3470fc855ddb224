// What people can say at a table, each with a sign that is understood without reading.
// @ts-check
import { html } from "../../vendor/lit.js";
import { t } from "./words.js";

/** @type {Record<string, string>} */
const SIGNS = {
  hello: "👋",
  good_luck: "🍀",
  well_played: "👏",
  thanks: "🙏",
  oops: "🙈",
  wow: "🤩",
  one_moment: "⏳",
  your_turn: "👉",
  again: "🔁",
  goodbye: "🤗",
};

/** @param {string} phrase */
export const phraseOf = (phrase) =>
  html`<span class="reaction" aria-hidden="true">${SIGNS[phrase] ?? "💬"}</span> ${t(`web.house_phrase_${phrase}`)}`;
