// Opening tables: set up, sit down, deal.
// @ts-check
import { offers } from "../offers.js";
import { Problem, Refusal, randomHex, sendOrThrow } from "./http.js";
import { keepPledge } from "./my-tables.js";
import { preferences } from "./preferences.js";
import { t } from "./words.js";

/** How long bots take for a move, in seconds. */
export const PACES = { slow: 2.5, calm: 1.2, quick: 0.4 };

/** The person's name, or "guest". */
export const ownName = () => preferences.values.name || t("web.house_guest");

/** The chosen face and colour. */
export function ownLook() {
  const { face, tint } = preferences.values;
  return { ...(face ? { face } : {}), ...(tint ? { tint } : {}) };
}

/**
 * Play again with the same people: the same game, or another one. The player who asks is ready, and the cards are dealt
 * as soon as everyone is.
 * @param {string} table the one whose game is over
 * @param {{game?: string, options?: object}} [plan]
 * @returns {Promise<string>} the table of the next game
 */
export async function playAgain(table, plan = {}) {
  const share = randomHex(32);
  const answer = await sendOrThrow(`/api/tables/${table}/rematch`, { share, ...ownLook(), ...plan });
  if (answer.type === "refused") throw new Refusal(answer);
  const next = answer.state?.rematch;
  if (!next) throw new Problem(0);
  keepPledge(next, { share });
  return next;
}

/**
 * Sit down. The device adds its own secret randomness to the shuffle.
 * @param {string} table
 * @param {number | null} [seat]
 * @param {string} [name]
 */
export async function sitDown(table, seat = null, name = ownName()) {
  const share = randomHex(32);
  const fields = { name, share, ...ownLook(), ...(seat === null ? {} : { seat }) };
  const answer = await sendOrThrow(`/api/tables/${table}/sit`, fields);
  if (answer.type === "done") keepPledge(table, { share });
  return answer;
}

/**
 * Set up a table.
 * @param {object} plan what the server wants to know
 * @returns {Promise<string>} its name
 */
export async function createTable(plan) {
  const { body } = await sendOrThrow("/api/tables", plan);
  keepPledge(body.table, { commitment: body.commitment });
  return body.table;
}

/**
 * Open a table with bots, sit down and start.
 * @param {string} game
 * @param {object} [changes]
 */
export async function playBots(game, changes = {}) {
  const { values } = preferences;
  const players = values.players[game] ?? offers.games[game].company;
  const bots = Array.from({ length: players - 1 }, () => ({ bot: values.level }));
  const table = await createTable({ game, options: { players }, seats: [{}, ...bots], patience: "none", ...changes });
  await sitDown(table, 1);
  await sendOrThrow(`/api/tables/${table}/start`);
  return table;
}
