/** Structs as objects, for words and for callers that need a table or a view. A struct owns its numbers, and lends them to
 * rules in a temporary part of the memory. */

import { follow } from "./chance.js";
import { listen } from "./events.js";
import { M, allocate, borrow } from "./memory.js";

/** @typedef {{numbers: Int32Array, at: number, parts: Map<number, Struct>}} Root */
/** @typedef {[number] | [number, number] | [number, null, any] | [number, number, any]} Field */

export class Struct {
  static size = 0;
  /** @type {Record<string, Field>} */
  static fields = {};

  /** @param {Root | null} root @param {number} at */
  constructor(root = null, at = 0) {
    const size = /** @type {typeof Struct} */ (this.constructor).size;
    Object.defineProperties(this, {
      root: { value: root ?? { numbers: new Int32Array(size), at: 0, parts: new Map() }, writable: true },
      at: { value: at, writable: true },
    });
    /** @type {Root} */
    this.root;
    /** @type {number} */
    this.at;
  }

  get size() {
    return /** @type {typeof Struct} */ (this.constructor).size;
  }

  /** All numbers. @returns {Int32Array} */
  get numbers() {
    const begin = this.root.at + this.at;
    return this.root.numbers.subarray(begin, begin + this.size);
  }

  /** @param {any} other */
  equals(other) {
    const theirs = other instanceof Struct && other.size === this.size ? other.numbers : null;
    return theirs !== null && this.numbers.every((number, i) => number === theirs[i]);
  }

  /** An independent copy. @returns {any} */
  copy() {
    const twin = new /** @type {any} */ (this.constructor)();
    twin.numbers.set(this.numbers);
    return twin;
  }
}

/**
 * Give a class of structs its fields.
 * @param {any} kind
 * @param {number} size
 * @param {Record<string, Field>} fields
 */
export function define(kind, size, fields) {
  kind.size = size;
  kind.fields = fields;
  for (const [name, [at, length = null, inner]] of Object.entries(fields)) {
    Object.defineProperty(kind.prototype, name, accessor(at, length, inner));
  }
}

/** @param {number} at @param {number | null} length @param {any} inner @returns {PropertyDescriptor & ThisType<Struct>} */
function accessor(at, length, inner) {
  if (inner !== undefined && length !== null) {
    return { get() { return Array.from({ length }, (_, i) => part(this, inner, at + i * inner.size)); } };
  }
  if (inner !== undefined) {
    return { get() { return part(this, inner, at); }, set(other) { adopt(this, at, other); } };
  }
  if (length !== null) {
    return { get() { const begin = this.root.at + this.at + at; return this.root.numbers.subarray(begin, begin + length); } };
  }
  return {
    get() { return this.root.numbers[this.root.at + this.at + at]; },
    set(value) { this.root.numbers[this.root.at + this.at + at] = value; },
  };
}

/** @param {Struct} owner @param {any} kind @param {number} at */
function part(owner, kind, at) {
  return owner.root.parts.get(owner.at + at) ?? new kind(owner.root, owner.at + at);
}

/** Make a struct a part of another one, which stores its numbers from now on. @param {Struct} owner @param {number} at @param {Struct} other */
function adopt(owner, at, other) {
  const numbers = other.numbers.slice();
  const { root } = owner;
  root.numbers.set(numbers, root.at + owner.at + at);
  other.root = root;
  other.at = owner.at + at;
  if ("pick" in other) root.parts.set(other.at, other);
}

/** Copy one struct over another. @param {Struct} target @param {Struct} source */
export function assign(target, source) {
  target.numbers.set(source.numbers);
}

// Calls of rules

/** Called with every event of a table that has a list of them. @type {(table: any, event: any) => any} */
let described = (_table, event) => event;

/** @param {typeof described} describe */
export function describeEvents(describe) {
  described = describe;
}

/**
 * Return a rule in the form that words call: with structs and lists of numbers instead of addresses.
 * @param {(...places: any[]) => any} rule
 * @param {any} result the class of the struct that it returns, if it returns one
 */
export function lent(rule, result = null) {
  return (/** @type {any[]} */ ...values) => borrow(() => called(rule, result, values));
}

/** @param {(...places: any[]) => any} rule @param {any} result @param {any[]} values */
function called(rule, result, values) {
  /** @type {(() => void)[]} */
  const back = [];
  /** @type {Root[]} */
  const roots = [];
  const places = values.map((value) => {
    if (value instanceof Struct) {
      if (!roots.includes(value.root)) {
        roots.push(value.root);
        lend(value.root, back);
      }
      return value.root.at + value.at;
    }
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return value;
    return lendList(/** @type {number[]} */ (value), back);
  });
  try {
    const found = heard(values[0], places[0], () => scripted(roots, () => rule(...places)));
    if (result === null) return found;
    const root = /** @type {Root} */ (roots.find((one) => one.at <= found && found < one.at + one.numbers.length));
    return [root, found - root.at];
  } finally {
    while (back.length) /** @type {() => void} */ (back.pop())();
  }
}

/** @param {Root} root @param {(() => void)[]} back */
function lend(root, back) {
  // A rule is already using it, and calls words.
  if (root.numbers === M) return;
  const { numbers } = root;
  const place = allocate(numbers.length);
  M.set(numbers, place);
  root.numbers = M;
  root.at = place;
  back.push(() => {
    numbers.set(M.subarray(place, place + numbers.length));
    root.numbers = numbers;
    root.at = 0;
  });
}

/** @param {number[]} list @param {(() => void)[]} back */
function lendList(list, back) {
  const place = allocate(list.length);
  M.set(list, place);
  back.push(() => {
    for (let i = 0; i < list.length; i++) list[i] = M[place + i];
  });
  return place;
}

/** @param {any} table @param {number} place @param {() => any} action */
function heard(table, place, action) {
  if (!(table instanceof Struct) || !Array.isArray(/** @type {any} */ (table).events)) return action();
  let result;
  const events = listen(place, () => {
    result = action();
  });
  /** @type {any} */ (table).events.push(...events.map((event) => described(table, event)));
  return result;
}

/** @param {Root[]} roots @param {() => any} action */
function scripted(roots, action) {
  for (const root of roots) {
    for (const script of root.parts.values()) {
      const pick = (/** @type {number} */ cards, /** @type {number} */ count) =>
        /** @type {any} */ (script).pick(M.subarray(cards, cards + count), count);
      return follow(root.at + script.at, pick, action);
    }
  }
  return action();
}

/** Return a struct that a rule found. @param {any} kind @param {[Root, number]} found */
export function found(kind, [root, at]) {
  return part(/** @type {any} */ ({ root, at: 0 }), kind, at);
}

/**
 * Return the rule that handles structs of the given kinds.
 * @param {[any[], (...values: any[]) => any][]} rules
 */
export function byKind(rules) {
  return (/** @type {any[]} */ ...values) => {
    const structs = values.filter((value) => value instanceof Struct);
    for (const [kinds, rule] of rules) if (kinds.every((kind, i) => structs[i] instanceof kind)) return rule(...values);
    throw new TypeError("there is no rule for these structs");
  };
}
