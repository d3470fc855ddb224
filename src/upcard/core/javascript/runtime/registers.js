/** ChaCha's arithmetic in registers of 32 bits, as in registers.py. They are signed here, which does not change any bits. */

import { C0, C1, C2, C3, Chance_block, Chance_key, Chance_nonce, Chance_used, Chance_words } from "./core.js";
import { M as memory } from "./memory.js";

// Engines treat it as a constant only if it is local to this module.
const M = memory;

/** The same 32 bits as a signed number. @param {number} word @returns {number} */
export function signed(word) {
  return word | 0;
}

/**
 * Fill `words` with the next ChaCha block. The quarter rounds are written out, which is several times as fast as calls.
 * @param {number} chance place of a Chance
 * @param {number} double_rounds
 */
export function next_block(chance, double_rounds) {
  const [key, block, nonce] = [chance + Chance_key, M[chance + Chance_block], M[chance + Chance_nonce]];
  let x0 = C0 | 0, x1 = C1 | 0, x2 = C2 | 0, x3 = C3 | 0;
  let x4 = M[key], x5 = M[key + 1], x6 = M[key + 2], x7 = M[key + 3];
  let x8 = M[key + 4], x9 = M[key + 5], x10 = M[key + 6], x11 = M[key + 7];
  let x12 = block, x13 = 0, x14 = nonce, x15 = 0;
  for (let round = 0; round < double_rounds; round++) {
    x0 = (x0 + x4) | 0; x12 ^= x0; x12 = (x12 << 16) | (x12 >>> 16);
    x8 = (x8 + x12) | 0; x4 ^= x8; x4 = (x4 << 12) | (x4 >>> 20);
    x0 = (x0 + x4) | 0; x12 ^= x0; x12 = (x12 << 8) | (x12 >>> 24);
    x8 = (x8 + x12) | 0; x4 ^= x8; x4 = (x4 << 7) | (x4 >>> 25);
    x1 = (x1 + x5) | 0; x13 ^= x1; x13 = (x13 << 16) | (x13 >>> 16);
    x9 = (x9 + x13) | 0; x5 ^= x9; x5 = (x5 << 12) | (x5 >>> 20);
    x1 = (x1 + x5) | 0; x13 ^= x1; x13 = (x13 << 8) | (x13 >>> 24);
    x9 = (x9 + x13) | 0; x5 ^= x9; x5 = (x5 << 7) | (x5 >>> 25);
    x2 = (x2 + x6) | 0; x14 ^= x2; x14 = (x14 << 16) | (x14 >>> 16);
    x10 = (x10 + x14) | 0; x6 ^= x10; x6 = (x6 << 12) | (x6 >>> 20);
    x2 = (x2 + x6) | 0; x14 ^= x2; x14 = (x14 << 8) | (x14 >>> 24);
    x10 = (x10 + x14) | 0; x6 ^= x10; x6 = (x6 << 7) | (x6 >>> 25);
    x3 = (x3 + x7) | 0; x15 ^= x3; x15 = (x15 << 16) | (x15 >>> 16);
    x11 = (x11 + x15) | 0; x7 ^= x11; x7 = (x7 << 12) | (x7 >>> 20);
    x3 = (x3 + x7) | 0; x15 ^= x3; x15 = (x15 << 8) | (x15 >>> 24);
    x11 = (x11 + x15) | 0; x7 ^= x11; x7 = (x7 << 7) | (x7 >>> 25);
    x0 = (x0 + x5) | 0; x15 ^= x0; x15 = (x15 << 16) | (x15 >>> 16);
    x10 = (x10 + x15) | 0; x5 ^= x10; x5 = (x5 << 12) | (x5 >>> 20);
    x0 = (x0 + x5) | 0; x15 ^= x0; x15 = (x15 << 8) | (x15 >>> 24);
    x10 = (x10 + x15) | 0; x5 ^= x10; x5 = (x5 << 7) | (x5 >>> 25);
    x1 = (x1 + x6) | 0; x12 ^= x1; x12 = (x12 << 16) | (x12 >>> 16);
    x11 = (x11 + x12) | 0; x6 ^= x11; x6 = (x6 << 12) | (x6 >>> 20);
    x1 = (x1 + x6) | 0; x12 ^= x1; x12 = (x12 << 8) | (x12 >>> 24);
    x11 = (x11 + x12) | 0; x6 ^= x11; x6 = (x6 << 7) | (x6 >>> 25);
    x2 = (x2 + x7) | 0; x13 ^= x2; x13 = (x13 << 16) | (x13 >>> 16);
    x8 = (x8 + x13) | 0; x7 ^= x8; x7 = (x7 << 12) | (x7 >>> 20);
    x2 = (x2 + x7) | 0; x13 ^= x2; x13 = (x13 << 8) | (x13 >>> 24);
    x8 = (x8 + x13) | 0; x7 ^= x8; x7 = (x7 << 7) | (x7 >>> 25);
    x3 = (x3 + x4) | 0; x14 ^= x3; x14 = (x14 << 16) | (x14 >>> 16);
    x9 = (x9 + x14) | 0; x4 ^= x9; x4 = (x4 << 12) | (x4 >>> 20);
    x3 = (x3 + x4) | 0; x14 ^= x3; x14 = (x14 << 8) | (x14 >>> 24);
    x9 = (x9 + x14) | 0; x4 ^= x9; x4 = (x4 << 7) | (x4 >>> 25);
  }
  const words = chance + Chance_words;
  M[words] = x0 + C0;
  M[words + 1] = x1 + C1;
  M[words + 2] = x2 + C2;
  M[words + 3] = x3 + C3;
  M[words + 4] = x4 + M[key];
  M[words + 5] = x5 + M[key + 1];
  M[words + 6] = x6 + M[key + 2];
  M[words + 7] = x7 + M[key + 3];
  M[words + 8] = x8 + M[key + 4];
  M[words + 9] = x9 + M[key + 5];
  M[words + 10] = x10 + M[key + 6];
  M[words + 11] = x11 + M[key + 7];
  M[words + 12] = x12 + block;
  M[words + 13] = x13;
  M[words + 14] = x14 + nonce;
  M[words + 15] = x15;
  M[chance + Chance_block] = block + 1;
  M[chance + Chance_used] = 0;
}
