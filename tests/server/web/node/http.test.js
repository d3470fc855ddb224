// The HTTP client: what it repeats, and what it does not.
// @ts-check
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Problem, getJson, getWithRetries, send } from "../static/js/house/http.js";

/** The answers that the server has yet to give: a status with a body, or none. @type {([number, object] | null)[]} */
let answers = [];
/** @type {any[]} */
let bodies = [];

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  bodies = [];
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ _address, /** @type {any} */ options) => {
      bodies.push(options?.body && JSON.parse(options.body));
      const answer = answers.shift();
      if (!answer) throw new TypeError("network");
      return { status: answer[0], ok: answer[0] < 400, json: async () => answer[1] };
    }
  );
});
afterEach(() => mock.timers.reset());

/** @template T @param {Promise<T>} waiting @returns {Promise<T>} */
async function withTime(waiting) {
  let done = false;
  const ended = waiting.finally(() => (done = true));
  ended.catch(() => null);
  while (!done) {
    mock.timers.tick(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return ended;
}

test("a command is repeated with the same id until it is answered", async () => {
  answers = [null, [503, {}], [429, {}], [200, { type: "done", seq: 4 }]];
  const answer = await withTime(send("/api/x", { move: "r1" }));
  assert.deepEqual([answer.type, answer.seq], ["done", 4]);
  assert.equal(bodies.length, 4);
  assert.equal(new Set(bodies.map((body) => body.id)).size, 1);
  assert.equal(bodies[3].move, "r1");
});

test("a refusal is an answer", async () => {
  answers = [[422, { type: "refused", code: "lines.no" }]];
  const answer = await withTime(send("/api/x"));
  assert.deepEqual([answer.type, answer.code, bodies.length], ["refused", "lines.no", 1]);
});

test("a refusal that comes with the status 200 is still a refusal, and a problem has its own status", async () => {
  answers = [[200, { type: "refused", code: "lines.no" }], [200, { type: "/problems/not-found", status: 404 }]];
  assert.equal((await withTime(send("/api/x"))).type, "refused");
  const missing = await withTime(send("/api/join"));
  assert.deepEqual([missing.type, missing.status], ["problem", 404]);
  answers = [[200, { type: "/problems/not-found", status: 404 }]];
  await assert.rejects(getJson("/api/tables/x"), { status: 404 });
});

test("an error of the page is not tried again", async () => {
  answers = [[400, { type: "about:blank" }]];
  const answer = await withTime(send("/api/x"));
  assert.deepEqual([answer.type, answer.status, bodies.length], ["problem", 400, 1]);
});

test("after some attempts it gives up and says why", async () => {
  answers = [];
  await assert.rejects(withTime(send("/api/x")), new Problem(0));
  assert.equal(bodies.length, 5);
});

test("what a page needs is fetched again after a temporary problem", async () => {
  answers = [null, [500, {}], [200, { words: {} }]];
  const response = await withTime(getWithRetries("/words/en.json"));
  assert.deepEqual(await response.json(), { words: {} });
  answers = [[404, {}]];
  await assert.rejects(withTime(getWithRetries("/words/xx.json")), { status: 404 });
});

test("an answer that is not understood is a problem with its status", async () => {
  answers = [[404, { type: "about:blank", detail: "there is no such table" }]];
  await assert.rejects(getJson("/api/tables/x"), { status: 404, message: "there is no such table", code: "web.house_problem_missing" });
});
