// The connection to a server, which breaks in all the ways that networks do.
// @ts-check
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

const page = new EventTarget();
Object.assign(globalThis, {
  document: Object.assign(page, { visibilityState: "visible" }),
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
});
const { RemoteTable } = await import("../static/js/house/connection.js");

const turnOver = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** The requests of the table, and the streams that answer them. @type {{headers: any, push: (text: string) => void, end: () => void}[]} */
let requests = [];
let status = 200;
/** @type {InstanceType<typeof RemoteTable>} */
let table;

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  requests = [];
  status = 200;
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ _address, /** @type {any} */ { headers, signal }) => {
      /** @type {ReadableStreamDefaultController<Uint8Array>} */
      let controller;
      const body = new ReadableStream({ start: (given) => void (controller = given) });
      signal.addEventListener("abort", () => {
        try {
          controller.error(new DOMException("aborted", "AbortError"));
        } catch {
          // It had ended.
        }
      });
      requests.push({
        headers,
        push: (text) => controller.enqueue(new TextEncoder().encode(text)),
        end: () => controller.close(),
      });
      return { status, ok: status === 200, body };
    }
  );
  table = new RemoteTable("t");
});

afterEach(() => {
  table.close();
  mock.timers.reset();
});

const state = (/** @type {number} */ seq) => `event: state\ndata: {"seq":${seq}}\n\n`;
const entry = (/** @type {number} */ seq) => `id: ${seq}\ndata: {"seq":${seq}}\n\n`;

test("entries are told together with the state that follows, however the bytes were cut", async () => {
  /** @type {any[]} */
  const told = [];
  table.addEventListener("news", (event) => told.push(/** @type {CustomEvent} */ (event).detail));
  table.open(3);
  await turnOver();
  for (const letter of entry(4) + entry(5) + state(5)) requests[0].push(letter);
  await turnOver();
  assert.deepEqual(told, [{ events: [{ seq: 4 }, { seq: 5 }], state: { seq: 5 } }]);
  assert.equal(table.link, "open");
});

test("after a break it continues at the last number that it knows", async () => {
  table.open(3);
  await turnOver();
  assert.equal(requests[0].headers["Last-Event-ID"], "3");
  requests[0].push(state(7));
  await turnOver();
  requests[0].end();
  await turnOver();
  assert.equal(table.link, "lost");
  mock.timers.tick(400);
  await turnOver();
  assert.equal(requests[1].headers["Last-Event-ID"], "7");
});

test("entries whose state never came are asked for again, and told once", async () => {
  /** @type {any[]} */
  const told = [];
  table.addEventListener("news", (event) => told.push(.../** @type {CustomEvent} */ (event).detail.events));
  table.open(3);
  await turnOver();
  requests[0].push(entry(4));
  await turnOver();
  requests[0].end();
  await turnOver();
  mock.timers.tick(400);
  await turnOver();
  assert.equal(requests[1].headers["Last-Event-ID"], "3");
  requests[1].push(entry(4) + state(4));
  await turnOver();
  assert.deepEqual(told, [{ seq: 4 }]);
});

test("a connection on which no byte arrives for 40 seconds is dead", async () => {
  table.open(3);
  await turnOver();
  requests[0].push(state(3));
  await turnOver();
  mock.timers.tick(39_000);
  await turnOver();
  assert.equal(requests.length, 1);
  // A comment is a sign of life.
  requests[0].push(":\n\n");
  await turnOver();
  mock.timers.tick(39_000);
  await turnOver();
  assert.equal(requests.length, 1);
  mock.timers.tick(1000);
  await turnOver();
  assert.equal(requests.length, 2);
});

test("a server that accepts and says nothing is given up, too", async () => {
  table.open(3);
  await turnOver();
  mock.timers.tick(40_000);
  await turnOver();
  assert.equal(requests.length, 2);
});

test("pauses between attempts grow, and an answer ends them", async () => {
  status = 503;
  table.open(3);
  await turnOver();
  const waits = [];
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    let waited = 0;
    while (requests.length === attempt) {
      mock.timers.tick(50);
      waited += 50;
      await turnOver();
    }
    waits.push(waited);
  }
  assert.ok(waits[0] <= 350 && waits[5] >= 6000 && waits[5] <= 10_000, `${waits}`);
});

test("a table that is gone is not asked for again", async () => {
  status = 404;
  table.open(3);
  await turnOver();
  assert.equal(table.link, "closed");
  mock.timers.tick(120_000);
  await turnOver();
  assert.equal(requests.length, 1);
});

test("when the network is back it connects without a pause", async () => {
  table.open(3);
  await turnOver();
  page.dispatchEvent(new Event("offline"));
  await turnOver();
  assert.equal(table.link, "lost");
  page.dispatchEvent(new Event("online"));
  await turnOver();
  assert.equal(requests.length, 2);
});
