// The browser's storage. If it is not available (private windows, full disks), nothing is stored.
// @ts-check

const PREFIX = "upcard.";

/**
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
export function load(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function save(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Then it is lost when the page is closed.
  }
}

/** @param {string} name */
export function remove(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // There was nothing to delete.
  }
}
