// The window in which seats are asked out of turn. Everyone sees for a moment what is at stake. Players who are asked
// can take time with "Wait!", whatever they hold. The words of the question are the game's.
// @ts-check
import { LitElement, html, keyed, nothing, svg } from "../../vendor/lit.js";

/** @typedef {import("./types.js").Asking} Window */
/** @typedef {import("./types.js").Words} Words */

const AROUND = 2 * Math.PI * 20;
const OFTEN = 250;

export class UpcardAsking extends LitElement {
  /** Whether the focus was here before the update. */
  #held = false;

  static properties = {
    words: { attribute: false },
    asking: { attribute: false },
    question: { attribute: false },
    facts: { attribute: false },
    names: { attribute: false },
    unhurried: { attribute: false },
    you: { attribute: false },
    clock: { attribute: false },
  };

  constructor() {
    super();
    // Set by the table before the first update.
    /** @type {Words} */
    this.words = /** @type {any} */ (null);
    /** @type {Window} */
    this.asking = /** @type {any} */ (null);
    /** @type {import("./types.js").Question} */
    this.question = /** @type {any} */ (null);
    /** @type {import("./types.js").Facts} */
    this.facts = /** @type {any} */ (null);
    /** The viewer's seat. @type {number | null} */
    this.you = null;
    /** The server's clock minus this device's, in seconds. */
    this.clock = 0;
    /** @type {string[]} */
    this.names = [];
    /** The seats that always have time. @type {number[]} */
    this.unhurried = [];
    this.timer = 0;
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.requestUpdate(), OFTEN);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  willUpdate() {
    this.#held = this.contains(document.activeElement);
  }

  /** How long the window is open, in seconds; 0 if it waits as long as necessary. */
  get #seconds() {
    const { window_seconds = 0, hold_seconds = 0, unhurried } = this.facts;
    const { held_by, asked } = this.asking;
    const patient = asked.filter((seat) => held_by.includes(seat) && (unhurried || this.unhurried.includes(seat)));
    if (patient.length) return 0;
    return held_by.length ? hold_seconds : window_seconds;
  }

  /** Keep the focus here if the focused answer is gone. */
  updated() {
    if (this.#held && !this.contains(document.activeElement)) this.focus({ preventScroll: true });
  }

  render() {
    const { answers, answered, closes, held_by } = this.asking;
    const seconds = this.#seconds;
    const left = Math.max(0, Math.min(closes - (Date.now() / 1000 + this.clock), seconds));
    const holds = this.you !== null && held_by.includes(this.you);
    const t = (/** @type {string} */ code, /** @type {Record<string, string | number>} */ gaps = {}) =>
      this.words.t(`web.table_${code}`, gaps);
    const standing = this.#standing(t);
    // What is said decides how large it is, so it is drawn again: nothing slides under a finger.
    return keyed(`${standing} ${holds}`, html`<section class="asking ${holds ? "holds" : ""}" aria-label=${this.question.title}>
      ${seconds
        ? html`<svg class="ring" viewBox="-24 -24 48 48" aria-hidden="true" focusable="false">
        <circle r="20" />
        <circle
          class="left"
          r="20"
          transform="rotate(-90)"
          stroke-dasharray=${AROUND}
          stroke-dashoffset=${AROUND * (1 - left / seconds)}
        />
        ${keyed(Math.ceil(left), svg`<text y="6">${this.words.number(Math.ceil(left))}</text>`)}
      </svg>`
        : nothing}
      <div class="question">
        <h2>${this.question.title}</h2>
        ${this.question.stake ? html`<p class="stake">${this.question.stake}</p>` : nothing}
        <p>${standing}</p>
      </div>
      ${answers.length && !holds
        ? html`<div class="answers">
            <button type="button" class="wait strong" data-do="wait" @click=${() => this.#hold()}>${t("wait")}</button>
          </div>`
        : nothing}
      ${holds
        ? html`<div class="answers">
            ${answers.map(
              (move) =>
                html`<button
                  type="button"
                  class="answer ${move === this.question.strong ? "strong" : ""}"
                  data-answer=${move}
                  aria-pressed=${String(answered === move)}
                  @click=${() => this.#answer(move)}
                >
                  ${this.question.answer(move)}
                </button>`,
            )}
          </div>`
        : nothing}
    </section>`);
  }

  /** @param {(code: string, gaps?: Record<string, string | number>) => string} t */
  #standing(t) {
    const { answers, answered, asked, held_by } = this.asking;
    const namesOf = (/** @type {number[]} */ seats) => this.words.list(seats.map((seat) => this.names[seat - 1]));
    if (answered) return this.question.answered(answered);
    if (this.you !== null && held_by.includes(this.you)) return t("asking_you");
    if (answers.length) return t("asking_wait");
    return t("asking_others", { names: namesOf(held_by.length ? held_by : asked) });
  }

  #hold() {
    this.dispatchEvent(new CustomEvent("hold", { bubbles: true }));
  }

  /** @param {string} move */
  #answer(move) {
    this.dispatchEvent(new CustomEvent("answer", { detail: { move }, bubbles: true }));
  }
}

customElements.define("upcard-asking", UpcardAsking);
