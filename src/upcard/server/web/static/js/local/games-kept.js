// The games of this device, saved in its database. If that is not available (a private window, a full disk), games can
// still be played, but are lost with the page.
// @ts-check

/** @typedef {import("./messages.js").KeptTable} KeptTable */

const DATABASE = "upcard";
const STORE = "tables";

/** @type {Map<string, KeptTable>} */
const memory = new Map();

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @type {Promise<IDBDatabase | null> | null} */
let opening = null;

/** @returns {Promise<IDBDatabase | null>} */
async function open() {
  try {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "table" });
    return await done(request);
  } catch {
    return null;
  }
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} request
 * @param {() => T} otherwise
 * @returns {Promise<T>}
 */
async function ask(mode, request, otherwise) {
  const database = await (opening ??= open());
  if (database === null) return otherwise();
  try {
    // On disk before anyone sees it, as on a server.
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    const complete = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await done(request(transaction.objectStore(STORE)));
    await complete;
    return result;
  } catch {
    return otherwise();
  }
}

/** @param {KeptTable} table */
export async function keep(table) {
  memory.set(table.table, table);
  await ask("readwrite", (store) => store.put(table), () => table.table);
}

/** @param {string} table @returns {Promise<KeptTable | null>} */
export async function find(table) {
  const found = await ask("readonly", (store) => store.get(table), () => memory.get(table));
  return found ?? memory.get(table) ?? null;
}

/** @returns {Promise<KeptTable[]>} the last one first */
export async function all() {
  const kept = await ask("readonly", (store) => store.getAll(), () => [...memory.values()]);
  return kept.sort((/** @type {KeptTable} */ one, /** @type {KeptTable} */ other) => other.at - one.at);
}

/** @param {string} table */
export async function forget(table) {
  memory.delete(table);
  await ask("readwrite", (store) => store.delete(table), () => undefined);
}
