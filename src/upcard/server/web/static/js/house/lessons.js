// What the coach explains, and when: each thing once, as soon as it comes up. The words are web.house_lesson_*.
// @ts-check

/**
 * @typedef {object} Lesson
 * @property {string} name
 * @property {string} clause
 * @property {(state: any, news: any[]) => boolean} when
 */

/** @param {any} state */
const yours = (state) => state.phase === "playing" && state.to_move === state.you;
/** @param {any} state */
const can = (state, /** @type {RegExp} */ move) => yours(state) && state.legal.some((/** @type {string} */ one) => move.test(one));
/** @param {string} kind */
const happened = (kind) => (/** @type {any} */ _state, /** @type {any[]} */ news) => news.some((one) => one.kind === kind);
const always = () => true;

/** @type {Record<string, {options: object, lessons: Lesson[]}>} */
export const LESSONS = {
  stockpile: {
    options: { first: 1 },
    lessons: [
      { name: "aim", clause: "S5.1", when: always },
      { name: "piles", clause: "S3.4", when: yours },
      { name: "stacks", clause: "S3.3", when: (state) => can(state, /^[ABC] /) },
      { name: "stock", clause: "S3.6", when: (state) => can(state, /^stock /) },
      { name: "wild", clause: "S3.4", when: (state) => yours(state) && JSON.stringify(state.view.seats[state.you - 1]).includes('"?"') },
      { name: "forced", clause: "S3.8", when: (state, news) => !yours(state) && news.length > 0 },
      { name: "others", clause: "S3.2", when: (state, news) => yours(state) && news.some((one) => one.kind === "turn") && news.length > 3 },
      { name: "complete", clause: "S3.5", when: happened("completed") },
      { name: "end", clause: "S5.1", when: (state) => state.phase === "over" },
    ],
  },
  lines: {
    options: { first: 1 },
    lessons: [
      { name: "aim", clause: "L5.2", when: always },
      { name: "first", clause: "L4.1", when: yours },
      { name: "gift", clause: "L4.2", when: (state) => can(state, /@/) },
      { name: "active", clause: "L3.1", when: (state) => can(state, /@/) },
      { name: "home", clause: "L4.3", when: (state) => yours(state) && can(state, /^x /) },
      { name: "newline", clause: "L4.4", when: (state) => yours(state) && can(state, /^x /) },
      { name: "aside", clause: "L3.6", when: happened("set_aside") },
      { name: "closing", clause: "L5.1", when: (state) => Boolean(state.view?.closing) },
      { name: "end", clause: "L5.2", when: (state) => state.phase === "over" },
    ],
  },
  stacks: {
    options: { dealer: 2 },
    lessons: [
      { name: "aim", clause: "K6.1", when: always },
      { name: "piles", clause: "K3.2", when: yours },
      { name: "refill", clause: "K3.5", when: yours },
      { name: "discard", clause: "K3.6", when: (state) => can(state, /^x /) },
      { name: "top", clause: "K3.3", when: (state) => can(state, /^top /) },
      { name: "wild", clause: "K4.5", when: (state) => yours(state) && state.view.hand.some((/** @type {string} */ card) => card.endsWith("?")) },
      { name: "special", clause: "K4.1", when: (state) => can(state, /^(skip|reverse|card|chip)/) },
      { name: "chip", clause: "K3.4", when: happened("earned") },
      { name: "block", clause: "K5.1", when: (state) => Boolean(state.window) || state.view?.hand?.includes("block") },
      { name: "end", clause: "K6.1", when: (state) => state.phase === "over" },
    ],
  },
};
