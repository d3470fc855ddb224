/** The memory that all tables, views and trees lie in: whole numbers of 32 bits. A struct is the place where it begins. */

/** There is room for @WORDS@ numbers. A page of memory that is never used costs nothing. */
const memory = new Int32Array(@WORDS@);
export { memory as M };

/** What functions return that return several numbers. */
export const RETURNED = new Int32Array(16);

/** Place 0 is left free, so that no struct is there. */
let used = 1;

/**
 * Return the place of a free stretch of memory, all zero.
 * @param {number} size
 * @returns {number}
 */
export function allocate(size) {
  const at = used;
  if (at + size > memory.length) throw new Error(`there is no room for ${size} more numbers`);
  used += size;
  memory.fill(0, at, used);
  return at;
}

/**
 * Call a function, and then free all memory that was allocated meanwhile. What it returns must not lie there.
 * @template T
 * @param {() => T} action
 * @returns {T}
 */
export function borrow(action) {
  const before = used;
  try {
    return action();
  } finally {
    used = before;
  }
}

/**
 * Make one struct equal to another. Most are so small that a loop is quicker than `copyWithin`.
 * @param {number} target
 * @param {number} source
 * @param {number} size
 */
export function copy(target, source, size) {
  if (size > 64) {
    memory.copyWithin(target, source, source + size);
    return;
  }
  for (let place = 0; place < size; place++) memory[target + place] = memory[source + place];
}
