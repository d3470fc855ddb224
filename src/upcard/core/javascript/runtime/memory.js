/** The memory of all tables, views and trees: integers of 32 bits. A struct is represented by its address. */

/** There is room for @WORDS@ numbers. Unused pages of memory cost nothing. */
const memory = new Int32Array(@WORDS@);
export { memory as M };

/** The results of functions that return several numbers. */
export const RETURNED = new Int32Array(16);

/** Address 0 stays free, so that it can stand for no struct. */
let used = 1;

/**
 * Return the address of free memory, filled with zeros.
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
 * Call a function, and then free all memory that it has allocated. Its result must not lie there.
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
 * Copy one struct over another. Most are so small that a loop is faster than `copyWithin`.
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
