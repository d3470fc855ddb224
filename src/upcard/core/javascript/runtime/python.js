/** The parts of Python that the words need: equality, truth values, negative indices, and texts. */

import { sha256 as hash } from "./hashes.js";
import { Struct } from "./structs.js";

/** A whole number with a name: equal to the number, written as the number. */
export class IntEnum extends Number {
  /** @param {string} name @param {number} value */
  constructor(name, value) {
    super(value);
    this.name = name;
    this.value = value;
  }

  /** All members, in order. */
  static members() {
    return Object.values(this).filter((one) => one instanceof IntEnum);
  }

  /** The member with a value. @param {any} value @returns {any} */
  static of(value) {
    for (const member of this.members()) if (member.value === Number(value)) return member;
    throw new RangeError(`${value} is not a valid ${this.name}`);
  }
}

/** A set, whose members are equal as Python's are. */
export class Members {
  /** @param {Iterable<any>} items */
  constructor(items = []) {
    /** @type {Map<string, any>} */
    this.map = new Map();
    for (const item of items) this.add(item);
  }

  /** @param {any} item */
  add(item) {
    const key = JSON.stringify(item);
    if (!this.map.has(key)) this.map.set(key, item);
  }

  /** @param {any} item */
  has(item) {
    return this.map.has(JSON.stringify(item));
  }

  get size() {
    return this.map.size;
  }

  [Symbol.iterator]() {
    return this.map.values();
  }
}

/** @param {any} x */
const isPlain = (x) => x !== null && typeof x === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(x));
/** @param {any} x */
const isList = (x) => Array.isArray(x) || ArrayBuffer.isView(x);
/** @param {any} x */
const plain = (x) => (x instanceof Number ? Number(x) : x);

/** `a == b`. @param {any} a @param {any} b @returns {boolean} */
export function eq(a, b) {
  [a, b] = [plain(a), plain(b)];
  if (a === b) return true;
  if (typeof a === "boolean" || typeof b === "boolean") return typeof a !== "string" && typeof b !== "string" && a !== null && b !== null && typeof a !== "object" && typeof b !== "object" && Number(a) === Number(b);
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (isList(a) || isList(b)) return isList(a) && isList(b) && a.length === b.length && Array.from(a).every((one, i) => eq(one, b[i]));
  if (a instanceof Struct || b instanceof Struct) return a instanceof Struct && a.equals(b);
  if (a instanceof Members || b instanceof Members) return a instanceof Members && b instanceof Members && a.size === b.size && [...a].every((one) => b.has(one));
  const keys = Object.keys(a);
  return Object.getPrototypeOf(a) === Object.getPrototypeOf(b) && keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && eq(a[key], b[key]));
}

/** Whether a value counts as true. @param {any} x @returns {boolean} */
export function truth(x) {
  x = plain(x);
  if (x === null || typeof x !== "object") return Boolean(x);
  return !((isList(x) && x.length === 0) || (x instanceof Members && x.size === 0) || (isPlain(x) && Object.keys(x).length === 0));
}

/** The items that a loop goes through. @param {any} x @returns {any[]} */
export function each(x) {
  if (Array.isArray(x)) return x;
  if (typeof x === "function" && x.prototype instanceof IntEnum) return x.members();
  return isPlain(x) ? Object.keys(x) : Array.from(x);
}

/** An index, counted from the end if it is negative. @param {any} x @param {any} i */
function place(x, i) {
  const number = Number(i) < 0 ? x.length + Number(i) : Number(i);
  if (!(number >= 0 && number < x.length)) throw new RangeError("list index out of range");
  return number;
}

/** `x[i]`. @param {any} x @param {any} i @returns {any} */
export function at(x, i) {
  if (typeof x === "string" || isList(x)) return x[place(x, i)];
  if (!Object.hasOwn(x, i)) throw new RangeError(`there is no ${i}`);
  return x[i];
}

/** `x[i] = value`. @param {any} x @param {any} i @param {any} value */
export function put(x, i, value) {
  x[isList(x) ? place(x, i) : i] = value;
}

/** `x[begin:end:step]`. @param {any} x @param {number | null} begin @param {number | null} end @param {number | null} step @returns {any} */
export function slice(x, begin, end, step = null) {
  const items = typeof x === "string" ? Array.from(x) : Array.from(x);
  const by = step ?? 1;
  const edge = (/** @type {number | null} */ n, /** @type {number} */ other) =>
    n === null ? other : Math.max(by < 0 ? -1 : 0, Math.min(n < 0 ? n + items.length : n, by < 0 ? items.length - 1 : items.length));
  const [first, last] = by < 0 ? [edge(begin, items.length - 1), end === null ? -1 : edge(end, -1)] : [edge(begin, 0), edge(end, items.length)];
  const found = [];
  for (let i = first; by < 0 ? i > last : i < last; i += by) found.push(items[i]);
  return typeof x === "string" ? found.join("") : found;
}

/** `item in x`. @param {any} x @param {any} item @returns {boolean} */
export function has(x, item) {
  if (typeof x === "string") return x.includes(item);
  if (x instanceof Members) return x.has(plain(item));
  return isPlain(x) ? Object.hasOwn(x, item) : each(x).some((one) => eq(one, item));
}

/** `a + b`. @param {any} a @param {any} b @returns {any} */
export function add(a, b) {
  return isList(a) ? [...a, ...b] : typeof a === "string" ? a + b : Number(a) + Number(b);
}

/** `a * b`. @param {any} a @param {any} b @returns {any} */
export function times(a, b) {
  if (isList(a)) return Array.from({ length: Math.max(0, b) }, () => Array.from(a)).flat();
  return typeof a === "string" ? a.repeat(Math.max(0, b)) : a * b;
}

/** `a | b`. @param {any} a @param {any} b @returns {any} */
export function or(a, b) {
  if (a instanceof Members) return new Members([...a, ...b]);
  return isPlain(a) ? { ...a, ...b } : a | b;
}

/** @param {any} a @param {any} b @returns {any} */
export function and(a, b) {
  return a instanceof Members ? new Members([...a].filter((one) => b.has(one))) : a & b;
}

/** @param {any} a @param {any} b @returns {any} */
export function minus(a, b) {
  return a instanceof Members ? new Members([...a].filter((one) => !b.has(one))) : a - b;
}

/** @param {number} a @param {number} b */
export function modulo(a, b) {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

// Functions

/** @param {any} x @returns {number} */
export function len(x) {
  if (typeof x === "string") return Array.from(x).length;
  return isList(x) ? x.length : x instanceof Members ? x.size : Object.keys(x).length;
}

/** @param {...number} bounds */
export function range(...bounds) {
  const [begin, end, step] = bounds.length === 1 ? [0, bounds[0], 1] : [bounds[0], bounds[1], bounds[2] ?? 1];
  const numbers = [];
  for (let i = Number(begin); step > 0 ? i < end : i > end; i += step) numbers.push(i);
  return numbers;
}

/** The order of two values: by number, by text, or by their first difference. @param {any} a @param {any} b @returns {number} */
export function compare(a, b) {
  if (isList(a)) {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (!eq(a[i], b[i])) return compare(a[i], b[i]);
    return a.length - b.length;
  }
  if (typeof a !== "string") return a - b;
  const [one, other] = [Array.from(a, (letter) => letter.codePointAt(0)), Array.from(b, (letter) => /** @type {string} */ (letter).codePointAt(0))];
  return a === b ? 0 : compare(one, other);
}

/** @param {any} x @param {((x: any) => any) | null} key @param {boolean} reverse */
export function sorted(x, key = null, reverse = false) {
  const of = key ?? ((/** @type {any} */ one) => one);
  return Array.from(each(x)).sort((a, b) => (reverse ? compare(of(b), of(a)) : compare(of(a), of(b))));
}

/** @param {any} x @param {((x: any) => any) | null} key @param {number} sign @param {any} otherwise */
function extreme(x, key, sign, otherwise) {
  const of = key ?? ((/** @type {any} */ one) => one);
  const items = each(x);
  if (items.length === 0 && otherwise !== undefined) return otherwise;
  return items.reduce((best, one) => (sign * compare(of(one), of(best)) > 0 ? one : best));
}

/** @param {any} x @param {any} key @param {any} otherwise */
export const min = (x, key = null, otherwise = undefined) => extreme(x, key, -1, otherwise);
/** @param {any} x @param {any} key @param {any} otherwise */
export const max = (x, key = null, otherwise = undefined) => extreme(x, key, 1, otherwise);
/** @param {any} x @param {number} start @returns {number} */
export const sum = (x, start = 0) => each(x).reduce((total, one) => total + Number(one), start);
/** @param {any} x @returns {boolean} */
export const any = (x) => each(x).some(truth);
/** @param {any} x @returns {boolean} */
export const all = (x) => each(x).every(truth);
/** @param {any} x @param {number} start @returns {[number, any][]} */
export const enumerate = (x, start = 0) => each(x).map((one, i) => [i + start, one]);
/** @param {...any} xs @returns {any[][]} */
export function zip(...xs) {
  const lists = xs.map(each);
  return Array.from({ length: Math.min(...lists.map((one) => one.length)) }, (_, i) => lists.map((one) => one[i]));
}
/** @param {any} x */
export const reversed = (x) => Array.from(each(x)).reverse();
/** @param {any} x */
export const list = (x = []) => Array.from(each(x));
/** @param {any} x @returns {any} */
export const dict = (x = {}) => (isPlain(x) ? { ...x } : Object.fromEntries(x));
/** @param {any} x */
export const iter = (x) => each(x)[Symbol.iterator]();

/** @param {Iterator<any>} x @param {any} otherwise */
export function next(x, otherwise = undefined) {
  const { done, value } = x.next();
  if (!done) return value;
  if (otherwise === undefined) throw new RangeError("there is no next one");
  return otherwise;
}

/** @param {any} x @returns {number} */
export function int(x) {
  if (typeof x === "string" && !/^\s*[+-]?\d+(_\d+)*\s*$/.test(x)) throw new TypeError(`not a whole number: ${repr(x)}`);
  return Math.trunc(Number(x));
}

/** The type of a value. @param {any} x @returns {any} */
export function type(x) {
  return ["bool", "int", "float", "str", "list", "dict"].find((kind) => isinstance(x, kind)) ?? (x === null ? null : x.constructor);
}

/** @param {any} x @param {any} kind @returns {boolean} */
export function isinstance(x, kind) {
  if (Array.isArray(kind)) return kind.some((one) => isinstance(x, one));
  if (kind === "int") return typeof x === "boolean" || Number.isInteger(plain(x));
  if (kind === "float") return typeof x === "number" && !Number.isInteger(x);
  if (kind === "bool") return typeof x === "boolean";
  if (kind === "bytes") return x instanceof Uint8Array;
  if (kind === "str") return typeof x === "string";
  if (kind === "list") return isList(x);
  if (kind === "dict") return isPlain(x);
  return x instanceof kind;
}

/** A copy with other values in some fields. @param {any} x @param {any} changes @returns {any} */
export function replace(x, changes) {
  const twin = Object.create(Object.getPrototypeOf(x));
  for (const name of Object.keys(x)) if (!name.startsWith("cached_")) twin[name] = x[name];
  return Object.assign(twin, changes);
}

/** A shallow copy. @param {any} x @returns {any} */
export const copied = (x) => replace(x, {});
/** The fields of an object. @param {any} x @returns {any} */
export const asdict = (x) => ({ ...x });
/** @param {(...x: any[]) => any} f @param {...any} xs @returns {any[]} */
export const map = (f, ...xs) => zip(...xs).map((one) => f(...one));

/** @param {any} x @returns {number} */
export function index(x) {
  if (typeof x !== "boolean" && !Number.isInteger(plain(x))) throw new TypeError(`${repr(x)} is not a whole number`);
  return Number(x);
}

/** Seconds since an arbitrary moment. */
export const perf_counter = () => performance.now() / 1000;

// Bytes

/** @param {Iterable<number> | number} x @returns {Uint8Array} */
export const bytes = (x) => (typeof x === "number" ? new Uint8Array(x) : Uint8Array.from(x));
/** @param {string} x @returns {Uint8Array} */
export function fromhex(x) {
  const digits = x.replaceAll(" ", "");
  if (!/^([0-9a-f]{2})*$/i.test(digits)) throw new Error("these are not hexadecimal digits");
  return Uint8Array.from(digits.match(/../g) ?? [], (two) => parseInt(two, 16));
}

/** A hash that grows. @param {Iterable<number>} x */
export function sha256(x = []) {
  let all = Array.from(x);
  return {
    /** @param {Iterable<number>} more */
    update(more) { all = [...all, ...more]; },
    digest: () => hash(Uint8Array.from(all)),
  };
}

/** JSON as Python writes it, so that records are the same byte for byte. @param {any} x @returns {string} */
export function dumps(x) {
  if (Array.isArray(x)) return `[${x.map(dumps).join(", ")}]`;
  if (isPlain(x)) return `{${Object.keys(x).map((key) => `${JSON.stringify(key)}: ${dumps(x[key])}`).join(", ")}}`;
  return JSON.stringify(plain(x));
}

/** A property that is computed once. @template T @param {any} owner @param {string} name @param {() => T} compute @returns {T} */
export function cached(owner, name, compute) {
  if (!Object.hasOwn(owner, name)) Object.defineProperty(owner, name, { value: compute(), enumerable: false });
  return owner[name];
}

/** @param {boolean} condition @param {any} what */
export function assert(condition, what = "") {
  if (!condition) throw new Error(String(what));
}

// Texts

const ESCAPES = new Map([["\\", "\\\\"], ["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]]);
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Zs}]/u;

/** @param {string} letter */
function escaped(letter) {
  const code = /** @type {number} */ (letter.codePointAt(0));
  const found = ESCAPES.get(letter);
  if (found !== undefined) return found;
  if (letter === " " || !UNPRINTABLE.test(letter)) return letter;
  const digits = code.toString(16);
  return code < 256 ? `\\x${digits.padStart(2, "0")}` : code < 65536 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/** How Python writes a value. @param {any} x @returns {string} */
export function repr(x) {
  if (typeof x === "string") {
    const mark = x.includes("'") && !x.includes('"') ? '"' : "'";
    const inside = Array.from(x, escaped).join("");
    return mark + (mark === "'" ? inside.replaceAll("'", "\\'") : inside) + mark;
  }
  if (x === null) return "None";
  if (typeof x === "boolean") return x ? "True" : "False";
  if (isList(x)) return `[${Array.from(x, repr).join(", ")}]`;
  if (isPlain(x)) return `{${Object.entries(x).map(([key, value]) => `${repr(key)}: ${repr(value)}`).join(", ")}}`;
  return String(plain(x));
}

/** @param {any} x @returns {string} */
export const str = (x) => (typeof x === "string" ? x : x instanceof Error ? x.message : repr(x));

/** The methods of texts, lists and dictionaries, by name; the methods of a class come first. */
const METHODS = {
  lower: (/** @type {string} */ x) => x.toLowerCase(),
  upper: (/** @type {string} */ x) => x.toUpperCase(),
  strip: (/** @type {string} */ x) => x.trim(),
  split: (/** @type {string} */ x, /** @type {string | undefined} */ by) => (by === undefined ? x.split(/\s+/).filter(Boolean) : x.split(by)),
  join: (/** @type {string} */ x, /** @type {any} */ items) => each(items).join(x),
  startswith: (/** @type {string} */ x, /** @type {string} */ y) => x.startsWith(y),
  endswith: (/** @type {string} */ x, /** @type {string} */ y) => x.endsWith(y),
  removeprefix: (/** @type {string} */ x, /** @type {string} */ y) => (x.startsWith(y) ? x.slice(y.length) : x),
  removesuffix: (/** @type {string} */ x, /** @type {string} */ y) => (y && x.endsWith(y) ? x.slice(0, -y.length) : x),
  partition: (/** @type {string} */ x, /** @type {string} */ by) => (x.includes(by) ? [x.slice(0, x.indexOf(by)), by, x.slice(x.indexOf(by) + by.length)] : [x, "", ""]),
  isdigit: (/** @type {string} */ x) => /^\p{Nd}+$/u.test(x),
  isascii: (/** @type {string} */ x) => /^[\0-\x7f]*$/.test(x),
  get: (/** @type {any} */ x, /** @type {any} */ key, /** @type {any} */ otherwise = null) => (Object.hasOwn(x, key) ? x[key] : otherwise),
  items: (/** @type {any} */ x) => Object.entries(x),
  values: (/** @type {any} */ x) => Object.values(x),
  keys: (/** @type {any} */ x) => Object.keys(x),
  append: (/** @type {any[]} */ x, /** @type {any} */ item) => void x.push(item),
  popleft: (/** @type {any[]} */ x) => x.shift(),
  extend: (/** @type {any[]} */ x, /** @type {any} */ items) => void x.push(...each(items)),
  insert: (/** @type {any[]} */ x, /** @type {number} */ i, /** @type {any} */ item) => void x.splice(i, 0, item),
  copy: (/** @type {any} */ x) => (isList(x) ? Array.from(x) : { ...x }),
  add: (/** @type {Members} */ x, /** @type {any} */ item) => x.add(item),
  count: (/** @type {any} */ x, /** @type {any} */ item) => each(x).filter((one) => eq(one, item)).length,
  pop: (/** @type {any[]} */ x, /** @type {number} */ i = -1) => x.splice(place(x, i), 1)[0],
  /** @param {any} x @param {any} item */
  index(x, item) {
    const found = each(x).findIndex((one) => eq(one, item));
    if (found < 0) throw new RangeError("there is no such item");
    return found;
  },
  /** @param {any[]} x @param {any} item */
  remove(x, item) {
    x.splice(METHODS.index(x, item), 1);
  },
  encode: (/** @type {string} */ x) => new TextEncoder().encode(x),
  to_bytes: (/** @type {number} */ x, /** @type {number} */ count) => Uint8Array.from({ length: count }, (_, i) => Math.floor(x / 256 ** i) % 256),
  digest: (/** @type {any} */ x) => x.digest(),
  update: (/** @type {any} */ x, /** @type {any} */ more) => x.update(more),
  hex: (/** @type {Uint8Array} */ x) => Array.from(x, (byte) => byte.toString(16).padStart(2, "0")).join(""),
};

/** The names of these functions. */
export const METHOD_NAMES = Object.keys(METHODS);

/** `x.name(...)`, if the class of x is unknown. @param {any} x @param {string} name @param {...any} more @returns {any} */
export function method(x, name, ...more) {
  const own = typeof x === "object" && !isList(x) && !isPlain(x) && !(x instanceof Members) && typeof x[name] === "function";
  return own ? x[name](...more) : /** @type {any} */ (METHODS)[name](x, ...more);
}
