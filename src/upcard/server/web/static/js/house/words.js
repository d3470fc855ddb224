// Words: codes with parameters become sentences in the language of the reader.
// @ts-check
import { getWithRetries } from "./http.js";
import { save } from "./storage.js";

/** @typedef {string | Record<string, string>} Said */
/** @typedef {Record<string, string | number>} Parameters */

const root = document.documentElement;
// The folder of all words.
const FOLDER = (root.dataset.words ?? "/words/").replace(/[^/]*$/, "");

class Words extends EventTarget {
  constructor() {
    super();
    this.language = root.lang || "en";
    /** @type {Record<string, Said>} */
    this.said = {};
    this.#count();
    this.ready = this.#fetch(root.dataset.words ?? `${FOLDER}${this.language}.json`);
  }

  /** All languages. */
  get languages() {
    return (root.dataset.wordsVersions ?? "en").split(" ").map((part) => part.split(":")[0]);
  }

  /** @param {string} address */
  async #fetch(address) {
    const response = await getWithRetries(address);
    this.said = (await response.json()).words;
    this.dispatchEvent(new Event("change"));
  }

  #count() {
    this.plural = new Intl.PluralRules(this.language);
    this.numbers = new Intl.NumberFormat(this.language);
    this.lists = new Intl.ListFormat(this.language);
  }

  /**
   * Use another language from now on, here and on later pages.
   * @param {string} language
   */
  async speak(language) {
    const version = (root.dataset.wordsVersions ?? "").split(" ").find((part) => part.startsWith(`${language}:`));
    document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
    // For pages without a server (local/language.js).
    save("language", language);
    this.language = language;
    this.#count();
    this.ready = this.#fetch(`${FOLDER}${language}.json${version ? `?v=${version.split(":")[1]}` : ""}`);
    await this.ready;
    root.lang = language;
  }

  /**
   * @param {string} code
   * @param {Parameters} [parameters]
   */
  t(code, parameters = {}) {
    const said = this.said[code];
    if (said === undefined) return code;
    const text = typeof said === "string" ? said : this.#form(said, Number(parameters[said.number]));
    return text.replaceAll(/\{(\w+)\}/g, (gap, name) => this.#shown(parameters[name] ?? gap, name));
  }

  /**
   * @param {Record<string, string>} forms
   * @param {number} number
   */
  #form(forms, number) {
    return forms[this.plural?.select(number) ?? "other"] ?? forms.other;
  }

  /**
   * A parameter as readers see it. Notation is replaced by its name (`web.named_pile_R1`) if the catalogue has one.
   * @param {string | number} value
   * @param {string} gap
   */
  #shown(value, gap) {
    if (typeof value === "number") return this.number(value);
    const named = this.said[`web.named_${gap}_${value}`];
    return typeof named === "string" ? named : value;
  }

  /** @param {string} code */
  has(code) {
    return code in this.said;
  }

  /** @param {number} number */
  number(number) {
    return this.numbers?.format(number) ?? String(number);
  }

  /** @param {string[]} items */
  list(items) {
    return this.lists?.format(items) ?? items.join(", ");
  }

  /** @param {number} at milliseconds since the epoch */
  date(at) {
    return new Intl.DateTimeFormat(this.language, { dateStyle: "medium" }).format(at);
  }
}

export const words = new Words();
/** @type {(code: string, parameters?: Parameters) => string} */
export const t = (code, parameters) => words.t(code, parameters);
