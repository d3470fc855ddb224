// What the modules of the table tell each other, for tsc. There is nothing to run here.
// @ts-check

/**
 * What the house gives the table to speak with.
 * @typedef {object} Words
 * @property {(code: string, parameters?: Record<string, string | number>) => string} t
 * @property {(number: number) => string} number
 * @property {string} language
 */

/**
 * How somebody likes to play.
 * @typedef {object} Settings
 * @property {number} speed 0 (slow) to 3 (at once)
 * @property {boolean} onePlace a card with one place goes there by itself
 * @property {boolean} sounds
 * @property {boolean} motion
 */

/**
 * What stays the same at a table, as the server tells it.
 * @typedef {object} Facts
 * @property {string} table its name
 * @property {string} game
 * @property {Record<string, string | number | boolean>} options
 * @property {string | null} [code]
 * @property {string} [commitment]
 * @property {string} [patience]
 * @property {number} [patience_seconds]
 * @property {number} [window_seconds]
 */
/** @typedef {{kind: string, name: string, bot: string | null, kept: boolean, away: boolean}} Chair */
/** @typedef {{opened: number, closes: number, asked: number[], answers: string[], answered: string | null}} Asking */
/** @typedef {{reason: string, winners: number[], scores: number[]}} Result */

/**
 * How the table stands, as the server tells it. What `view` holds depends on the game.
 * @typedef {object} State
 * @property {number} seq
 * @property {string} phase
 * @property {number | null} you
 * @property {Chair[]} seats
 * @property {number | null} to_move
 * @property {string[]} legal
 * @property {Asking | null} window
 * @property {any} view
 * @property {Result | null} result
 * @property {number | null} [host] the seat of whoever may begin
 * @property {number | null} [deadline] when whoever is to move is not waited for any more
 * @property {{seat: number, waiting: number[]} | null} [undo] who wants to take a move back, and who has not answered
 * @property {string | null} [rematch] the table of another game with the same company
 * @property {number[]} [present] seats whose people are there
 */

/**
 * One thing that happened in the game. Further keys depend on its kind.
 * @typedef {{kind: string, seat?: number, card?: string | null, say?: [string, Record<string, string | number>], [key: string]: any}} News
 */
/** @typedef {{seq: number, at: number, kind: string, news?: News[], [key: string]: any}} Entry */

/**
 * A legal move, read: which card (null: none), and where to. Both are keys of spots or of sources.
 * @typedef {{move: string, source: string | null, place: string}} Move
 */

/**
 * How one thing that happened is shown: something flies from one of some spots to one of others, and the view
 * changes when it is lifted and when it lands.
 * @typedef {object} Course
 * @property {string[]} [from]
 * @property {string[]} [to]
 * @property {string | null} [card] null is a back, none is no card at all
 * @property {"red" | "blue"} [chip]
 * @property {string[]} [mark] spots that are pointed at for a moment
 * @property {boolean} [dealt] one of many that may follow closely
 * @property {string} [sound]
 * @property {() => void} [lift]
 * @property {() => void} [land]
 */

/** @typedef {import("./scene.js").Scene} Scene */

/**
 * What a game has to know for the table.
 * @typedef {object} Drawn
 * @property {(move: string, you: number) => Move} read
 * @property {(source: string, place: string, you: number) => string | null} write
 * @property {(facts: Facts, you: number | null) => any} blank the table before anything is dealt
 * @property {(scene: Scene) => unknown} middle
 * @property {(scene: Scene, seat: number) => unknown} seat
 * @property {((scene: Scene) => unknown) | null} hand what lies in front of the viewer, if it is not the seat's
 * @property {(scene: Scene) => string | null} prompt what is to be done now
 * @property {(view: any) => string} place where one has to look when it is one's turn, as a selector
 * @property {(view: any, seat: number, source: string) => string} card the card that a source stands for
 * @property {(view: any, news: News, you: number | null) => Course} course
 */

export {};
