/** The strict reader of records. Their fields are in schema.js, which is generated from Python's types. */

import { SCHEMA } from "./schema.js";
import { RecordError } from "./upcard/core/errors.js";
import { quoted } from "./texts.js";

/** Stands for a field that a record does not have. */
export const UNSET = Symbol("unset");

/** @typedef {string | {list: Kind} | {any: Kind[]} | {fields: string}} Kind */
/** @typedef {{kind: Kind, required: boolean, default?: any}} Field */

const WORDS = { str: "text", int: "a whole number", bool: "true or false", null: "null", object: "a JSON object" };

/** @param {any} value @returns {boolean} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** @param {any} value @param {Kind} kind @returns {boolean} */
function fits(value, kind) {
  if (typeof kind === "object") return "list" in kind ? Array.isArray(value) : "any" in kind ? kind.any.some((one) => fits(value, one)) : isObject(value);
  if (kind === "int") return Number.isSafeInteger(value);
  if (kind === "str") return typeof value === "string";
  return kind === "anything" || (kind === "null" && value === null) || (kind === "object" && isObject(value));
}

/** @param {Kind} kind @returns {string} */
function named(kind) {
  if (typeof kind === "string") return WORDS[/** @type {keyof typeof WORDS} */ (kind)] ?? kind;
  return "list" in kind ? "a list" : "any" in kind ? kind.any.map(named).join(" or ") : WORDS.object;
}

/** @param {any} value @param {Kind} kind @param {string} place @returns {any} */
function converted(value, kind, place) {
  if (!fits(value, kind)) throw new RecordError(`${place} should be ${named(kind)}, not ${quoted(value)}`);
  if (typeof kind === "string") return value;
  if ("list" in kind) return value.map((/** @type {any} */ one, /** @type {number} */ i) => converted(one, kind.list, `${place} (item ${i + 1})`));
  if ("any" in kind) return converted(value, /** @type {Kind} */ (kind.any.find((one) => fits(value, one))), place);
  return fieldsOf(value, kind.fields, place, {});
}

/** @param {any} value @param {string} name @param {string} place @param {any} result @returns {any} */
function fieldsOf(value, name, place, result) {
  const fields = /** @type {Record<string, Field>} */ (/** @type {any} */ (SCHEMA)[name]);
  const within = place === "the record" ? "" : ` in ${place}`;
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(fields, key)) throw new RecordError(`there is an unknown field ${quoted(key)}${within}`);
  }
  for (const [key, field] of Object.entries(fields)) {
    if (Object.hasOwn(value, key)) result[key] = converted(value[key], field.kind, `'${key}'`);
    else if (field.required) throw new RecordError(`there is no '${key}'${within}`);
    else result[key] = Object.hasOwn(field, "default") ? field.default : UNSET;
  }
  return result;
}

export class ShuffleEntry {}
export class MoveEntry {}

export class GameRecord {
  /** Return a JSON value as a record, or throw a RecordError with the field that is wrong. @param {any} value */
  static of(value) {
    if (!isObject(value)) throw new RecordError("the record should be a JSON object");
    if (value.upcard !== SCHEMA.format) throw new RecordError(`'upcard' should be ${SCHEMA.format}, not ${quoted(value.upcard ?? null)}`);
    const record = fieldsOf(value, "GameRecord", "the record", new GameRecord());
    record.log = record.log.map((/** @type {any} */ entry, /** @type {number} */ i) => entryOf(entry, i + 1));
    return record;
  }
}

/** @param {any} entry @param {number} number */
function entryOf(entry, number) {
  if (!isObject(entry)) throw new RecordError("a log entry should be a JSON object", number);
  const kind = "shuffle" in entry ? ShuffleEntry : "move" in entry ? MoveEntry : null;
  if (kind === null) throw new RecordError("an entry should have a 'move' or a 'shuffle'", number);
  try {
    return fieldsOf(entry, kind.name, "the record", new kind());
  } catch (error) {
    throw error instanceof RecordError ? new RecordError(/** @type {any} */ (error).reason, number) : error;
  }
}
