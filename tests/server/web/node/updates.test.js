// New versions are offered, and used when a person wants it.
// @ts-check
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** The service workers of the browser. */
const container = Object.assign(new EventTarget(), {
  /** @type {object | null} */
  controller: null,
  register: async (/** @type {string} */ file) => {
    registered.push(file);
    return registration;
  },
});
/** @type {string[]} */
const registered = [];
let reloads = 0;
/** @type {any} */
let registration;

class Version extends EventTarget {
  /** @type {string[]} */
  told = [];
  /** @param {string} message */
  postMessage(message) {
    this.told.push(message);
  }
}

Object.defineProperty(globalThis, "navigator", { value: { serviceWorker: container } });
Object.assign(globalThis, {
  document: { readyState: "complete", documentElement: { dataset: { serviceWorker: "service-worker.js" } } },
  location: { reload: () => void (reloads += 1) },
});

let visits = 0;

/** Visit a page. @param {Partial<{installing: Version, waiting: Version}>} found */
async function visit(found = {}) {
  registration = Object.assign(new EventTarget(), { installing: null, waiting: null, ...found });
  const { updates } = await import(`../static/js/house/updates.js?visit=${(visits += 1)}`);
  await new Promise((resolve) => setImmediate(resolve));
  return updates;
}

/** A version has been loaded, and waits. @param {Version} version */
function install(version) {
  Object.assign(registration, { installing: null, waiting: version });
  version.dispatchEvent(new Event("statechange"));
}

beforeEach(() => {
  reloads = 0;
  container.controller = {};
});

test("a new version is offered when it is there, and nothing happens before a person wants it", async () => {
  const updates = await visit();
  assert.equal(registered.at(-1), "service-worker.js");
  let changes = 0;
  updates.addEventListener("change", () => void (changes += 1));
  const next = new Version();
  registration.installing = next;
  registration.dispatchEvent(new Event("updatefound"));
  assert.equal(updates.waiting, null);
  install(next);
  assert.equal(updates.waiting, next);
  assert.equal(changes, 1);
  assert.deepEqual([next.told, reloads], [[], 0]);
  updates.use();
  assert.deepEqual([next.told, reloads], [["use this version"], 0]);
  // Only when the new version is in use.
  container.dispatchEvent(new Event("controllerchange"));
  assert.equal(reloads, 1);
});

test("a version that another tab has found is offered here too", async () => {
  const waiting = new Version();
  assert.equal((await visit({ waiting })).waiting, waiting);
  const installing = new Version();
  const updates = await visit({ installing });
  assert.equal(updates.waiting, null);
  install(installing);
  assert.equal(updates.waiting, installing);
});

test("when another tab uses the new version, this page stays as it is", async () => {
  await visit({ waiting: new Version() });
  container.dispatchEvent(new Event("controllerchange"));
  assert.equal(reloads, 0);
});

test("the first version is not offered as a new one", async () => {
  container.controller = null;
  const first = new Version();
  const updates = await visit({ installing: first });
  install(first);
  assert.equal(updates.waiting, null);
});
