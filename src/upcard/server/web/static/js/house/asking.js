// Asking the server. Every command has an id, so that it can be sent again until an answer comes: it is done once.
// @ts-check

/**
 * @typedef {object} Answer
 * @property {"done" | "kept" | "refused" | "stale" | "problem"} type
 * @property {number} status
 * @property {number} [seq]
 * @property {any[]} [news]
 * @property {any} [state]
 * @property {string} [code]
 * @property {Record<string, string | number>} [parameters]
 * @property {string | null} [clause]
 * @property {string} [move]
 * @property {any} [body] whatever else was answered
 */

// How long to wait before each further attempt.
const PAUSES = [300, 1000, 2500, 5000];

/** Why there was no answer that one could use. */
export class Problem extends Error {
  /**
   * @param {number} status 0 if there was no answer at all
   * @param {any} [body]
   */
  constructor(status, body) {
    super(body?.detail ?? `status ${status}`);
    this.status = status;
    this.type = body?.type ?? "";
  }

  /** The code of a sentence about it. */
  get code() {
    if (this.status === 0) return "web.house_problem_offline";
    if (this.status === 404) return "web.house_problem_missing";
    if (this.status === 413) return "web.house_problem_large";
    if (this.status === 429) return "web.house_problem_often";
    if (this.status >= 500) return "web.house_problem_server";
    return "web.house_problem_other";
  }
}

/** @param {number} bytes */
export function randomHex(bytes) {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} time */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
export async function look(path, how = {}) {
  let answer;
  try {
    answer = await fetch(path, { headers: { Accept: "application/json" }, ...how });
  } catch {
    throw new Problem(0);
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new Problem(answer.status, body);
  return body;
}

/**
 * Send a command until it is answered, a few times at most.
 * @param {string} path
 * @param {object} fields
 * @returns {Promise<Answer>}
 */
export async function send(path, fields = {}) {
  const body = JSON.stringify({ id: randomHex(12), ...fields });
  for (let attempt = 0; ; attempt++) {
    const answer = await post(path, body);
    const again = answer === null || answer.status === 429 || answer.status >= 500;
    if (!again) return answer;
    if (attempt === PAUSES.length) {
      if (answer === null) throw new Problem(0);
      throw new Problem(answer.status, answer.body);
    }
    await pause(PAUSES[attempt]);
  }
}

/**
 * @param {string} path
 * @param {string} body
 * @returns {Promise<Answer | null>} null if nothing came back
 */
async function post(path, body) {
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const told = await answer.json().catch(() => ({}));
    // Only a problem has an address or a word for a type that is none of ours.
    const type = ["done", "kept", "refused", "stale"].includes(told.type) ? told.type : answer.ok ? "done" : "problem";
    return { ...told, type, status: answer.status, body: told };
  } catch {
    return null;
  }
}

/**
 * Ask something that has no id, and so only once.
 * @param {string} path
 * @param {object} fields
 */
export async function ask(path, fields) {
  const answer = await post(path, JSON.stringify(fields));
  if (answer === null) throw new Problem(0);
  return answer;
}

/**
 * Send a command, and throw if it was not done.
 * @param {string} path
 * @param {object} fields
 */
export async function insist(path, fields = {}) {
  const answer = await send(path, fields);
  if (answer.type === "problem") throw new Problem(answer.status, answer.body);
  return answer;
}
