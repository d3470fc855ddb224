// The worker that runs local tables. The page gets exactly what a server would send: the other cards, the seed and the
// other hands stay in the worker.
// @ts-check
import { randomHex } from "../house/http.js";
import { all, find, forget, keep } from "./games-kept.js";
import { continuing, isRight, stepsOf } from "./replays.js";
import { partsOf } from "./rules.js";
import { LocalTable, bytesOf, whyOf } from "./table.js";
import { choose, think } from "./thinking.js";

/** @typedef {import("./messages.js").LocalEntry} LocalEntry */
/** @typedef {import("./messages.js").Plan} Plan */
/** @typedef {import("./messages.js").Setup} Setup */

// The bot that gives hints, as on a server.
const HINT_BOT = "hard";

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {number} time */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** A table, its bots, and its viewer. */
class TableActor {
  /** The viewer's seat: always the same person, or the person who holds the device. @type {number | null} */
  viewer = null;
  /** The answers in the window. @type {Record<number, string>} */
  answers = {};
  /** Whether bots move as soon as they know their move, until a person is to move. */
  #hurried = false;
  /** Ends the pause of the bot that is to move. @type {() => void} */
  #skip = () => {};
  /** Commands are carried out one after another. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {LocalTable} table */
  constructor(table) {
    this.table = table;
    if (table.people.length === 1) [this.viewer] = table.people;
  }

  get name() {
    return this.table.setup.table;
  }

  /** @template T @param {() => Promise<T>} action @returns {Promise<T>} */
  inTurn(action) {
    const next = this.#last.then(action, action);
    this.#last = next.catch(() => null);
    return next;
  }

  /** The seat of the person who has something to do now. */
  get #wanted() {
    const { asked, toMove, people } = this.table;
    const waiting = asked.find((seat) => people.includes(seat) && this.answers[seat] === undefined);
    return waiting ?? (toMove !== null && people.includes(toMove) ? toMove : null);
  }

  state() {
    const wanted = this.#wanted;
    const hand = wanted !== null && wanted !== this.viewer ? wanted : null;
    return { ...this.table.state(this.viewer, this.answers), hand_over: hand };
  }

  /** Write entries, show them, and let the bots continue. @param {...object} entries */
  async write(...entries) {
    const first = this.table.seq;
    for (const entry of entries) {
      this.table.apply(/** @type {LocalEntry} */ ({ seq: this.table.seq + 1, at: Date.now() / 1000, ...entry }));
    }
    this.answers = {};
    await this.#keep();
    this.#show(first);
    this.proceed();
  }

  async #keep() {
    const { setup, entries, over } = this.table;
    await keep({ table: this.name, setup, entries, at: Date.now(), over });
  }

  /** @param {number} first the number of entries that were known */
  #show(first) {
    const { viewer } = this;
    const events = this.since(first, viewer);
    // The next person must not see this one's cards.
    const wanted = this.#wanted;
    if (this.table.people.length > 1 && wanted !== null && wanted !== viewer) this.viewer = null;
    postMessage({ table: this.name, news: { events, state: this.state() } });
  }

  /** @param {number} first @param {number | null} viewer */
  since(first, viewer) {
    return this.table.entries.slice(first).map((_, place) => this.table.entry(first + place, viewer));
  }

  /** Let bots move or answer. */
  async proceed() {
    const { table } = this;
    const { changed, asked, toMove } = table;
    const begun = Date.now();
    if (asked.length) {
      const bots = asked.filter((seat) => table.botAt(seat) !== null);
      const answered = bots.map(async (seat) => [seat, table.write(await think(table, seat, table.botAt(seat) ?? ""))]);
      const found = Object.fromEntries(await Promise.all(answered));
      await this.inTurn(async () => {
        if (table.changed === changed) Object.assign(this.answers, found);
        await this.close(changed);
      });
      return;
    }
    const bot = toMove === null ? null : table.botAt(toMove);
    if (bot === null) this.#hurried = false;
    if (toMove === null || bot === null) return;
    const move = table.write(await think(table, toMove, bot));
    const left = table.setup.pace * 1000 - (Date.now() - begun);
    if (!this.#hurried && left > 0) await Promise.race([pause(left), new Promise((resolve) => (this.#skip = () => resolve(null)))]);
    await this.inTurn(async () => {
      // A move may have been taken back in the meantime.
      if (table.changed === changed) await this.write({ kind: "moved", seat: toMove, move, by: "bot" });
    });
  }

  /** Let bots move right away until a person is to move. */
  hurry() {
    this.#hurried = true;
    this.#skip();
  }

  /** How long bots take for a move from now on, in seconds. @param {number} seconds */
  async setPace(seconds) {
    this.table.setup.pace = seconds;
    await this.#keep();
  }

  /** Close a window in which everyone has answered. @param {number} changed */
  async close(changed) {
    const { table, answers } = this;
    if (table.changed !== changed || !table.asked.length) return;
    if (table.asked.every((seat) => answers[seat] !== undefined)) await this.write({ kind: "closed", answers });
  }
}

/** @type {Map<string, Promise<TableActor | null>>} */
const actors = new Map();

/** @param {string} name @returns {Promise<TableActor | null>} */
function actorOf(name) {
  const found = actors.get(name) ?? restore(name);
  actors.set(name, found);
  return found;
}

/** @param {string} name */
async function restore(name) {
  const kept = await find(name);
  if (kept === null) return null;
  const table = new LocalTable(await partsOf(kept.setup.game), kept.setup);
  for (const entry of kept.entries) table.apply(entry);
  const actor = new TableActor(table);
  actor.proceed();
  return actor;
}

// New tables. As at a server, the worker commits to a secret before the page adds its share to the shuffle
// (docs/fairness.md).

/** The secrets of tables that have been prepared, by their names. @type {Map<string, string>} */
const secrets = new Map();

/** @param {string} game */
async function prepare(game) {
  const { Fairness } = await partsOf(game);
  const table = randomHex(8);
  const secret = randomHex(32);
  secrets.set(table, secret);
  return { table, commitment: hexOf(new Fairness(bytesOf(secret), []).commitment) };
}

/** @param {{table: string, plan: Plan, share: string}} fields @returns {Promise<string>} the name of the new table */
async function create({ table, plan, share }) {
  const { Fairness } = await partsOf(plan.game);
  const secret = secrets.get(table) ?? randomHex(32);
  secrets.delete(table);
  // One person has the device in hand while the cards are dealt.
  const first = plan.seats.findIndex((seat) => seat.bot === null);
  const shares = plan.seats.map((_, place) => (place === first ? share : null));
  const { seed } = new Fairness(bytesOf(secret), shares.map((one) => one && bytesOf(one)));
  return start({ ...plan, table, seed: hexOf(seed), fairness: { secret, shares } });
}

/** Continue a game that is over from one of its moves. @param {any} fields @returns {Promise<string>} the name of the new table */
async function branch({ record, moves, seats, pace }) {
  return start({ ...(await continuing(record, moves, seats, pace)), table: randomHex(8) });
}

/** @param {Setup} setup */
async function start(setup) {
  const table = new LocalTable(await partsOf(setup.game), setup);
  const actor = new TableActor(table);
  actors.set(setup.table, Promise.resolve(actor));
  await actor.inTurn(() => actor.write({ kind: "started" }));
  return setup.table;
}

// Commands, which return an Answer of js/house/messages.js.

/** @param {TableActor} actor @param {string} code @param {object} [parameters] @param {string | null} [clause] */
const refused = ({ table }, code, parameters = {}, clause = null) => ({ type: "refused", status: 422, seq: table.seq, code, parameters, clause });

/** @param {TableActor} actor @param {number} base @param {"done" | "stale"} type */
const answered = (actor, base, type = "done") => ({
  type,
  status: type === "done" ? 200 : 409,
  seq: actor.table.seq,
  news: actor.since(base, actor.viewer),
  state: actor.state(),
});

/** @type {Record<string, (actor: TableActor, seat: number, fields: any) => Promise<object>>} */
const COMMANDS = {
  async play(actor, seat, { move, base }) {
    const { table } = actor;
    if (table.asked.length) return refused(actor, "table.window_open");
    if (table.toMove !== seat) return refused(actor, "table.not_your_turn", { name: table.names[(table.toMove ?? 1) - 1] }, table.parts.GAME.turn_clause);
    await actor.write({ kind: "moved", seat, move: table.check(seat, move), by: "person" });
    return answered(actor, base);
  },
  async react(actor, seat, { move, base }) {
    const { table } = actor;
    if (!table.asked.includes(seat)) return refused(actor, "table.not_asked");
    const { changed } = table;
    const written = table.check(seat, move);
    actor.answers[seat] = written;
    await actor.close(changed);
    if (table.changed !== changed) return answered(actor, base);
    return { type: "kept", status: 200, seq: table.seq, move: written };
  },
  async undo(actor, seat, { base }) {
    const { table } = actor;
    if (table.asked.length) return refused(actor, "table.window_open");
    const moves = table.movesSince(seat);
    if (moves === 0) return refused(actor, "table.nothing_to_undo");
    // Everyone who could object sits at this device.
    await actor.write({ kind: "undo_asked", seat }, { kind: "undone", seat, moves });
    return answered(actor, base);
  },
  async hurry(actor) {
    actor.hurry();
    return answered(actor, actor.table.seq);
  },
  async pace(actor, _seat, { pace }) {
    await actor.setPace(pace);
    return answered(actor, actor.table.seq);
  },
  async resign(actor, seat) {
    const { table } = actor;
    const base = table.seq;
    const people = table.people.filter((other) => other !== seat);
    const others = table.names.map((_, place) => place + 1).filter((other) => other !== seat && !table.resigned.has(other));
    const ended = { kind: "ended", reason: "resigned", winners: others };
    await actor.write({ kind: "resigned", seat }, ...(people.length === 0 || others.length === 1 ? [ended] : []));
    return answered(actor, base);
  },
  async end(actor) {
    const base = actor.table.seq;
    await actor.write({ kind: "ended", reason: "agreed", winners: [] });
    return answered(actor, base);
  },
};

/** @param {TableActor} actor @param {string} command @param {any} fields */
async function command(actor, command, fields) {
  const { viewer, table } = actor;
  if (viewer === null) return refused(actor, "table.not_seated");
  if (table.over) return refused(actor, "table.is_over");
  if (fields.base !== undefined && fields.base < table.changed) return answered(actor, fields.base, "stale");
  try {
    return (await COMMANDS[command]?.(actor, viewer, fields)) ?? { type: "problem", status: 404 };
  } catch (error) {
    const { refusal } = /** @type {any} */ (error);
    if (refusal) return refused(actor, refusal.code, { ...refusal.parameters }, refusal.clause || null);
    // Not a move at all, which the page never sends.
    return { type: "problem", status: 400 };
  }
}

/** @param {TableActor} actor */
async function hint(actor) {
  const { table, viewer } = actor;
  if (viewer === null || table.over) return refused(actor, "table.not_seated");
  if (table.toMove !== viewer && !table.asked.includes(viewer)) return refused(actor, "table.not_your_turn", { name: table.names[(table.toMove ?? 1) - 1] });
  const { seq } = table;
  const move = await think(table, viewer, HINT_BOT);
  if (table.seq !== seq) return answered(actor, seq, "stale");
  return { type: "done", status: 200, body: { seq, move: table.write(move), why: table.why(viewer, move) } };
}

/** The requests of pages. @type {Record<string, (actor: TableActor, fields: any) => Promise<unknown>>} */
const REQUESTS = {
  load: async (actor) => ({ ...actor.table.facts(), ...actor.state() }),
  send: (actor, { command: name, fields }) => actor.inTurn(() => command(actor, name, fields)),
  hint,
  since: async (actor, { since }) => ({ events: actor.since(since, actor.viewer), state: actor.state() }),
  history: async (actor) => ({ news: actor.since(0, actor.viewer), state: actor.state() }),
  /** Another player holds the device now. */
  take: (actor, { seat }) =>
    actor.inTurn(async () => {
      if (actor.table.people.includes(seat)) actor.viewer = seat;
      postMessage({ table: actor.name, news: { events: [], state: actor.state() } });
    }),
  continuation: async (actor) => ({ continues: actor.table.continuation }),
  record: async (actor) => (actor.table.over ? actor.table.record() : null),
};

/**
 * Choose a move at a table of a server, from what the server tells the seat.
 * @param {{game: string, view: number[], moves: number[], seat: number, names: string[]}} turn
 */
async function advise({ game, view, moves, seat, names }) {
  const parts = await partsOf(game);
  const seen = new parts.GAME.View();
  seen.numbers.set(view);
  const move = await choose(game, Int32Array.from(view), moves, HINT_BOT);
  return { move: parts.GAME.write_move(seen, move), why: whyOf(parts, seen, seat, move, names) };
}

/** What pages ask without a table. @type {Record<string, (fields: any) => Promise<unknown>>} */
const ACTIONS = {
  prepare: ({ game }) => prepare(game),
  create,
  branch,
  list: async () => (await all()).map(({ table, setup, at, over }) => ({ table, game: setup.game, names: setup.seats.map((seat) => seat.name), at, over })),
  forget: ({ table }) => {
    actors.delete(table);
    return forget(table);
  },
  steps: ({ record, seat }) => stepsOf(record, seat),
  advise,
  isRight: ({ record }) => isRight(record),
};

/** @param {any} request @returns {Promise<unknown>} */
async function handle({ action, ...fields }) {
  if (action in ACTIONS) return ACTIONS[action](fields);
  const { table } = fields;
  const actor = await actorOf(table);
  return actor === null ? null : REQUESTS[action](actor, fields);
}

addEventListener("message", async ({ data }) => {
  const { id, ...request } = data;
  try {
    postMessage({ id, result: await handle(request) });
  } catch (error) {
    const { message, status } = /** @type {{message: string, status?: number}} */ (error);
    // A record that is wrong is not our mistake.
    if (status === undefined) console.error(error);
    postMessage({ id, failed: String(message ?? error), status });
  }
});
