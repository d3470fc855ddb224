/** The measurements of benchmarks/javascript.py, the same in Node and in Chromium. */

/**
 * Play the games of some keys at random; return the number of moves, and the moves per second.
 * @param {string} base where the modules are
 * @param {{game: string, start: number[], keys: number[][], chance: number, dice: number, moves: number}} task
 */
export async function play(base, { game, start, keys, chance, dice, moves }) {
  const { M, allocate } = await import(`${base}/memory.js`);
  const { randint, set_key } = await import(`${base}/core.js`);
  const { apply, deal, legal } = await import(`${base}/${game}/rules.js`);
  const [table, own, listed, key] = [start.length, dice, moves, 8].map(allocate);
  const run = () => {
    let made = 0;
    for (const [of_cards, of_dice] of keys.map((one) => [one.slice(0, 8), one.slice(8)])) {
      M.set(start, table);
      M.set(of_cards, key);
      set_key(table + chance, key);
      M.set(of_dice, key);
      set_key(own, key);
      deal(table);
      for (let count = legal(table, listed); count > 0; count = legal(table, listed)) {
        apply(table, M[listed + randint(own, count)]);
        made++;
      }
    }
    return made;
  };
  return best(run);
}

/**
 * Search positions of a game; return the number of simulations, and the simulations per second.
 * @param {string} base
 * @param {{game: string, seed: number[], moves: number[], at: number[], simulations: number}} task
 */
export async function search(base, { game, seed, moves, at, simulations }) {
  const { GAME } = await import(`${base}/${game}/game.js`);
  await import(`${base}/${game}/bots.js`);
  const { Match } = await import(`${base}/upcard/match/match.js`);
  const { Budget, Turn } = await import(`${base}/upcard/bots/bot.js`);
  const { Search } = await import(`${base}/upcard/bots/search.js`);
  const match = new Match(GAME, { players: 2 }, Uint8Array.from(seed));
  /** @type {any[]} */
  const turns = [];
  moves.forEach((move, number) => {
    const budget = new Budget(simulations, null, false, true);
    if (at.includes(number)) turns.push(new Turn(GAME, match.view(match.to_move), GAME.legal_moves(match.table), [], budget));
    match.make_legal(move);
  });
  const visits = (/** @type {any} */ turn) =>
    new Search(new TextEncoder().encode("bench")).think(turn).reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.visits, 0);
  return best(() => turns.reduce((sum, turn) => sum + visits(turn), 0));
}

/**
 * The best of many short rounds: other programs can slow down some rounds, but not all.
 * @param {() => number} run
 */
function best(run) {
  let [done, speed] = [0, 0];
  const end = performance.now() + 4000;
  for (let round = 0; round < 10 || (round < 200 && performance.now() < end); round++) {
    const started = performance.now();
    done = run();
    speed = Math.max(speed, (1000 * done) / (performance.now() - started));
  }
  return { done, speed };
}
