// The names and descriptions of games. A game without sentences in the catalogues uses its own title and summary, so
// that any game can be offered.
// @ts-check
import { offers } from "../offers.js";
import { t, words } from "./words.js";

/** @param {string} code @param {string} otherwise */
const said = (code, otherwise) => (words.has(code) ? t(code) : otherwise);

/** @param {string} game */
export const titleOf = (game) => said(`web.house_game_${game}`, offers.games[game]?.title ?? game);

/** @param {string} game */
export const summaryOf = (game) => said(`web.house_summary_${game}`, offers.games[game]?.summary ?? "");

/** Its number of players, and its character. @param {string} game */
export function factsOf(game) {
  const { least, most } = offers.games[game];
  return said(`web.house_facts_${game}`, `${t("web.house_players")}: ${words.number(least)}–${words.number(most)}`);
}

/** The title of its rulebook. @param {string} game */
export const rulesOf = (game) => said(`web.house_rules_${game}`, titleOf(game));

/** The question that a table asks out of turn. @param {string} game */
export const windowOf = (game) => said(`web.house_window_${game}`, t("web.house_window_other"));

/** Why a game ended. @param {string} game @param {string} reason */
export const reasonOf = (game, reason) => said(`web.house_reason_${game}_${reason}`, said(`table.reason_${reason}`, ""));

/** @param {string} game @param {number} count */
export function scoreOf(game, count) {
  const code = `web.house_score_${game}`;
  return words.has(code) ? t(code, { count }) : words.number(count);
}

/** The name of an option. @param {string} game @param {string} option */
export const optionOf = (game, option) => said(`web.house_option_${game}_${option}`, spaced(option));

/** What an option changes. @param {string} game @param {string} option */
export const whyOf = (game, option) => said(`web.house_option_${game}_${option}_why`, "");

/** @param {string} game @param {string} option @param {any} value */
export function valueOf(game, option, value) {
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return t(value ? "web.house_yes" : "web.house_no");
  return said(`web.house_option_${game}_${option}_${value}`, spaced(value));
}

/** @param {string} name */
const spaced = (name) => name.replaceAll("_", " ");
