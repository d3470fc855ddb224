// The types of local tables, for tsc. There is no code here.
// @ts-check

/** A seat: a person at this device, or a bot. @typedef {{name: string, bot: string | null}} Seat */

/**
 * How a table begins. The seed (hex) decides all its cards, so it leaves the worker after the end,
 * or when a server deals the hidden cards again.
 * @typedef {object} Setup
 * @property {string} table its name
 * @property {string} game
 * @property {Record<string, any>} options
 * @property {Seat[]} seats
 * @property {number} pace how long bots take for a move, in seconds
 * @property {string} seed
 * @property {number[]} [wins] the games that each seat has won before
 * @property {{secret: string, shares: (string | null)[]}} [fairness] where the seed comes from
 * @property {[number, string][]} [moves] the first moves, if it continues another game: seat and move
 * @property {Continues} [continues] if that game itself was continued from another table
 */

/**
 * A game that continues at another table, as match/continuation.py has it: what its seat does not know is dealt again.
 * @typedef {{seed: string, seat: number, moves: [number, string][]}} Continues
 */

/** What someone chooses. @typedef {Pick<Setup, "game" | "options" | "seats" | "pace" | "wins">} Plan */

/**
 * What happened at a table, like the entries of a server's log.
 * @typedef {{seq: number, at: number, kind: "started"}
 *   | {seq: number, at: number, kind: "moved", seat: number, move: string, by: "person" | "bot"}
 *   | {seq: number, at: number, kind: "closed", answers: Record<number, string>}
 *   | {seq: number, at: number, kind: "undo_asked", seat: number}
 *   | {seq: number, at: number, kind: "undone", seat: number, moves: number}
 *   | {seq: number, at: number, kind: "resigned", seat: number}
 *   | {seq: number, at: number, kind: "ended", reason: "resigned" | "agreed", winners: number[]}} LocalEntry
 */

/** A table as it is saved: everything else follows from this. @typedef {{table: string, setup: Setup, entries: LocalEntry[], at: number, over: boolean}} KeptTable */

/** What a list of games shows. @typedef {{table: string, game: string, names: string[], at: number, over: boolean}} Listed */

/**
 * The translated modules that a table needs.
 * @typedef {{GAME: any, Match: any, Player: any, Fairness: any, Continuation: any, replay: any, redact: (event: any, viewer: number) => any}} Parts
 */

export {};
