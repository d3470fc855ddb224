/** Play matches as tests/browser/test_words.py does, and return all that is said on the way. */

/** @type {any} */
let GAME, Match, Player, replay;

/** @param {any} message */
const said = (message) => (message === null ? null : [message.code, { ...message.parameters }, message.clause ?? ""]);

/** @param {any} match @param {number | null} seat @param {number} since */
function told(match, seat, since) {
  return match.events_for(seat, since).map((/** @type {any} */ event) => {
    const message = GAME.describe(event, match.names);
    return [GAME.show_event(event), said(message === null ? null : message.to(seat === null ? -1 : seat - 1))];
  });
}

/** @param {any} match @param {string} text */
function refused(match, text) {
  try {
    match.copy().play(text);
    return null;
  } catch (error) {
    return /** @type {any} */ (error).refusal ? said(/** @type {any} */ (error).refusal) : /** @type {Error} */ (error).message;
  }
}

/** @param {any} match @param {any} game */
function position(match, game) {
  const { table } = match;
  const seats = [null, ...match.players.map((/** @type {any} */ _, /** @type {number} */ i) => i + 1)];
  const curious = [null, match.to_move || 1];
  const legal = GAME.legal_moves(table);
  return {
    legal: match.legal,
    asked: match.asked,
    shown: seats.map((seat) => match.show(seat)),
    why: curious.map((seat) => legal.map((/** @type {number} */ move) => said(GAME.why(match.view(seat), move, match.names)))),
    refused: game.tried.map((/** @type {number} */ move) => (legal.includes(move) ? "" : said(GAME.explain(table, move)))),
    written: game.tried.map((/** @type {number} */ move) => GAME.write_move(table, move)),
    read: match.legal.map((/** @type {string} */ text) => GAME.read_move(table, ` ${text.toUpperCase()}`)),
    wrong: game.wrong.map((/** @type {string} */ text) => refused(match, text)),
  };
}

/** @param {any} game */
function played(game) {
  const players = game.names.map((/** @type {string} */ name, /** @type {number} */ i) => new Player(name, i ? "greedy" : null));
  const match = new Match(GAME, game.options, Uint8Array.from(game.seed), players, null, game.apart);
  const positions = [];
  const heard = [told(match, 1, 0)];
  for (const [number, move] of game.moves.entries()) {
    if (number % game.every === 0) positions.push(position(match, game));
    const known = match.events.length;
    match.make(move);
    heard.push(told(match, (number % (game.names.length + 1)) || null, known));
  }
  positions.push(position(match, game));
  const record = match.to_json(true);
  const again = replay(JSON.parse(record));
  const unseeded = replay({ ...JSON.parse(record), seed: null });
  match.undo(Math.floor(game.moves.length / 2));
  const replayed = [again.to_json(true) === record, unseeded.result];
  return { positions, heard, record, replayed, undone: match.to_json(), result: match.result };
}

/** @param {{folder: string, game: string, games: any[]}} task */
export async function answer(task) {
  ({ GAME } = await import(`${task.folder}/${task.game}/game.js`));
  ({ Match, Player } = await import(`${task.folder}/upcard/match/match.js`));
  ({ replay } = await import(`${task.folder}/upcard/match/replay.js`));
  return task.games.map(played);
}
