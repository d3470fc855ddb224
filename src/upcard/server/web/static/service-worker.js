// The service worker: after one visit, Upcard can be opened and played on this device without a network.
//
// It is one file, served from the root of the site. The server adds the list of cached files before this text, as
// PRECACHE (server/web/offline.py), so it changes with every version, and browsers install it again.
// @ts-check

/**
 * The cached files: the page for tables on this device, and all files that it loads. Addresses are relative to this
 * file.
 * @typedef {{version: string, page: string, files: string[]}} Precache
 */
/** @typedef {Event & {waitUntil: (done: Promise<unknown>) => void}} Lasting */
/** @typedef {Event & {request: Request, respondWith: (response: Promise<Response>) => void}} Fetching */

const worker = /** @type {any} */ (self);
// @ts-ignore
const { version, page, files } = /** @type {Precache} */ (PRECACHE);
const { scope } = worker.registration;
const PAGE = new URL(page, scope);
// Sites in other folders of the same host have caches of their own.
const CACHES = `upcard ${scope} `;
const OWN_CACHE = CACHES + version;

// Notifications
//
// A push message says which table waits for its reader, in their language (server/runtime/push/message.py).

/** @typedef {{title: string, body: string, language: string, table: string, url: string}} PushMessage */

const ICON = files.find((file) => file.includes("/upcard-192.png"));

worker.addEventListener("push", (/** @type {Lasting & {data: {json: () => PushMessage} | null}} */ event) => {
  if (event.data) event.waitUntil(notify(event.data.json()));
});

/** @param {PushMessage} message */
async function notify({ title, body, language, table, url }) {
  const data = { url: new URL(url, scope).href };
  const icon = ICON && new URL(ICON, scope).href;
  await worker.registration.showNotification(title, { body, lang: language, tag: table, icon, data });
  // Every push message has to be shown. But someone who looks at the table knows.
  if ((await pagesAt(data.url)).some((page) => page.visibilityState === "visible")) {
    for (const shown of await worker.registration.getNotifications({ tag: table })) shown.close();
  }
}

worker.addEventListener("notificationclick", (/** @type {Lasting & {notification: any}} */ event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.url));
});

/** @param {string} url */
async function openPage(url) {
  const [page] = await pagesAt(url);
  return page ? page.focus() : worker.clients.openWindow(url);
}

/** The open pages with an address. @param {string} url @returns {Promise<any[]>} */
async function pagesAt(url) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.filter((/** @type {any} */ page) => page.url.split("#")[0] === url);
}

// Precache

worker.addEventListener("install", (/** @type {Lasting} */ event) => event.waitUntil(precache()));

async function precache() {
  const cache = await caches.open(OWN_CACHE);
  // The address of the page has no version. Those of the files have one, so cached copies are valid.
  await cache.add(new Request(PAGE, { cache: "no-cache" }));
  await cache.addAll(files.map((file) => new URL(file, scope).href));
}

// New versions
//
// A new version is installed beside the one in use and waits, until no page of the old one is open or a person chooses
// it (js/house/updates.js). The previous version is kept, so that a running game in another tab can still load the rest
// of its files.

worker.addEventListener("activate", (/** @type {Lasting} */ event) =>
  event.waitUntil(Promise.all([forgetOldVersions(), worker.clients.claim()])),
);

async function forgetOldVersions() {
  const others = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== OWN_CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

worker.addEventListener("message", (/** @type {MessageEvent} */ { data }) => {
  if (data === "use this version") worker.skipWaiting();
});

// Requests
//
// Files with a version in their address, and the page for this device, come from the cache. Other pages come from the
// server; without a network, their counterparts on this device replace them. Nothing else is intercepted: commands,
// streams and states of tables go to the server.

const KEPT = ["static/", "words/", "books/", "positions/", "offers.json"].map((path) => new URL(path, scope).href);

worker.addEventListener("fetch", (/** @type {Fetching} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(navigate(request));
  else if (KEPT.some((path) => request.url.startsWith(path))) event.respondWith(file(request));
});

/** @param {Request} request @returns {Promise<Response>} */
async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** @param {Request} request @returns {Promise<Response>} */
async function navigate(request) {
  const { pathname } = new URL(request.url);
  if (pathname === PAGE.pathname) return (await keptPage()) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    const there = replacement(pathname.slice(new URL(scope).pathname.length));
    if (there !== null) return Response.redirect(new URL(there, PAGE).href);
    const kept = await keptPage();
    if (kept) return kept;
    throw error;
  }
}

/** The page of this version, or of the one before it. */
async function keptPage() {
  return (await caches.match(PAGE, { cacheName: OWN_CACHE, ignoreVary: true })) ?? caches.match(PAGE, { ignoreVary: true });
}

/**
 * The address of the counterpart on this device; null if the page itself reports that the network is missing.
 * @param {string} path
 */
function replacement(path) {
  if (path === "") return "";
  const [, kind, game] = /^(rules|learn)\/([\w-]+)$/.exec(path) ?? [];
  return kind ? `#${kind}-${game}` : null;
}
