/** The randomness of the device. */

/** @param {string} _what @param {number} count @returns {Uint8Array} */
export function random_bytes(_what, count) {
  return crypto.getRandomValues(new Uint8Array(count));
}
