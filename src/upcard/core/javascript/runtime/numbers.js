/** Integer operations in which JavaScript differs from Python. */

/**
 * The quotient, rounded down. Engines divide non-negative integers much faster.
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
export function quotient(a, b) {
  return a >= 0 && b > 0 ? (a / b) | 0 : Math.floor(a / b);
}

/**
 * The remainder with the sign of the divisor.
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
export function modulo(a, b) {
  if (a >= 0 && b > 0) return a % b;
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/**
 * @param {boolean} condition
 * @param {string} what
 * @param {string} where
 */
function demand(condition, what, where) {
  if (!condition) throw new RangeError(`${where}: ${what}`);
}

// The functions below are used only by modules with checks, as in tests.

/** A number that a field can hold. @param {number} a @param {string} where @returns {number} */
export function fit(a, where) {
  demand((a | 0) === Number(a), `${a} is not a whole number of 32 bits`, where);
  return a;
}

/** The result of an operation, if it is exact. @param {number} a @param {string} where @returns {number} */
export function exact(a, where) {
  demand(Number.isSafeInteger(a), `${a} is too large to be exact`, where);
  return a;
}

/** A place within a list. @param {number} a @param {number} length @param {string} where @returns {number} */
export function within(a, length, where) {
  demand(Number.isInteger(Number(a)) && a >= 0 && a < length, `there is no place ${a} of ${length}`, where);
  return a;
}

/** A divisor. @param {number} a @param {string} where @returns {number} */
export function divisor(a, where) {
  demand(Number(a) !== 0, "division by zero", where);
  return a;
}

/** A shift of bits. @param {number} a @param {string} where @returns {number} */
export function steps(a, where) {
  return within(a, 32, where);
}
