// Checks in the player's own browser that the deck was neither chosen nor changed.
// @ts-check

const TITLE = new TextEncoder().encode("upcard fairness 1");

/**
 * @param {string} hex
 * @returns {Uint8Array}
 */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * SHA-256 (FIPS 180-4). Browsers provide it, but not over plain HTTP, as at home.
 * @param {Uint8Array} message
 */
export function sha256(message) {
  const [start, rounds] = constants();
  const state = Uint32Array.from(start);
  const padded = new Uint8Array(((message.length + 72) >> 6) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(padded.length - 4, message.length << 3);
  for (let at = 0; at < padded.length; at += 64) compress(state, view, at, rounds);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setUint32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

/** @returns {[Uint32Array, Uint32Array]} the first bits of the roots of primes, as the standard has it */
function constants() {
  /** @type {number[]} */
  const primes = [];
  for (let number = 2; primes.length < 64; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return [Uint32Array.from(primes.slice(0, 8), (prime) => fraction(prime, 2)), Uint32Array.from(primes, (prime) => fraction(prime, 3))];
}

/**
 * The first 32 bits of the fraction of a root, in whole numbers: floor(root(prime * 2^(32 * degree))) mod 2^32.
 * @param {number} prime
 * @param {2 | 3} degree
 */
function fraction(prime, degree) {
  const wanted = BigInt(prime) << BigInt(32 * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle ** BigInt(degree) <= wanted) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

/**
 * @param {number} word
 * @param {number} by
 */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * @param {Uint32Array} state
 * @param {DataView} view
 * @param {number} at
 * @param {Uint32Array} rounds
 */
function compress(state, view, at, rounds) {
  const words = new Uint32Array(64);
  for (let place = 0; place < 16; place++) words[place] = view.getUint32(at + 4 * place);
  for (let place = 16; place < 64; place++) {
    const [late, early] = [words[place - 2], words[place - 15]];
    const mixedLate = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    const mixedEarly = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    words[place] = mixedLate + words[place - 7] + mixedEarly + words[place - 16];
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let place = 0; place < 64; place++) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + rounds[place] + words[place]) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] += word));
}

/**
 * The seed, derived from the server's secret and the shares of the devices.
 * @param {{secret: string, shares: (string | null)[]}} told
 */
export function seedOf({ secret, shares }) {
  const parts = [TITLE, bytesOf(secret)];
  for (const share of shares) {
    const bytes = bytesOf(share ?? "");
    parts.push(Uint8Array.of(bytes.length), bytes);
  }
  return hexOf(sha256(Uint8Array.from(parts.flatMap((part) => [...part]))));
}

/**
 * @typedef {object} Check
 * @property {string} code of a sentence
 * @property {boolean} right
 */

/**
 * Check a finished game. `commitment` is what this browser saw before the cards were dealt, `share` what it added.
 * @param {any} record
 * @param {{commitment?: string, share?: string, seat: number | null}} own
 * @returns {Check[]}
 */
export function check(record, own) {
  const told = record.fairness;
  if (!told) return [{ code: "web.house_fair_missing", right: false }];
  const checks = [
    { code: "web.house_fair_commitment", right: hexOf(sha256(bytesOf(told.secret))) === told.commitment },
    { code: "web.house_fair_seed", right: seedOf(told) === record.seed },
  ];
  if (own.commitment) checks.push({ code: "web.house_fair_published", right: own.commitment === told.commitment });
  if (own.share && own.seat) checks.push({ code: "web.house_fair_share", right: told.shares[own.seat - 1] === own.share });
  return checks;
}
