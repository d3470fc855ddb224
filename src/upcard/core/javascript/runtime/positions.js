/** Positions as text are read by Python alone: a local table always begins with a deal. */

/** @returns {never} */
export function read_position() {
  throw new Error("a position is not read here");
}
