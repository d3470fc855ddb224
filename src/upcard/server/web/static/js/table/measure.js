// Measurements of how smoothly the table moves, and how soon it responds, for benchmarks.
// @ts-check

/** @typedef {import("./table.js").UpcardTable} UpcardTable */
/** @typedef {import("./types.js").Entry} Entry */

/** Wait for the next frame. */
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Wait until the next frame has been drawn. */
async function drawn() {
  await frame();
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

/**
 * Show entries one by one and count the frames.
 * @param {UpcardTable} table
 * @param {Entry[]} entries
 * @returns {Promise<{frames: number, seconds: number, fps: number, longest: number, late: number}>} the longest
 *   frame in milliseconds, and how many took more than two of sixty in a second
 */
export async function measureFrames(table, entries) {
  /** @type {number[]} */
  const gaps = [];
  let going = true;
  let last = await frame();
  const begin = last;
  const count = async () => {
    while (going) {
      const now = await frame();
      gaps.push(now - last);
      last = now;
    }
  };
  const counting = count();
  // Without a time, an entry is never late, so all motion is shown.
  for (const entry of entries) await table.tell([{ ...entry, at: 0 }]);
  going = false;
  await counting;
  const seconds = (last - begin) / 1000;
  return {
    frames: gaps.length,
    seconds,
    fps: gaps.length / seconds,
    longest: Math.max(...gaps),
    late: gaps.filter((gap) => gap > 34).length,
  };
}

/**
 * Tap on every card that can be picked, and let go of it again.
 * @param {UpcardTable} table
 * @returns {Promise<number[]>} for each tap, after how many milliseconds its answer was on the screen
 */
export async function measureTaps(table) {
  const cards = /** @type {HTMLElement[]} */ ([...table.querySelectorAll(".ready")]);
  const times = [];
  for (const card of cards) {
    await drawn();
    const begin = performance.now();
    card.click();
    await drawn();
    times.push(performance.now() - begin);
    table.letGo();
    await table.updateComplete;
  }
  return times;
}
