// The model of a page, action by action.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { INITIAL, Store, codeOf, isYourTurn, reduce, secondsUntil, turnOf, turnsOf } from "../static/js/house/store.js";
import { entryOf, stateOf } from "./tables.js";

const facts = /** @type {any} */ ({ table: "t", game: "lines", options: {} });

/** @param {any} [state] @param {any} [remembered] */
const loaded = (state = stateOf(), remembered = null) => reduce(INITIAL, { type: "loaded", facts, state, remembered });

/** @param {import("../static/js/house/store.js").Model} model @param {...any} actions */
const after = (model, ...actions) => actions.reduce(reduce, model);

/** @param {number} seq @param {object} [changes] */
const news = (seq, changes = {}) => ({
  type: "received",
  message: { events: [entryOf(seq)], state: stateOf({ seq, to_move: 2, ...changes }) },
});

/** Freeze a value and everything in it, so that a reducer that changes its argument throws. @param {any} value */
function freeze(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

test("what has arrived is shown only when it has landed", () => {
  const arrived = after(loaded(), news(6));
  assert.equal(arrived.seq, 6);
  assert.equal(arrived.state?.seq, 5);
  assert.equal(turnOf(arrived), 1);
  assert.deepEqual(arrived.log, []);
  const landed = after(arrived, { type: "landed", entry: entryOf(6) });
  assert.deepEqual(landed.log.map((entry) => entry.seq), [6]);
  assert.equal(landed.state?.seq, 5);
  const settled = after(landed, { type: "settled" });
  assert.equal(settled.state?.seq, 6);
  assert.equal(turnOf(settled), 2);
  assert.deepEqual(settled.queue, []);
});

test("the turn follows the card that landed last", () => {
  const landed = after(loaded(), news(6), { type: "landed", entry: entryOf(6), turn: 2 });
  assert.equal(turnOf(landed), 2);
  assert.equal(isYourTurn(landed), false);
  assert.equal(turnOf(after(landed, { type: "settled" })), 2);
});

test("news that come twice are queued once", () => {
  const twice = after(loaded(), news(6), news(6));
  assert.deepEqual(twice.queue.flatMap(({ events }) => events).map((entry) => entry.seq), [6]);
});

test("news that are older than what is known are left out", () => {
  assert.deepEqual(after(loaded(), news(4)).queue, []);
});

test("a page that was away counts what it missed, once", () => {
  const before = loaded(stateOf({ seq: 8 }), stateOf({ seq: 5 }));
  assert.equal(before.state?.seq, 5);
  const back = after(before, { type: "received", message: { events: [entryOf(6), entryOf(7), entryOf(8, { news: undefined })], state: stateOf({ seq: 8 }) } });
  assert.equal(back.missed, 2);
  assert.equal(after(back, news(9)).missed, 2);
  assert.equal(after(back, { type: "dismissed", what: "missed" }).missed, 0);
  assert.equal(after(back, { type: "sent", command: "hint" }).missed, 2);
  assert.equal(after(back, { type: "sent", command: "play" }).missed, 0);
});

test("a state that another viewer was shown is not resumed", () => {
  assert.equal(loaded(stateOf({ seq: 8 }), stateOf({ seq: 5, you: 2 })).state?.seq, 8);
  assert.equal(loaded(stateOf({ seq: 8 }), stateOf({ seq: 5, phase: "open" })).state?.seq, 8);
});

test("a refusal says why, and goes away with the next command or when the table has changed", () => {
  const answer = { type: "refused", status: 422, code: "lines.no", parameters: { a: 1 }, clause: "L1" };
  const refused = after(loaded(), { type: "sent", command: "play" }, { type: "answered", answer });
  assert.deepEqual(refused.refusal, { code: "lines.no", parameters: { a: 1 }, clause: "L1", seq: 5 });
  assert.equal(refused.busy, null);
  assert.equal(after(refused, { type: "sent", command: "play" }).refusal, null);
  assert.equal(after(refused, news(6), { type: "settled" }).refusal, null);
  assert.notEqual(after(refused, { type: "presence", seat: 2, present: true }).refusal, null);
});

test("a stale command shows what happened, and its notice outlives that", () => {
  const state = stateOf({ seq: 6 });
  const stale = after(loaded(), { type: "answered", answer: { type: "stale", status: 409, state, news: [entryOf(6)] } });
  assert.equal(stale.queue.length, 1);
  const settled = after(stale, { type: "settled" });
  assert.equal(settled.refusal?.code, "web.house_stale");
  assert.equal(after(settled, news(7), { type: "settled" }).refusal, null);
});

test("a command is under way until it is answered or has failed", () => {
  const sent = after(loaded(), { type: "sent", command: "play" });
  assert.equal(sent.busy, "play");
  assert.equal(after(sent, { type: "answered", answer: { type: "done", status: 200 } }).busy, null);
  const failed = after(sent, { type: "failed", code: codeOf(0) });
  assert.equal(failed.busy, null);
  assert.equal(failed.refusal?.code, "web.house_problem_offline");
});

test("a hint is about one position", () => {
  const hint = { seq: 5, move: "r1", why: ["why", {}] };
  const hinted = after(loaded(), { type: "hinted", hint });
  assert.equal(hinted.hint?.move, "r1");
  assert.equal(after(hinted, news(6), { type: "settled" }).hint, null);
  assert.equal(after(hinted, { type: "sent", command: "play" }).hint, null);
  assert.equal(after(loaded(), { type: "hinted", hint: { ...hint, seq: 4 } }).hint, null);
});

test("presence and answers reach the state that is shown and those that wait", () => {
  const window = { opened: 6, closes: 9, asked: [1], answers: ["block"], answered: null };
  const waiting = after(loaded(), news(6, { window }));
  const told = after(waiting, { type: "presence", seat: 2, present: true }, { type: "note", window: 6, answered: "block" });
  assert.deepEqual(told.state?.present, [1, 2]);
  assert.deepEqual(told.queue[0].state.present, [1, 2]);
  assert.equal(told.queue[0].state.window?.answered, "block");
  assert.equal(after(told, { type: "note", window: 5, answered: "allow" }).queue[0].state.window?.answered, "block");
  assert.deepEqual(after(told, { type: "presence", seat: 2, present: false }).state?.present, [1]);
});

test("a reaction appears when it lands and is gone when its time is up", () => {
  const entry = entryOf(6, { kind: "said", seat: 2, phrase: "thanks", news: undefined });
  const said = after(loaded(), { type: "landed", entry });
  assert.deepEqual(said.reactions, [entry]);
  assert.deepEqual(after(said, { type: "expired", entry }).reactions, []);
});

test("the history grows with every card that lands, while someone reads it", () => {
  assert.equal(after(loaded(), { type: "landed", entry: entryOf(6) }).history, null);
  const read = after(loaded(), { type: "history", entries: [entryOf(5)] }, { type: "landed", entry: entryOf(6) });
  assert.deepEqual(read.history?.map((entry) => entry.seq), [5, 6]);
});

test("deadlines are read by the server's clock, as the quickest entry tells it", () => {
  const told = (/** @type {number} */ seq, /** @type {number} */ written, /** @type {number} */ at) => ({
    type: "received",
    message: { events: [entryOf(seq, { at: written })], state: stateOf({ seq }) },
    at,
  });
  const begun = reduce(INITIAL, { type: "loaded", facts, state: stateOf(), remembered: null, clock: 98.5 });
  assert.equal(begun.clock, 98.5);
  // The first message has what was missed, however long ago that was.
  const first = after(begun, told(6, 900, 1000));
  assert.equal(first.clock, 98.5);
  // The server is 100 seconds ahead; entries take 3, 1 and 2 seconds.
  const known = after(first, told(7, 1103, 1006), told(8, 1200, 1101), told(9, 1300, 1202));
  assert.equal(known.clock, 99);
  assert.equal(secondsUntil(known, 1310, 1201), 10);
  assert.equal(secondsUntil(known, 1290, 1201), 0);
});

test("nobody has the turn when the game is over", () => {
  assert.equal(turnOf(loaded(stateOf({ phase: "over", to_move: 1 }))), null);
  assert.equal(isYourTurn(loaded(stateOf({ you: null, to_move: null }))), false);
});

test("the reducer changes nothing that it was given", () => {
  const actions = [
    news(6),
    { type: "landed", entry: entryOf(6, { kind: "said" }), turn: 2 },
    { type: "presence", seat: 2, present: true },
    { type: "note", window: 6, answered: "block" },
    { type: "settled" },
    { type: "sent", command: "play" },
    { type: "answered", answer: { type: "refused", status: 422, code: "no" } },
    { type: "dismissed", what: "refusal" },
    { type: "history", entries: [] },
    { type: "link", link: "open" },
    { type: "missing" },
  ];
  let model = freeze(loaded());
  for (const action of actions) model = freeze(reduce(model, /** @type {any} */ (freeze(action))));
  assert.equal(model.missing, true);
});

test("the history is grouped by turns", () => {
  const entries = [
    entryOf(1, { kind: "started" }),
    entryOf(2, { seat: 1 }),
    entryOf(3, { kind: "said", seat: 2 }),
    entryOf(4, { seat: 1 }),
    entryOf(5, { seat: 2 }),
  ];
  const turns = turnsOf(entries).map(({ seat, entries: all }) => [seat, all.map((entry) => entry.seq)]);
  assert.deepEqual(turns, [[null, [1]], [1, [2, 3, 4]], [2, [5]]]);
});

test("a store tells when its model has changed, and only then", () => {
  const store = new Store();
  let changes = 0;
  store.addEventListener("change", () => (changes += 1));
  store.dispatch({ type: "link", link: "open" });
  assert.equal(changes, 1);
  store.dispatch({ type: "settled" });
  assert.equal(changes, 1);
});
