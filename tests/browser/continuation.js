/** Replay records of continued games, and write them again. */

/** @param {{folder: string, game: string, records: any[]}} task */
export async function answer(task) {
  await import(`${task.folder}/${task.game}/game.js`);
  const { replay } = await import(`${task.folder}/upcard/match/replay.js`);
  return task.records.map((record) => {
    const match = replay(record);
    const written = match.to_json();
    match.undo(match.log_of_moves.length);
    return [written, match.show(record.continues.seat)];
  });
}
