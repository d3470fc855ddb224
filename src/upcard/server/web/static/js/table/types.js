// The types that the modules of the table share, for tsc. There is no code here.
// @ts-check

/**
 * The words of the interface.
 * @typedef {object} Words
 * @property {(code: string, parameters?: Record<string, string | number>) => string} t
 * @property {(code: string) => boolean} has
 * @property {(number: number) => string} number
 * @property {(items: string[]) => string} list
 * @property {string} language
 */

/**
 * Preferences at the table.
 * @typedef {object} Settings
 * @property {number} speed 0 (slow) to 3 (instant)
 * @property {boolean} onePlace a card with one place goes there without a second tap
 * @property {boolean} sounds
 * @property {boolean} motion
 */

/**
 * The facts of a table, which never change, as the server sends them.
 * @typedef {object} Facts
 * @property {string} table its name
 * @property {string} game
 * @property {Record<string, string | number | boolean>} options
 * @property {string | null} [code]
 * @property {string} [commitment]
 * @property {string} [patience]
 * @property {number} [patience_seconds]
 * @property {number} [window_seconds]
 * @property {number} [hold_seconds]
 * @property {boolean} [unhurried]
 * @property {string | null} [rematch_of]
 * @property {number | null} [continues] the seat whose game, begun elsewhere, continues here
 */
/**
 * @typedef {object} Chair
 * @property {string} kind
 * @property {string} name
 * @property {string | null} bot
 * @property {boolean} kept
 * @property {boolean} away
 * @property {boolean} [resigned] whether the player has given up, and a bot plays to the end
 * @property {string | null} [face]
 * @property {number | null} [tint]
 * @property {boolean} [unhurried] whether the player always has time to answer out of turn
 */
/** @typedef {{opened: number, closes: number, asked: number[], held_by: number[], answers: string[], answered: string | null}} Asking */
/** @typedef {{reason: string, winners: number[], scores: number[]}} Result */

/**
 * The state of a table, as the server sends it. The content of `view` depends on the game.
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
 * @property {number | null} [host] the seat of the player who may start
 * @property {boolean} [locked] whether nobody else can sit down
 * @property {number | null} [deadline] when the table stops waiting for the player to move
 * @property {{seat: number, asked: number, waiting: number[]} | null} [undo] the player who wants to take back a move, and those who have not answered
 * @property {{seat: number, asked: number, waiting: number[]} | null} [ending] who wants to end the game, and who has not answered
 * @property {string | null} [rematch] the table of the next game of the same people
 * @property {number} [pace] seconds that bots take for a move
 * @property {number[]} [wins] the games that each seat has won since these people began to play
 * @property {number[]} [present] seats whose people are there
 */

/**
 * An event of the game. Further keys depend on its kind.
 * @typedef {{kind: string, seat?: number, card?: string | null, say?: [string, Record<string, string | number>], [key: string]: any}} News
 */
/** @typedef {{seq: number, at: number, kind: string, news?: News[], [key: string]: any}} Entry */

/**
 * A legal move, parsed: its card (null: none) and its place, which are keys of sources and of spots.
 * @typedef {object} Move
 * @property {string} move
 * @property {string | null} source
 * @property {string} place
 * @property {string} [button] the code of the words on its button (without web.table_), if it has one
 * @property {boolean} [deliberate] whether it is never made without being chosen, and not shown in pictures: it
 *   may end the turn
 */

/**
 * How a card looks.
 * @typedef {object} Look
 * @property {string} hue the first letter of its colour; "" is ink
 * @property {string} value its number, "?" of a wild, or a word
 * @property {boolean} wild
 * @property {string} [deck] the prefix of the shapes of its game
 * @property {string} [picture] the id of a shape that fills the card, instead of the value
 * @property {string} [name] the code of its name in words
 */

/** A sound: pitch in hertz (0 is a rustle), start and length in seconds, loudness. @typedef {[number, number, number, number]} Note */

/** A seat that the table is waiting for; `left` is the rest of the time, from 1 to 0. @typedef {{seat: number, left: number, text: string}} Waiting */
/** Something said at a seat. @typedef {{seat: number, key: unknown, content: unknown}} Saying */

/**
 * The words of a window in which seats are asked out of turn.
 * @typedef {object} Question
 * @property {string} title
 * @property {string} [stake] what happens if nobody does anything
 * @property {(move: string) => string} answer the words on a button
 * @property {(move: string) => string} answered what is said after it
 * @property {string} [strong] the answer whose button stands out
 */

/**
 * How an event is shown: something flies from the first visible spot of `from` to that of `to`, and the view
 * changes when it is lifted and when it lands.
 * @typedef {object} Course
 * @property {string[]} [from]
 * @property {string[]} [to]
 * @property {string | null} [card] null is a back, undefined means that no card flies
 * @property {string[]} [cards] all cards that fly, one after another, instead of one
 * @property {unknown} [token] what flies, if it is not a card
 * @property {string[]} [mark] spots that are pointed at for a moment
 * @property {boolean} [dealt] one of many that may follow closely
 * @property {string} [sound]
 * @property {() => void} [lift]
 * @property {() => void} [land]
 */

/** @typedef {import("./scene.js").Scene} Scene */

/**
 * What the module of a game exports as `drawing`: how its table is drawn, and how its moves become cards and places.
 * @typedef {object} Drawing
 * @property {(move: string, you: number) => Move} read
 * @property {(source: string, place: string, you: number) => string | null} write
 * @property {(facts: Facts, you: number | null) => any} blank the table before anything is dealt
 * @property {(scene: Scene) => unknown} middle
 * @property {(scene: Scene, seat: number) => unknown} seat what lies in front of a seat
 * @property {(scene: Scene, seat: number) => unknown} [goal] how far a seat has come, beside its name
 * @property {(view: any, seat: number) => string[]} [trophy] the cards that are fanned out when a seat has won
 * @property {string[]} [tokens] the colours of tokens that tumble down at the end
 * @property {(view: any, seat: number) => {hue: string, count: number, label: string}[]} [tally] the tokens that a seat has won,
 *   for the result; `label` is the code of their words (without web.table_)
 * @property {(view: any) => number[]} [leaders] the seats that are ahead; several where they are equal
 * @property {((scene: Scene) => unknown) | null} hand what lies in front of the viewer, if it is not the seat's
 * @property {(scene: Scene) => string | null} prompt what is to be done now; null for the usual words
 * @property {(scene: Scene, offered: Move[]) => unknown} [choices] buttons for moves that have no spot
 * @property {((scene: Scene) => Question) | null} [question] what is asked out of turn; null if nothing ever is
 * @property {(card: string) => Partial<Look>} [look] how its cards look, where that does not follow from notation
 * @property {Record<string, Note[]>} [sounds] those that other games do not have
 * @property {(view: any, seat: number, source: string) => string | null} card the card that a source stands for
 * @property {(view: any, news: News, you: number | null) => Course} course
 */

export {};
