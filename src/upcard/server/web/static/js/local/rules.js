// The games, translated from Python (python -m upcard.browser), loaded in workers.
// @ts-check

// They are beside this module's folder, both on a server and in an exported site.
const RULES = "../../rules";

/** @param {string} path @returns {Promise<any>} */
const load = (path) => import(`${RULES}/${path}`);

/** The modules for a table. @param {string} game @returns {Promise<import("./messages.js").Parts>} */
export async function partsOf(game) {
  const [{ GAME }, { Match, Player }, { Fairness }, { Continuation }, { replay }, { redact }] = await Promise.all([
    load(`${game}/game.js`),
    load("upcard/match/match.js"),
    load("upcard/match/fairness.js"),
    load("upcard/match/continuation.js"),
    load("upcard/match/replay.js"),
    load("upcard/core/events.js"),
  ]);
  return { GAME, Match, Player, Fairness, Continuation, replay, redact };
}

/** The modules for a bot. @param {string} game */
export async function botsOf(game) {
  const [{ GAME }, { LEVELS }, { Turn }, { Greedy }] = await Promise.all([
    load(`${game}/game.js`),
    load(`${game}/bots.js`),
    load("upcard/bots/bot.js"),
    load("upcard/bots/simple.js"),
  ]);
  return { GAME, LEVELS, Turn, Greedy };
}
