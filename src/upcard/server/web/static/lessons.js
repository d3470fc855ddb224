// The toolkit for a game's lesson.js: each thing is explained once, as soon as it comes up. A lesson imports it as
// "../../lessons.js".
// @ts-check

/**
 * @typedef {object} Lesson
 * @property {string} name its words are web.house_lesson_<game>_<name>
 * @property {string} clause
 * @property {(state: any, news: any[]) => boolean} when
 * @property {string} [at] what it points at, as a selector inside the table
 */
/**
 * @typedef {object} Course
 * @property {Record<string, string | number | boolean>} options those of the table that one learns at
 * @property {Lesson[]} lessons
 */

/** Whether it is the learner's turn. @param {any} state */
export const yours = (state) => state.phase === "playing" && state.to_move === state.you;
/** Whether the learner has a legal move like this. @param {any} state @param {RegExp} move */
export const can = (state, move) => yours(state) && state.legal.some((/** @type {string} */ one) => move.test(one));
/** Whether something of a kind has just happened. @param {string} kind */
export const happened = (kind) => (/** @type {any} */ _state, /** @type {any[]} */ news) => news.some((one) => one.kind === kind);
export const always = () => true;
