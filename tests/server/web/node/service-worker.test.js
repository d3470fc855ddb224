// The service worker shows the messages that the server sends, and opens their tables.
// @ts-check
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const SCOPE = "https://cards.example/games/";
const TABLE = `${SCOPE}t/abc`;
const MESSAGE = { title: "Lines", body: "Du bist dran", language: "de", table: "abc", url: "t/abc" };

/** The notifications that are shown. @type {any[]} */
let shown = [];
/** What was done with pages. @type {string[]} */
let done = [];
/** @type {{url: string, visibilityState: string}[]} */
let pages = [];
/** @type {Record<string, (event: any) => void>} */
const listeners = {};

const registration = {
  scope: SCOPE,
  showNotification: async (/** @type {string} */ title, /** @type {object} */ about) => {
    const one = { title, ...about, close: () => (shown = shown.filter((other) => other !== one)) };
    shown.push(one);
  },
  getNotifications: async (/** @type {{tag: string}} */ { tag }) => shown.filter((one) => one.tag === tag),
};
const clients = {
  matchAll: async () => pages.map((page) => ({ ...page, focus: async () => done.push(`focus ${page.url}`) })),
  openWindow: async (/** @type {string} */ url) => done.push(`open ${url}`),
};
const listen = (/** @type {string} */ kind, /** @type {(event: any) => void} */ listener) => (listeners[kind] = listener);
const self = { registration, clients, addEventListener: listen };
const PRECACHE = { version: "1", page: "play", files: ["static/icons/upcard-192.png?v=7"] };
Object.assign(globalThis, { self, PRECACHE });
await import("../static/service-worker.js");

/** @param {string} kind @param {object} about */
async function happen(kind, about) {
  /** @type {Promise<unknown>[]} */
  const work = [];
  listeners[kind]({ ...about, waitUntil: (/** @type {Promise<unknown>} */ promise) => work.push(promise) });
  await Promise.all(work);
}

/** @param {object | null} message */
const push = (message) => happen("push", { data: message && { json: () => message } });

beforeEach(() => {
  shown = [];
  done = [];
  pages = [];
});

test("a message is shown in the language of its reader, and a later one about the same table replaces it", async () => {
  await push(MESSAGE);
  const [{ title, body, lang, tag, icon, data }] = shown;
  assert.deepEqual(
    { title, body, lang, tag, icon, data },
    {
      title: "Lines",
      body: "Du bist dran",
      lang: "de",
      tag: "abc",
      icon: `${SCOPE}static/icons/upcard-192.png?v=7`,
      data: { url: TABLE },
    },
  );
});

test("a message without contents shows nothing", async () => {
  await push(null);
  assert.deepEqual(shown, []);
});

test("someone who looks at the table sees no notification, and someone who does not sees one", async () => {
  pages = [{ url: `${TABLE}#top`, visibilityState: "visible" }];
  await push(MESSAGE);
  assert.equal(shown.length, 0);
  pages = [
    { url: TABLE, visibilityState: "hidden" },
    { url: `${TABLE}d`, visibilityState: "visible" },
  ];
  await push(MESSAGE);
  assert.equal(shown.length, 1);
});

test("a tap opens the table, or the page that shows it already", async () => {
  await push(MESSAGE);
  await happen("notificationclick", { notification: shown[0] });
  assert.deepEqual(done, [`open ${TABLE}`]);
  assert.deepEqual(shown, []);
  pages = [
    { url: SCOPE, visibilityState: "visible" },
    { url: TABLE, visibilityState: "hidden" },
  ];
  await push(MESSAGE);
  await happen("notificationclick", { notification: shown[0] });
  assert.deepEqual(done, [`open ${TABLE}`, `focus ${TABLE}`]);
});
