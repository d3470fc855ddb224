// The state of a page that shows a table: a model, the actions that change it, and a pure reducer.
//
// Nothing here reads a clock, draws, or waits, so every step can be tested without a browser. A session (session.js)
// dispatches the actions; views render the model. What has arrived and what is shown are different: events wait in a
// queue until their cards have landed, and everything that a person notices (turn, log, sounds, reactions) follows the
// cards.
// @ts-check

/** @typedef {import("./messages.js").Answer} Answer */
/** @typedef {import("./messages.js").Link} Link */
/** @typedef {import("./messages.js").NewsMessage} NewsMessage */
/** @typedef {import("../table/types.js").Entry} Entry */
/** @typedef {import("../table/types.js").Facts} Facts */
/** @typedef {import("../table/types.js").News} News */
/** @typedef {import("../table/types.js").State} State */

// The number of log entries that the page keeps.
const MAX_LOG = 12;

/** A refusal, as a sentence. @typedef {{code: string, parameters: Record<string, string | number>, clause: string | null, seq: number}} Refusal */
/** A proposed move. @typedef {{seq: number, move: string, why: [string, Record<string, string | number>]}} Hint */

/**
 * @typedef {object} Model
 * @property {Facts | null} facts
 * @property {State | null} state the state that is shown
 * @property {number} seq the number of the last entry that has arrived
 * @property {NewsMessage[]} queue what has arrived and is not shown yet
 * @property {number | null | undefined} turn whose turn it is after the last card that landed; undefined: as in `state`
 * @property {Link} link
 * @property {boolean} missing whether there is no such table
 * @property {string | null} busy the command that is under way
 * @property {Refusal | null} refusal
 * @property {Hint | null} hint
 * @property {Entry[]} log the last entries that have landed
 * @property {Entry[] | null} history all entries that have landed; null while nobody reads it
 * @property {Entry[]} reactions what people said a moment ago
 * @property {boolean} catchingUp whether the next news were missed
 * @property {number} missed entries that were missed
 * @property {number} clock the server's clock minus this device's, in seconds
 * @property {boolean} live whether entries that arrive have just been written
 * @property {boolean} measured whether the clock was measured by such an entry
 */

/** @type {Model} */
export const INITIAL = {
  facts: null,
  state: null,
  seq: 0,
  queue: [],
  turn: undefined,
  link: "connecting",
  missing: false,
  busy: null,
  refusal: null,
  hint: null,
  log: [],
  history: null,
  reactions: [],
  catchingUp: false,
  missed: 0,
  clock: 0,
  live: false,
  measured: false,
};

/**
 * What can happen to the model.
 *
 * - `loaded`: the table was loaded; `remembered` is the state this device last showed, and `clock` a first estimate of
 *   the difference between the clocks.
 * - `missing`: there is no such table.
 * - `link`: the connection came or went.
 * - `received`: news arrived, at `at` (seconds) by this device's clock.
 * - `landed`: the card of one entry has landed; `turn` is whose turn it is in what the table shows.
 * - `settled`: all entries of the oldest news are shown.
 * - `presence`, `note`: messages of the connection.
 * - `sent`, `answered`, `failed`: a command is under way, was answered, found nobody.
 * - `hinted`, `dismissed`, `expired`: a hint came, a person closed a notice, a reaction has been there long enough.
 * - `history`: all entries were fetched.
 * @typedef {{type: "loaded", facts: Facts, state: State, remembered: State | null, clock?: number}
 *   | {type: "missing"}
 *   | {type: "link", link: Link}
 *   | {type: "received", message: NewsMessage, at?: number}
 *   | {type: "landed", entry: Entry, turn?: number | null}
 *   | {type: "settled"}
 *   | {type: "presence", seat: number, present: boolean}
 *   | {type: "note", window: number, answered: string}
 *   | {type: "sent", command: string}
 *   | {type: "answered", answer: Answer}
 *   | {type: "failed", code: string}
 *   | {type: "explained", code: string}
 *   | {type: "hinted", hint: Hint}
 *   | {type: "dismissed", what: "refusal" | "missed" | "hint"}
 *   | {type: "expired", entry: Entry}
 *   | {type: "history", entries: Entry[]}} Action
 */

/** @type {(model: Model, action: Action) => Model} */
export function reduce(model, action) {
  switch (action.type) {
    case "loaded":
      return loaded(model, action);
    case "missing":
      return { ...model, missing: true };
    case "link":
      return { ...model, link: action.link };
    case "received":
      return received(model, action.message, action.at);
    case "landed":
      return landed(model, action);
    case "settled":
      return settled(model);
    case "presence":
      return presence(model, action);
    case "note":
      return note(model, action);
    case "sent":
      return sent(model, action.command);
    case "answered":
      return answered({ ...model, busy: null }, action.answer);
    case "failed":
      return { ...model, busy: null, refusal: refusal(model, action.code) };
    case "explained":
      return { ...model, refusal: refusal(model, action.code) };
    case "hinted":
      // A hint is about one position only.
      return { ...model, hint: action.hint.seq === model.state?.seq ? action.hint : null };
    case "dismissed":
      return { ...model, [action.what]: action.what === "missed" ? 0 : null };
    case "expired":
      return { ...model, reactions: model.reactions.filter((entry) => entry !== action.entry) };
    case "history":
      return { ...model, history: action.entries };
  }
}

/** A command is under way. A move also closes the notice about what was missed. @param {Model} model @param {string} command @returns {Model} */
function sent(model, command) {
  const play = command === "play";
  return { ...model, busy: command, refusal: null, hint: play ? null : model.hint, missed: play ? 0 : model.missed };
}

/** @param {Model} model @param {{facts: Facts, state: State, remembered: State | null, clock?: number}} action @returns {Model} */
function loaded(model, { facts, state, remembered, clock = 0 }) {
  const same = remembered !== null && remembered.you === state.you && remembered.phase === "playing";
  const resumes = same && remembered.seq < state.seq;
  const shown = resumes ? remembered : state;
  return { ...model, facts, state: shown, seq: shown.seq, catchingUp: resumes, clock };
}

/**
 * Queue new events. The same events may arrive twice: in an answer and through the connection.
 * @param {Model} model
 * @param {NewsMessage} message
 * @param {number} [at]
 * @returns {Model}
 */
function received(model, { events, state }, at) {
  if (state.seq < model.seq) return model;
  const fresh = { events: events.filter((event) => event.seq > model.seq), state };
  const missed = model.catchingUp ? fresh.events.filter((event) => event.news).length : model.missed;
  // Entries that arrive after the missed ones have just been written.
  const live = model.live || at === undefined ? clockOf(model, fresh.events, at) : {};
  return { ...model, ...live, missed, catchingUp: false, live: true, seq: state.seq, queue: [...model.queue, fresh] };
}

/**
 * Measure the server's clock. An entry arrives late by its travel time, so the largest of all differences is the most
 * accurate.
 * @param {Model} model
 * @param {Entry[]} entries
 * @param {number} [at]
 */
function clockOf(model, entries, at) {
  const last = entries.at(-1);
  if (!last?.at || at === undefined) return {};
  const measured = last.at - at;
  return { clock: model.measured ? Math.max(model.clock, measured) : measured, measured: true };
}

/** @param {Model} model @param {{entry: Entry, turn?: number | null}} action @returns {Model} */
function landed(model, { entry, turn }) {
  return {
    ...model,
    turn,
    log: [...model.log, entry].slice(-MAX_LOG),
    history: model.history && [...model.history, entry],
    reactions: entry.kind === "said" ? [...model.reactions, entry] : model.reactions,
  };
}

/** @param {Model} model @returns {Model} */
function settled(model) {
  const [first, ...rest] = model.queue;
  if (!first) return model;
  const { state } = first;
  const moved = state.seq !== model.state?.seq;
  return {
    ...model,
    queue: rest,
    turn: undefined,
    state,
    // A notice about an earlier position is out of date.
    hint: moved ? null : model.hint,
    refusal: moved && (model.refusal?.seq ?? 0) < state.seq ? null : model.refusal,
  };
}

/** @param {Model} model @param {{seat: number, present: boolean}} action @returns {Model} */
function presence(model, { seat, present }) {
  const change = (/** @type {State} */ state) => {
    const others = (state.present ?? []).filter((other) => other !== seat);
    return { ...state, present: present ? [...others, seat] : others };
  };
  return everyState(model, change);
}

/** @param {Model} model @param {{window: number, answered: string}} action @returns {Model} */
function note(model, { window, answered }) {
  return everyState(model, (state) =>
    state.window?.opened === window ? { ...state, window: { ...state.window, answered } } : state,
  );
}

/** Change the state that is shown and those that wait. @param {Model} model @param {(state: State) => State} change */
function everyState(model, change) {
  return {
    ...model,
    state: model.state && change(model.state),
    queue: model.queue.map((message) => ({ ...message, state: change(message.state) })),
  };
}

/** @param {Model} model @param {Answer} answer @returns {Model} */
function answered(model, answer) {
  const heard = answer.state ? received(model, { events: answer.news ?? [], state: answer.state }) : model;
  const window = heard.state?.window;
  switch (answer.type) {
    case "kept":
      return window && answer.move ? note(heard, { window: window.opened, answered: answer.move }) : heard;
    case "refused":
      return { ...heard, refusal: refusal(model, answer.code ?? "", answer.parameters, answer.clause) };
    case "stale":
      // It is about the state that is coming, and stays until that changes.
      return { ...heard, refusal: { ...refusal(model, "web.house_stale"), seq: heard.seq } };
    case "problem":
      return { ...heard, refusal: refusal(model, codeOf(answer.status)) };
    default:
      return heard;
  }
}

/** The sentence about a status of HTTP. @param {number} status */
export function codeOf(status) {
  if (status === 0) return "web.house_problem_offline";
  if (status === 404) return "web.house_problem_missing";
  if (status === 413) return "web.house_problem_large";
  if (status === 429) return "web.house_problem_often";
  return status >= 500 ? "web.house_problem_server" : "web.house_problem_other";
}

/**
 * @param {Model} model
 * @param {string} code
 * @param {Record<string, string | number>} [parameters]
 * @param {string | null} [clause]
 * @returns {Refusal}
 */
const refusal = (model, code, parameters = {}, clause = null) => ({ code, parameters, clause, seq: model.seq });

// Queries of views

/** Whose turn it is in what is shown. @param {Model} model */
export const turnOf = ({ state, turn }) => (state?.phase !== "playing" ? null : turn === undefined ? state.to_move : turn);

/** @param {Model} model */
export const isYourTurn = (model) => model.state?.you != null && turnOf(model) === model.state.you;

/** How many seconds remain until a time of the server. @param {Model} model @param {number} time @param {number} now by this device's clock */
export const secondsUntil = (model, time, now) => Math.max(0, time - (now + model.clock));

/**
 * Group entries by turns: consecutive actions of a seat belong together, and so does what happens in between.
 * @param {Entry[]} entries
 * @returns {{seat: number | null, entries: Entry[]}[]}
 */
export function turnsOf(entries) {
  /** @type {{seat: number | null, entries: Entry[]}[]} */
  const turns = [];
  for (const entry of entries) {
    const seat = entry.kind === "moved" ? entry.seat : (turns.at(-1)?.seat ?? null);
    const last = turns.at(-1);
    if (last && last.seat === seat) last.entries.push(entry);
    else turns.push({ seat, entries: [entry] });
  }
  return turns;
}

/** A model and its listeners. */
export class Store extends EventTarget {
  model = INITIAL;

  /** @param {Action} action */
  dispatch(action) {
    const before = this.model;
    this.model = reduce(before, action);
    if (this.model !== before) this.dispatchEvent(new Event("change"));
  }
}
