/** Texts from outside as errors show them, and copies of structs, which Python's library provides there. */

import { repr } from "./python.js";

const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb]/g;

/** @param {string} letter */
function escaped(letter) {
  const code = letter.charCodeAt(0);
  const known = { 9: "\\t", 10: "\\n", 13: "\\r" }[code];
  if (known !== undefined) return known;
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/**
 * Return text that is safe to show on one line, cut after `limit` characters.
 * @param {string} text
 * @param {number | null} limit
 * @returns {string}
 */
export function printable(text, limit = null) {
  const letters = Array.from(text);
  const cut = limit !== null && letters.length > limit ? `${letters.slice(0, limit).join("")}...` : text;
  return cut.replace(UNPRINTABLE, escaped);
}

/**
 * Return a value as an error shows it: escaped, and cut after `limit` characters.
 * @param {any} value
 * @param {number} limit
 * @returns {string}
 */
export function quoted(value, limit = 40) {
  if (typeof value !== "string") return printable(repr(value), limit);
  const letters = Array.from(value);
  return letters.length <= limit ? repr(value) : `${repr(letters.slice(0, limit).join(""))}...`;
}

/** An independent copy of a struct. @param {any} struct @returns {any} */
export function copy(struct) {
  return struct.copy();
}
