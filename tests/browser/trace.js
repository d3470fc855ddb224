/** Play whole games as tests/browser/test_rules.py says, and return a hash of all memory, and all events. */

/**
 * @param {{folder: string, game: string, room: number, sizes: Record<string, number>, games: any[]}} task
 */
export async function answer({ folder, game, room, sizes, games }) {
  const { createHash } = await import("node:crypto");
  const { M, allocate, borrow } = await import(`${folder}/memory.js`);
  const { listen } = await import(`${folder}/events.js`);
  const { set_key } = await import(`${folder}/core.js`);
  const { trace } = await import(`${folder}/${game}/trace.js`);
  const { apply, deal, legal } = await import(`${folder}/${game}/rules.js`);

  const placed = (/** @type {number[]} */ numbers) => {
    const at = allocate(numbers.length);
    M.set(numbers, at);
    return at;
  };

  /** A game with the moves that `trace` chooses, as one hash. @param {any} one */
  const traced = (one) => {
    const [tables, views, imagined] = [sizes.table, sizes.view, sizes.table].map((size) => allocate(room * size));
    const [moves, choices, result] = [sizes.moves, room, sizes.result].map(allocate);
    const keys = one.keys.map(placed);
    const made = trace(placed(one.start), ...keys, tables, views, imagined, moves, choices, result);
    const digest = createHash("sha256");
    const kept = [
      ...[[tables, sizes.table], [views, sizes.view], [imagined, sizes.table]].map(([at, size]) => [at, (made + 1) * size]),
      ...[[choices, made + 1], [result, sizes.result]],
    ];
    for (const [at, size] of kept) digest.update(Buffer.from(M.buffer, at * 4, size * 4));
    return { made, hash: digest.digest("hex") };
  };

  /** The events of the same game, those of the deal first. @param {any} one */
  const heard = (one) => {
    const table = placed(one.start);
    const moves = allocate(sizes.moves);
    set_key(table + sizes.chance, placed(one.keys[0]));
    const events = [listen(table, () => deal(table))];
    for (const choice of one.choices) {
      legal(table, moves);
      events.push(listen(table, () => apply(table, M[moves + choice])));
    }
    return events.map((some) => some.map((/** @type {any} */ event) => Object.values(event)));
  };

  return games.map((one) => borrow(() => ({ ...traced(one), events: heard(one) })));
}
