// A session between a connection and a page.
// @ts-check
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Problem } from "../static/js/house/http.js";
import { Session } from "../static/js/house/session.js";
import { FakeConnection, entryOf, stateOf } from "./tables.js";

/** Let everything that is ready happen. */
const turnOver = () => new Promise((resolve) => setImmediate(resolve));

/** @param {object} [stage] */
async function begin(stage = {}) {
  const connection = new FakeConnection();
  /** @type {number[]} */
  const flown = [];
  /** @type {(() => void)[]} */
  const landings = [];
  const session = new Session(/** @type {any} */ (connection), {
    show: (entries, land) =>
      new Promise((done) => {
        flown.push(...entries.map((entry) => entry.seq));
        landings.push(() => (entries.forEach(land), done(undefined)));
      }),
    turn: () => undefined,
    visible: () => true,
    settled: () => {},
    ...stage,
  });
  await session.start(async () => null);
  return { connection, session, flown, landings };
}

/** @param {number} seq */
const message = (seq) => ({ events: [entryOf(seq)], state: stateOf({ seq, to_move: 2 }) });

test("cards fly one after another, and the log follows each that lands", async () => {
  const { connection, session, flown, landings } = await begin();
  assert.equal(connection.since, 5);
  connection.emit("news", message(6));
  connection.emit("news", message(7));
  await turnOver();
  assert.deepEqual(flown, [6]);
  assert.deepEqual(session.model.log, []);
  assert.equal(session.model.seq, 7);
  landings[0]();
  await turnOver();
  assert.deepEqual(session.model.log.map((entry) => entry.seq), [6]);
  assert.equal(session.model.state?.seq, 6);
  assert.deepEqual(flown, [6, 7]);
  landings[1]();
  await turnOver();
  assert.equal(session.model.state?.seq, 7);
});

test("nothing flies on a page that nobody sees, nor after a long absence", async () => {
  const hidden = await begin({ visible: () => false });
  hidden.connection.emit("news", message(6));
  await turnOver();
  assert.deepEqual([hidden.flown, hidden.session.model.state?.seq], [[], 6]);
  const { connection, flown, session } = await begin();
  const events = Array.from({ length: 17 }, (_, place) => entryOf(6 + place));
  connection.emit("news", { events, state: stateOf({ seq: 22 }) });
  await turnOver();
  assert.deepEqual([flown, session.model.state?.seq, session.model.log.length], [[], 22, 12]);
});

test("motion that never ends delays the table for some seconds only, and every entry lands once", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { connection, session, landings } = await begin();
    connection.emit("news", message(6));
    await turnOver();
    mock.timers.tick(8000);
    await turnOver();
    assert.equal(session.model.state?.seq, 6);
    landings[0]();
    await turnOver();
    assert.equal(session.model.log.length, 1);
  } finally {
    mock.timers.reset();
  }
});

test("the same command twice is sent once", async () => {
  const { connection, session } = await begin();
  const first = session.play("r1");
  assert.equal(await session.play("r1"), null);
  await first;
  assert.deepEqual(connection.sent, [["play", { base: 5, move: "r1" }]]);
});

test("a command waits for the one under way, and only the last that waits is sent", async () => {
  const { connection, session } = await begin();
  const answers = ["block", "allow", "block", "allow"].map((move) => session.do("react", { base: 5, move }));
  assert.deepEqual(connection.sent.length, 1);
  const sent = (await Promise.all(answers)).map((answer) => answer !== null);
  assert.deepEqual(sent, [true, false, false, true]);
  assert.deepEqual(connection.sent.map(([, fields]) => /** @type {any} */ (fields).move), ["block", "allow"]);
  await session.do("react", { base: 5, move: "block" });
  assert.equal(connection.sent.length, 3);
});

test("after a change of mind and back, what is under way holds", async () => {
  const { connection, session } = await begin();
  const answers = ["block", "allow", "block"].map((move) => session.do("react", { base: 5, move }));
  await Promise.all(answers);
  assert.deepEqual(connection.sent, [["react", { base: 5, move: "block" }]]);
});

test("what waits is also sent after a command that found nobody", async () => {
  const { connection, session } = await begin();
  connection.answers.push(new Problem(0));
  const [lost, next] = await Promise.all([session.play("r1"), session.play("r2")]);
  assert.equal(lost, null);
  assert.equal(next?.type, "done");
});

test("a command that finds nobody says so, and the next one can be sent", async () => {
  const { connection, session } = await begin();
  connection.answers.push(new Problem(0));
  assert.equal(await session.play("r1"), null);
  assert.equal(session.model.refusal?.code, "web.house_problem_offline");
  assert.equal(session.model.busy, null);
});

test("a refusal vanishes after some seconds", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { connection, session } = await begin();
    connection.answers.push({ type: "refused", status: 422, code: "no" });
    await session.play("r1");
    assert.equal(session.model.refusal?.code, "no");
    mock.timers.tick(9000);
    assert.equal(session.model.refusal, null);
  } finally {
    mock.timers.reset();
  }
});

test("a table that does not exist is not asked for again", async () => {
  const connection = new FakeConnection();
  connection.load = async () => {
    throw new Problem(404);
  };
  const session = new Session(/** @type {any} */ (connection), /** @type {any} */ ({}));
  await session.start(async () => null);
  assert.equal(session.model.missing, true);
});

test("the history ends where the cards have landed", async () => {
  const { session } = await begin();
  await session.history();
  assert.deepEqual(session.model.history?.map((entry) => entry.seq), [1]);
});
