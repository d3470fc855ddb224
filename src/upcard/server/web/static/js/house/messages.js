// The types of the messages between a table and its views, for tsc. There is no code here.
//
// A view talks to a table through a `TableConnection`. `RemoteTable` (connection.js) implements it for a server, and a
// table that runs in the browser implements it too, so views do not know the difference.
// @ts-check

/** @typedef {import("../table/types.js").Entry} Entry */
/** @typedef {import("../table/types.js").Facts} Facts */
/** @typedef {import("../table/types.js").State} State */

/**
 * `connecting`: not yet; `open`: news arrive; `lost`: it reconnects; `closed`: there is no such table any more.
 * @typedef {"connecting" | "open" | "lost" | "closed"} Link
 */

/**
 * The answer to a command.
 *
 * - `done`: `state` is the state after it, `news` what happened since `base`.
 * - `kept`: an answer in a window; `move` is what will be done when the window closes.
 * - `refused`: against the rules; `code`, `parameters` and `clause` say why.
 * - `stale`: someone else was quicker; `state` and `news` say what happened.
 * - `problem`: the request itself was wrong.
 * @typedef {object} Answer
 * @property {"done" | "kept" | "refused" | "stale" | "problem"} type
 * @property {number} status
 * @property {number} [seq]
 * @property {Entry[]} [news]
 * @property {State} [state]
 * @property {string} [code]
 * @property {Record<string, string | number>} [parameters]
 * @property {string | null} [clause]
 * @property {string} [move]
 * @property {any} [body] the whole answer
 */

/** What happened, and the state after it. @typedef {{events: Entry[], state: State}} NewsMessage */
/** Someone came or went. @typedef {{seat: number, present: boolean}} PresenceMessage */
/** What the viewer has answered in a window, perhaps on another device. @typedef {{window: number, answered: string}} NoteMessage */

/**
 * The events that a connection dispatches, by name: `news`, `presence` and `note` are CustomEvents whose `detail` is
 * the message; `link` is an Event after which `connection.link` differs.
 * @typedef {{news: NewsMessage, presence: PresenceMessage, note: NoteMessage}} Messages
 */

/**
 * @typedef {EventTarget & {
 *   link: Link,
 *   clock: number,
 *   load: () => Promise<Facts & State>,
 *   open: (since: number) => void,
 *   close: () => void,
 *   send: (command: string, fields?: object) => Promise<Answer>,
 *   hint: (game: string, names: string[]) => Promise<Answer>,
 *   history: () => Promise<{news: Entry[], state: State}>,
 * }} TableConnection
 *
 * `load` returns how the table stands (and throws a Problem with status 404 if there is none), and sets `clock`, an
 * estimate of the table's clock minus this device's; `open` begins to
 * dispatch events from the number `since` on. The commands of `send` are `play` {base, move}, `react` {base, move},
 * `hold` {base}, `give-time` {given}, `pace` {pace}, `hurry`, `undo` {base}, `undo/answer` {agreed}, `resign`, `end`, `end/answer` {agreed}, `say` {phrase}, `stay`, `leave`, `come`,
 * `rename` {name, face, tint}, `rematch` {share, game, options} and `hand-over`; in the lobby also `sit`, `stand`, `place`,
 * `host`, `remove` {seat}, `lock` {locked} and `start`.
 */

export {};
