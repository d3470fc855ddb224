// Tables for tests of the browser's modules: states, entries, and a connection that a test speaks through.
// @ts-check

/** @param {object} [changes] @returns {any} */
export const stateOf = (changes = {}) => ({
  seq: 5,
  phase: "playing",
  you: 1,
  seats: [
    { kind: "person", name: "Ann", bot: null, kept: false, away: false },
    { kind: "person", name: "Ben", bot: null, kept: false, away: false },
  ],
  to_move: 1,
  legal: ["r1", "r2"],
  window: null,
  view: {},
  result: null,
  present: [1],
  ...changes,
});

/** @param {number} seq @param {object} [changes] @returns {any} */
export const entryOf = (seq, changes = {}) => ({ seq, at: seq, kind: "moved", news: [{ kind: "played" }], ...changes });

export class FakeConnection extends EventTarget {
  link = "connecting";
  clock = 0;
  /** @type {[string, object | undefined][]} */
  sent = [];
  /** @type {any[]} */
  answers = [];
  /** What `load` does. */
  load = async () => ({ table: "t", game: "lines", options: {}, ...stateOf() });

  /** @param {number} since */
  open(since) {
    this.since = since;
  }

  close() {
    this.closed = true;
  }

  /** @param {string} command @param {object} [fields] */
  async send(command, fields) {
    this.sent.push([command, fields]);
    const answer = this.answers.shift() ?? { type: "done", status: 200 };
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async hint() {
    return this.send("hint");
  }

  async history() {
    return { news: [entryOf(1), entryOf(9)], state: stateOf() };
  }

  /** @param {string} kind @param {object} detail */
  emit(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
