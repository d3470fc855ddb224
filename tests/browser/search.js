/** Let a tree grow as tests/browser/test_rules.py says: return all its nodes as numbers, and what the bot thinks. */

/** @param {any} task */
export async function answer(task) {
  const { M, allocate } = await import(`${task.folder}/memory.js`);
  const { grow } = await import(`${task.folder}/${task.game}/search.js`);
  const { room, sizes } = task;
  const placed = (/** @type {number[]} */ numbers) => {
    const at = allocate(numbers.length);
    M.set(numbers, at);
    return at;
  };
  const [table, result] = [sizes.table, sizes.result].map(allocate);
  const [moves, scores, marks, expected, walk] = [room.moves, room.moves, room.all, 6, 64].map(allocate);
  const nodes = allocate(room.nodes * sizes.nodes);
  const growth = allocate(sizes.growth);
  M[growth] = 1;
  const position = [placed(task.view), null, true, placed(task.dice), table, result];
  grow(task.simulations, task.horizon, ...position, moves, scores, marks, expected, walk, nodes, growth);
  const grown = Array.from(M.subarray(nodes, nodes + M[growth] * sizes.nodes));
  return { grown, thoughts: await thoughts(task) };
}

/** The search bot's results for the moves in the same position. @param {any} task */
async function thoughts(task) {
  const { GAME } = await import(`${task.folder}/${task.game}/game.js`);
  await import(`${task.folder}/${task.game}/bots.js`);
  const { Match } = await import(`${task.folder}/upcard/match/match.js`);
  const { Budget, Turn } = await import(`${task.folder}/upcard/bots/bot.js`);
  const { Search } = await import(`${task.folder}/upcard/bots/search.js`);
  const match = new Match(GAME, { players: 3 }, new TextEncoder().encode("search"));
  for (let made = 0; made < 5; made++) match.make(GAME.legal_moves(match.table)[0]);
  const turn = new Turn(GAME, match.view(match.to_move), GAME.legal_moves(match.table), [], new Budget(500));
  return new Search(new TextEncoder().encode("dice")).think(turn).map((one) => Object.values(one));
}
