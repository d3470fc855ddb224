// Words: codes with parameters become sentences in the language of the reader.
// @ts-check

/** @typedef {string | Record<string, string>} Said */
/** @typedef {Record<string, string | number>} Parameters */

const root = document.documentElement;

class Words extends EventTarget {
  constructor() {
    super();
    this.language = root.lang || "en";
    /** @type {Record<string, Said>} */
    this.said = {};
    this.#count();
    this.ready = this.#fetch(root.dataset.words ?? `/words/${this.language}.json`);
  }

  /** All languages there are. */
  get languages() {
    return (root.dataset.wordsVersions ?? "en").split(" ").map((part) => part.split(":")[0]);
  }

  /** @param {string} address */
  async #fetch(address) {
    const answer = await fetch(address, { credentials: "same-origin" });
    this.said = (await answer.json()).words;
    this.dispatchEvent(new Event("change"));
  }

  #count() {
    this.plural = new Intl.PluralRules(this.language);
    this.numbers = new Intl.NumberFormat(this.language);
    this.lists = new Intl.ListFormat(this.language);
  }

  /**
   * Speak another language from now on, here and on pages to come.
   * @param {string} language
   */
  async speak(language) {
    const version = (root.dataset.wordsVersions ?? "").split(" ").find((part) => part.startsWith(`${language}:`));
    document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
    this.language = language;
    this.#count();
    this.ready = this.#fetch(`/words/${language}.json${version ? `?v=${version.split(":")[1]}` : ""}`);
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
    return text.replaceAll(/\{(\w+)\}/g, (gap, name) => this.#shown(parameters[name] ?? gap));
  }

  /**
   * @param {Record<string, string>} forms
   * @param {number} number
   */
  #form(forms, number) {
    return forms[this.plural?.select(number) ?? "other"] ?? forms.other;
  }

  /** @param {string | number} value */
  #shown(value) {
    return typeof value === "number" ? this.number(value) : value;
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
