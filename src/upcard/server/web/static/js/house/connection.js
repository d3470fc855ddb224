// The connection to a table: all that happens there, from a number on, whatever happens to the network.
//
// It reads server-sent events by fetch and not by EventSource, which does not tell why it is refused and cannot look
// at a table as somebody whom the server does not know (the room does: nobody's hand is shown there).
// @ts-check

/** @typedef {"coming" | "there" | "away" | "gone"} Link */

const PAUSES = [250, 500, 1000, 2000, 4000, 8000];
// A phone that slept for longer than this may have a connection that is dead without knowing it.
const ASLEEP = 20_000;

export class Connection extends EventTarget {
  /** @type {Link} */
  link = "coming";
  /** @type {any[]} */
  #events = [];
  #attempts = 0;
  #closed = false;
  #hiddenAt = 0;
  /** @type {AbortController | null} */
  #reading = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} table
   * @param {{since?: number | null, unknown?: boolean}} [how] `unknown`: look at it as nobody in particular
   */
  constructor(table, { since = null, unknown = false } = {}) {
    super();
    this.address = `/api/tables/${encodeURIComponent(table)}/events`;
    /** @type {RequestCredentials} */
    this.credentials = unknown ? "omit" : "same-origin";
    this.seq = since;
  }

  open() {
    addEventListener("online", this.#now);
    addEventListener("offline", this.#lost);
    document.addEventListener("visibilitychange", this.#woken);
    this.#connect();
  }

  close() {
    this.#closed = true;
    removeEventListener("online", this.#now);
    removeEventListener("offline", this.#lost);
    document.removeEventListener("visibilitychange", this.#woken);
    clearTimeout(this.#timer);
    this.#reading?.abort();
  }

  /** Connect anew, at once. */
  #now = () => {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#attempts = 0;
    this.#reading?.abort();
    this.#connect();
  };

  #lost = () => {
    this.#reading?.abort();
    this.#become("away");
  };

  #woken = () => {
    if (document.visibilityState === "hidden") this.#hiddenAt = Date.now();
    else if (this.link !== "there" || Date.now() - this.#hiddenAt > ASLEEP) this.#now();
  };

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
    try {
      const headers = { Accept: "text/event-stream", ...(this.seq === null ? {} : { "Last-Event-ID": `${this.seq}` }) };
      const answer = await fetch(this.address, {
        headers,
        credentials: this.credentials,
        cache: "no-store",
        signal: reading.signal,
      });
      if (answer.status === 404) return this.#become("gone");
      if (answer.ok && answer.body) await this.#read(answer.body);
    } catch {
      // Broken off: it is tried again below, unless somebody else does that already.
    }
    if (this.#closed || this.#reading !== reading || this.link === "gone") return;
    this.#become("away");
    const wait = PAUSES[Math.min(this.#attempts++, PAUSES.length - 1)];
    this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  /** @param {ReadableStream<Uint8Array>} body */
  async #read(body) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) this.#hear(part);
    }
  }

  /** @param {string} part one server-sent event */
  #hear(part) {
    let kind = "message";
    let data = "";
    for (const line of part.split("\n")) {
      if (line.startsWith("event: ")) kind = line.slice(7);
      else if (line.startsWith("data: ")) data = line.slice(6);
    }
    if (data === "") return;
    const told = JSON.parse(data);
    if (kind === "message") {
      this.#events.push(told);
    } else if (kind === "state") {
      this.seq = told.seq;
      this.#attempts = 0;
      this.#become("there");
      this.#tell("news", { events: this.#events.splice(0), state: told });
    } else {
      this.#tell(kind, told);
    }
  }

  /**
   * @param {string} kind
   * @param {unknown} detail
   */
  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
