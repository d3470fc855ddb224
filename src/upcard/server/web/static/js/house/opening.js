// Opening tables: set up, sit down, deal.
// @ts-check
import { insist, randomHex } from "./asking.js";
import { keepPledge } from "./mine.js";
import { preferences } from "./preferences.js";
import { t } from "./words.js";

/** What one is called; whoever has not said so is a guest. */
export const ownName = () => preferences.liked.name || t("web.house_guest");

/**
 * Sit down. The device adds to the shuffle what nobody else can know.
 * @param {string} table
 * @param {number | null} [seat]
 * @param {string} [name]
 */
export async function sitDown(table, seat = null, name = ownName()) {
  const share = randomHex(32);
  const answer = await insist(`/api/tables/${table}/sit`, { name, share, ...(seat === null ? {} : { seat }) });
  if (answer.type === "done") keepPledge(table, { share });
  return answer;
}

/**
 * Set up a table.
 * @param {object} plan what the server wants to know
 * @returns {Promise<string>} its name
 */
export async function setUp(plan) {
  const { body } = await insist("/api/tables", plan);
  keepPledge(body.table, { commitment: body.commitment });
  return body.table;
}

/** How many play if nobody has said so. @type {Record<string, number>} */
const COMPANY = { stockpile: 2, lines: 3, stacks: 3 };

/**
 * A table with bots, at once.
 * @param {string} game
 * @param {object} [changes]
 */
export async function playBots(game, changes = {}) {
  const { liked } = preferences;
  const players = liked.players[game] ?? COMPANY[game] ?? 2;
  const bots = Array.from({ length: players - 1 }, () => ({ bot: liked.level }));
  const table = await setUp({ game, options: { players }, seats: [{}, ...bots], patience: "none", ...changes });
  await sitDown(table, 1);
  await insist(`/api/tables/${table}/start`);
  return table;
}
