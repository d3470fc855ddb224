// The HTTP client. Every command has an id, so that it can be repeated until there is an answer: the server does it once.
// @ts-check
import { codeOf } from "./store.js";

/** @typedef {import("./messages.js").Answer} Answer */

// Milliseconds before each further attempt.
const PAUSES = [300, 1000, 2500, 5000];
const ANSWERS = ["done", "kept", "refused", "stale"];
// Browsers log every response with an error status to the console. With this header, an ordinary refusal has the status
// 200, and its real status is in its body.
const HEADERS = { Accept: "application/json", "Upcard-Status": "body" };

/** There was no usable answer. */
export class Problem extends Error {
  /**
   * @param {number} status 0 if there was no answer
   * @param {any} [body]
   */
  constructor(status, body) {
    super(body?.detail ?? `status ${status}`);
    this.status = status;
    this.type = body?.type ?? "";
    /** @type {Record<string, string | number>} */
    this.parameters = {};
  }

  /** The code of a sentence that describes it. */
  get code() {
    return codeOf(this.status);
  }
}

/** A command was refused by the rules. */
export class Refusal extends Error {
  /** @param {Answer} answer */
  constructor({ code = "", parameters = {} }) {
    super(code);
    this.code = code;
    this.parameters = parameters;
  }
}

/** Whether the same request may succeed later. @param {number} status */
const isTemporary = (status) => status === 0 || status === 429 || status >= 500;

/** @param {number} bytes */
export function randomHex(bytes) {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The status of an answer. A problem has it in its body too. @param {Response} response @param {any} body */
const statusOf = (response, body) => (typeof body?.status === "number" ? body.status : response.status);

/** @param {number} time */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * Repeat a request after temporary problems, a few times.
 * @template T
 * @param {() => Promise<T>} request
 * @returns {Promise<T>}
 */
async function withRetries(request) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (problem) {
      const again = problem instanceof Problem && isTemporary(problem.status) && attempt < PAUSES.length;
      if (!again) throw problem;
      await pause(PAUSES[attempt]);
    }
  }
}

/**
 * @param {string} address
 * @param {RequestInit} [options]
 */
async function request(address, options) {
  try {
    return await fetch(address, options);
  } catch {
    throw new Problem(0);
  }
}

/**
 * @param {string} address
 * @param {RequestInit} [options]
 * @param {(response: Response) => unknown} [read] what else is read from the response
 * @returns {Promise<any>}
 */
export async function getJson(address, options = {}, read = () => null) {
  const response = await request(address, { headers: HEADERS, ...options });
  read(response);
  const body = await response.json().catch(() => null);
  const status = statusOf(response, body);
  if (status >= 400) throw new Problem(status, body);
  return body;
}

/**
 * Fetch something essential.
 * @param {string} address
 * @returns {Promise<Response>}
 */
export function getWithRetries(address) {
  return withRetries(async () => {
    const response = await request(address, { credentials: "same-origin" });
    if (!response.ok) throw new Problem(response.status);
    return response;
  });
}

/**
 * Send a request without an id, and therefore only once.
 * @param {string} address
 * @param {object} fields
 * @returns {Promise<Answer>}
 */
export async function post(address, fields) {
  const headers = { ...HEADERS, "Content-Type": "application/json" };
  const response = await request(address, { method: "POST", headers, body: JSON.stringify(fields) });
  const body = await response.json().catch(() => ({}));
  // The type of a problem is a URL, or missing.
  const status = statusOf(response, body);
  const type = ANSWERS.includes(body.type) ? body.type : status < 400 ? "done" : "problem";
  return { ...body, type, status, body };
}

/**
 * Send a command, repeatedly after temporary problems.
 * @param {string} address
 * @param {object} fields
 * @returns {Promise<Answer>}
 */
export function send(address, fields = {}) {
  const command = { id: randomHex(12), ...fields };
  return withRetries(async () => {
    const answer = await post(address, command);
    if (answer.type === "problem" && isTemporary(answer.status)) throw new Problem(answer.status, answer.body);
    return answer;
  });
}

/**
 * Send a command, and throw unless the server accepts or refuses it.
 * @param {string} address
 * @param {object} fields
 */
export async function sendOrThrow(address, fields = {}) {
  const answer = await send(address, fields);
  if (answer.type === "problem") throw new Problem(answer.status, answer.body);
  return answer;
}
