// The state of a local table, which follows from its entries as on a server (server/table/state.py): no clock, no
// randomness, no input or output. A viewer gets exactly what a server would send.
// @ts-check

/** @typedef {import("./messages.js").LocalEntry} LocalEntry */
/** @typedef {import("./messages.js").Parts} Parts */
/** @typedef {import("./messages.js").Setup} Setup */

const SPECTATOR = -1;
// The bot that plays for a person who has resigned.
const STAND_IN = "normal";
// The window says who is asked, the same for everyone.
const UNSAID = ["asked", "allowed"];
// The most that the moves of a game may be long as JSON, so that a server accepts them.
const MAX_MOVES = 12_000;

/** @param {string} hex */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** A message as a viewer gets it. @param {any} message @param {number} viewer @returns {[string, object]} */
function sentence(message, viewer) {
  const said = message.to(viewer);
  return [said.code, { ...said.parameters }];
}

/**
 * Events as a viewer may know them, with their sentences.
 * @param {Parts} parts
 * @param {any[]} events
 * @param {string[]} names
 * @param {number | null} viewer
 * @returns {any[]}
 */
export function newsOf({ GAME, redact }, events, names, viewer) {
  const looking = viewer === null ? SPECTATOR : viewer - 1;
  return events.flatMap((event) => {
    const seen = redact(event, looking);
    const shown = seen && GAME.show_event(seen);
    if (!shown || UNSAID.includes(shown.kind)) return [];
    const message = GAME.describe(seen, names);
    return [message === null ? shown : { ...shown, say: sentence(message, looking) }];
  });
}

/**
 * Why a move is a good one.
 * @param {Parts} parts
 * @param {any} view of the seat
 * @param {number} seat
 * @param {number} move
 * @param {string[]} names
 */
export const whyOf = ({ GAME }, view, seat, move, names) => sentence(GAME.why(view, move, names), seat - 1);

export class LocalTable {
  /** @type {LocalEntry[]} */
  entries = [];
  /** The events of each entry. @type {any[][]} */
  #events = [];
  /** The number of the last entry that changed the legal moves. */
  changed = 0;
  /** @type {any} */
  match = null;
  /** Seats whose people have given up. @type {Set<number>} */
  resigned = new Set();
  /** How the game ended, if the rules did not end it. @type {{reason: string, winners: number[]} | null} */
  ended = null;

  /** @param {Parts} parts @param {Setup} setup */
  constructor(parts, setup) {
    this.parts = parts;
    this.setup = setup;
  }

  get seq() {
    return this.entries.length;
  }

  get over() {
    return this.ended !== null || Boolean(this.match?.over);
  }

  /** Who won and why, null while the game continues. */
  get result() {
    if (this.ended === null) return this.match.result;
    const { reason, winners } = this.ended;
    return { reason, winners, scores: [...this.match.scores] };
  }

  /** The seats that are asked out of turn. @returns {number[]} */
  get asked() {
    return this.over ? [] : this.match.asked;
  }

  /** The seat that is to move; null while a window is open and after the end. @returns {number | null} */
  get toMove() {
    return this.over || this.asked.length ? null : this.match.to_move;
  }

  /** @returns {string[]} */
  get names() {
    return this.setup.seats.map((seat) => seat.name);
  }

  /** @param {number} seat */
  botAt(seat) {
    return this.setup.seats[seat - 1].bot ?? (this.resigned.has(seat) ? STAND_IN : null);
  }

  /** The seats of people. */
  get people() {
    return this.setup.seats.flatMap((_, place) => (this.botAt(place + 1) === null ? [place + 1] : []));
  }

  /** Do what an entry says. @param {LocalEntry} entry */
  apply(entry) {
    const known = this.match?.events.length ?? 0;
    let news = true;
    switch (entry.kind) {
      case "started":
        this.#start();
        break;
      case "moved":
        this.match.make_legal(this.#read(entry.move));
        break;
      case "closed":
        this.#close(entry.answers);
        break;
      case "undone":
        this.match.undo(entry.moves);
        news = false;
        break;
      case "resigned":
        this.resigned.add(entry.seat);
        news = false;
        break;
      case "ended":
        this.ended = entry;
        news = false;
        break;
      default:
        news = false;
    }
    this.entries.push(entry);
    this.#events.push(news ? this.match.events.slice(known) : []);
    if (entry.kind !== "undo_asked") this.changed = this.seq;
  }

  #start() {
    const { GAME, Match, Player, Fairness, Continuation } = this.parts;
    const { options, seats, seed, fairness, continues, moves = [] } = this.setup;
    const players = seats.map((seat) => new Player(seat.name, seat.bot));
    const origin = fairness ? new Fairness(bytesOf(fairness.secret), fairness.shares.map((share) => share && bytesOf(share))) : null;
    const begun = continues ? new Continuation(bytesOf(continues.seed), continues.seat, continues.moves) : null;
    // As on separate screens, so that a question does not reveal who could answer it.
    this.match = new Match(GAME, options, bytesOf(seed), players, null, true, origin, null, begun);
    for (const [seat, move] of moves) this.#repeat(seat, move);
  }

  /** Make a move of a record, in which those who had no choice when they were asked are left out. @param {number} seat @param {string} move */
  #repeat(seat, move) {
    const { match, parts } = this;
    while (match.asked.length && match.to_move !== seat) match.make_legal(parts.GAME.legal_moves(match.table).at(-1));
    match.make_legal(this.#read(move));
  }

  /** @param {string} move @returns {number} */
  #read(move) {
    return this.parts.GAME.read_move(this.match.table, move);
  }

  /** @param {Record<number, string>} answers */
  #close(answers) {
    const { match } = this;
    while (match.asked.length) {
      const answer = answers[match.asked[0]];
      // The last of the answers lets it pass.
      match.make_legal(answer === undefined ? this.parts.GAME.legal_moves(match.table).at(-1) : this.#read(answer));
    }
  }

  /** The legal answers or moves of a seat. @param {number} seat @returns {number[]} */
  moves(seat) {
    return this.asked.length ? this.match.answers(seat) : this.parts.GAME.legal_moves(this.match.table);
  }

  /** @param {number} move @returns {string} */
  write(move) {
    return this.parts.GAME.write_move(this.match.table, move);
  }

  /**
   * The move that a text means for a seat that is asked or to move. Throws an error with a `refusal` if the rules forbid
   * it.
   * @param {number} seat
   * @param {string} text
   * @returns {string}
   */
  check(seat, text) {
    const number = this.#read(text);
    if (this.moves(seat).includes(number)) return this.write(number);
    const refusal = this.asked.length
      ? this.match.why_no_answer(seat, number)
      : this.parts.GAME.explain(this.match.table, number);
    throw Object.assign(new Error(refusal.code), { refusal });
  }

  /** The number of moves from a seat's last own move on; 0 if it has not moved. @param {number} seat */
  movesSince(seat) {
    const moves = this.match.log_of_moves;
    const place = moves.findLastIndex((/** @type {any} */ moved) => moved.seat === seat - 1 && !moved.forced);
    return place < 0 ? 0 : moves.length - place;
  }

  /** Why a move is a good one. @param {number} seat @param {number} move */
  why(seat, move) {
    return whyOf(this.parts, this.match.view(seat), seat, move, this.names);
  }

  /**
   * What a server needs to continue this game at a shared table; null if a hidden card could be known there. Only one
   * person may have played: what others saw at this device would be dealt again for them.
   * @returns {import("./messages.js").Continues | null}
   */
  get continuation() {
    const { seed, seats, continues } = this.setup;
    const people = seats.flatMap(({ bot }, place) => (bot === null ? [place + 1] : []));
    if (this.over || this.asked.length || people.length !== 1 || continues) return null;
    const moves = this.match.log_of_moves.map((/** @type {any} */ moved) => [moved.seat + 1, moved.text]);
    return JSON.stringify(moves).length > MAX_MOVES ? null : { seed, seat: people[0], moves };
  }

  // Projections

  /** What stays the same. */
  facts() {
    const { table, game, pace } = this.setup;
    const options = this.match.options;
    const windows = { window_seconds: 5, hold_seconds: 0, unhurried: true };
    return { table, game, options, public: false, code: null, patience: "none", patience_seconds: 0, pace, rematch_of: null, ...windows };
  }

  /** One entry as a viewer may know it. @param {number} place from 0 @param {number | null} viewer */
  entry(place, viewer) {
    const entry = this.entries[place];
    const { seq, at, kind } = entry;
    if (["undo_asked", "undone", "resigned", "ended"].includes(kind)) return { ...entry };
    const news = newsOf(this.parts, this.#events[place], this.names, viewer);
    // The answers of a window are secret.
    return kind === "moved" ? { ...entry, news } : { seq, at, kind, news };
  }

  /** How many games each seat has won since these people began to play. */
  get wins() {
    const { seats, wins } = this.setup;
    const winners = this.result?.winners ?? [];
    return seats.map((_, place) => (wins?.[place] ?? 0) + (winners.includes(place + 1) ? 1 : 0));
  }

  /**
   * The state of the table, as a viewer may know it.
   * @param {number | null} viewer
   * @param {Record<number, string>} answers what has been answered in the window
   */
  state(viewer, answers = {}) {
    const { asked, toMove, match } = this;
    return {
      seq: this.seq,
      phase: this.over ? "over" : "playing",
      you: viewer,
      host: this.people[0] ?? null,
      seats: this.setup.seats.map(({ name, bot }, place) => {
        const resigned = this.resigned.has(place + 1);
        return { kind: bot === null ? "person" : "bot", name, bot: this.botAt(place + 1), kept: false, away: resigned, resigned };
      }),
      to_move: toMove,
      deadline: null,
      undo: null,
      rematch: null,
      pace: this.setup.pace,
      wins: this.wins,
      window: asked.length ? this.#window(asked, viewer, answers) : null,
      legal: viewer !== null && toMove === viewer ? match.legal : [],
      view: match.show(viewer),
      result: this.result,
      present: this.people,
    };
  }

  /** @param {number[]} asked @param {number | null} viewer @param {Record<number, string>} answers */
  #window(asked, viewer, answers) {
    const isAsked = viewer !== null && asked.includes(viewer);
    return {
      opened: this.changed,
      // Nobody is waiting elsewhere, so there is no time limit.
      closes: this.entries[this.changed - 1].at + 86_400,
      asked,
      held_by: asked.filter((seat) => this.botAt(seat) === null),
      answers: isAsked ? this.match.answers(viewer).map((/** @type {number} */ move) => this.write(move)) : [],
      answered: isAsked ? (answers[viewer] ?? null) : null,
    };
  }

  /** The record of the game as text, once it is over. @returns {string} */
  record() {
    return this.match.to_json();
  }
}
