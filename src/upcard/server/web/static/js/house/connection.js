// The connection to a table on a server: it delivers every event after a number, however often the network fails.
//
// It reads server-sent events by fetch. EventSource does not report why it is refused, and cannot watch a table without
// the browser's identity, as the big screen does.
// @ts-check
import { getJson, post, send } from "./http.js";

/** @typedef {import("./messages.js").Link} Link */

// Milliseconds before each further attempt to connect.
const PAUSES = [250, 500, 1000, 2000, 4000, 8000];
// After a longer sleep than this, in milliseconds, a phone may have a dead connection without noticing.
const ASLEEP = 20_000;
// The server writes at least a comment every 15 seconds. A connection without any byte for this long is dead, in
// milliseconds.
const SILENCE = 40_000;

/** @implements {EventTarget} */
export class RemoteTable extends EventTarget {
  /** @type {Link} */
  link = "connecting";
  clock = 0;
  /** @type {any[]} */
  #events = [];
  #attempts = 0;
  #closed = false;
  #hiddenAt = 0;
  /** @type {AbortController | null} */
  #reading = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #silence;

  /**
   * @param {string} table
   * @param {{anonymous?: boolean}} [options] `anonymous`: watch it without the browser's identity
   */
  constructor(table, { anonymous = false } = {}) {
    super();
    this.address = `/api/tables/${encodeURIComponent(table)}`;
    /** @type {RequestCredentials} */
    this.credentials = anonymous ? "omit" : "same-origin";
    /** @type {number | null} */
    this.seq = null;
  }

  async load() {
    return getJson(this.address, { credentials: this.credentials }, (response) => {
      // The header is accurate to a second; entries are more accurate.
      const date = Date.parse(response.headers.get("date") ?? "");
      this.clock = Number.isNaN(date) ? 0 : (date + 500 - Date.now()) / 1000;
    });
  }

  /** @param {string} command @param {object} [fields] */
  send(command, fields) {
    return send(`${this.address}/${command}`, fields);
  }

  /** Ask for what the seat may know; a bot on this device chooses the move. @param {string} game @param {string[]} names */
  async hint(game, names) {
    const answer = await post(`${this.address}/to-think`, {});
    if (answer.type !== "done") return answer;
    // Most people never ask.
    const { device } = await import("../local/device.js");
    const { seq, ...turn } = answer.body;
    return { ...answer, body: { seq, ...(await device.ask("advise", { game, names, ...turn })) } };
  }

  history() {
    return getJson(`${this.address}/events?since=0`, { credentials: this.credentials });
  }

  /** @param {number} since */
  open(since) {
    this.seq = since;
    addEventListener("online", this.#now);
    addEventListener("offline", this.#lose);
    document.addEventListener("visibilitychange", this.#wake);
    this.#connect();
  }

  close() {
    this.#closed = true;
    removeEventListener("online", this.#now);
    removeEventListener("offline", this.#lose);
    document.removeEventListener("visibilitychange", this.#wake);
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#reading?.abort();
  }

  /** Reconnect immediately. */
  #now = () => {
    if (this.#closed) return;
    clearTimeout(this.#retry);
    this.#attempts = 0;
    this.#reading?.abort();
    this.#connect();
  };

  #lose = () => {
    this.#reading?.abort();
    this.#become("lost");
  };

  #wake = () => {
    if (document.visibilityState === "hidden") this.#hiddenAt = Date.now();
    else if (this.link !== "open" || Date.now() - this.#hiddenAt > ASLEEP) this.#now();
  };

  /** Data has arrived. */
  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(this.#now, SILENCE);
  }

  /** @param {Link} link */
  #become(link) {
    if (this.link === link) return;
    this.link = link;
    this.dispatchEvent(new Event("link"));
  }

  async #connect() {
    const reading = new AbortController();
    this.#reading = reading;
    this.#events = [];
    this.#listen();
    try {
      const response = await fetch(`${this.address}/events`, {
        headers: { Accept: "text/event-stream", "Last-Event-ID": `${this.seq}` },
        credentials: this.credentials,
        cache: "no-store",
        signal: reading.signal,
      });
      if (response.status === 404) {
        clearTimeout(this.#silence);
        this.#become("closed");
        return;
      }
      if (response.ok && response.body) await this.#read(response.body, reading.signal);
    } catch {
      // The connection broke. The next attempt follows below, unless another one has begun.
    }
    if (this.#closed || this.#reading !== reading) return;
    clearTimeout(this.#silence);
    this.#become("lost");
    const wait = PAUSES[Math.min(this.#attempts++, PAUSES.length - 1)];
    this.#retry = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  /** @param {ReadableStream<Uint8Array>} body @param {AbortSignal} signal */
  async #read(body, signal) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      this.#listen();
      text += decoder.decode(value, { stream: true });
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) this.#receive(part);
    }
  }

  /** @param {string} part one server-sent event */
  #receive(part) {
    let kind = "message";
    let data = "";
    for (const line of part.split("\n")) {
      if (line.startsWith("event: ")) kind = line.slice(7);
      else if (line.startsWith("data: ")) data = line.slice(6);
    }
    if (data === "") return;
    const message = JSON.parse(data);
    if (kind === "message") {
      this.#events.push(message);
    } else if (kind === "state") {
      this.seq = message.seq;
      this.#attempts = 0;
      this.#become("open");
      this.#emit("news", { events: this.#events.splice(0), state: message });
    } else {
      this.#emit(kind, message);
    }
  }

  /**
   * @param {string} kind
   * @param {unknown} detail
   */
  #emit(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
