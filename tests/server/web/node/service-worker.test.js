// The service worker shows the messages that the server sends, and opens their tables. It loads new versions, and waits.
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
  claim: async () => done.push("claim"),
};
/** The caches, and the addresses in each. @type {Map<string, string[]>} */
const kept = new Map();
const caches = {
  keys: async () => [...kept.keys()],
  delete: async (/** @type {string} */ name) => kept.delete(name),
  open: async (/** @type {string} */ name) => {
    const files = /** @type {string[]} */ ([]);
    kept.set(name, files);
    return {
      add: async (/** @type {Request} */ request) => files.push(request.url),
      addAll: async (/** @type {string[]} */ urls) => files.push(...urls),
    };
  },
};
const listen = (/** @type {string} */ kind, /** @type {(event: any) => void} */ listener) => (listeners[kind] = listener);
const skipWaiting = () => done.push("skip waiting");
const self = { registration, clients, skipWaiting, addEventListener: listen };
const PRECACHE = { version: "1", page: "play", files: ["static/icons/upcard-192.png?v=7"] };
Object.assign(globalThis, { self, caches, PRECACHE });
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
  kept.clear();
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

test("a new version is loaded beside the old one, and waits until a person wants it", async () => {
  await happen("install", {});
  assert.deepEqual([...kept.keys()], [`upcard ${SCOPE} 1`]);
  assert.deepEqual(kept.get(`upcard ${SCOPE} 1`), [`${SCOPE}play`, `${SCOPE}static/icons/upcard-192.png?v=7`]);
  await happen("message", { data: "something else" });
  assert.deepEqual(done, []);
  await happen("message", { data: "use this version" });
  assert.deepEqual(done, ["skip waiting"]);
});

test("a version in use keeps the files of the one before it, for games that continue with them", async () => {
  const other = "upcard https://cards.example/other/ 7";
  for (const name of [`upcard ${SCOPE} -1`, other, `upcard ${SCOPE} 0`, `upcard ${SCOPE} 1`]) kept.set(name, []);
  await happen("activate", {});
  assert.deepEqual([...kept.keys()], [other, `upcard ${SCOPE} 0`, `upcard ${SCOPE} 1`]);
  assert.deepEqual(done, ["claim"]);
});
