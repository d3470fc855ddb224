// The window in which everybody is asked whether they block: the same for all, and unhurried.
// @ts-check
import { LitElement, html, nothing } from "../../vendor/lit.js";

/** @typedef {import("./types.js").Asking} Window */
/** @typedef {import("./types.js").Words} Words */

const AROUND = 2 * Math.PI * 20;
const OFTEN = 250;

export class UpcardAsking extends LitElement {
  /** Whether the focus was here before what is being drawn. */
  #held = false;

  static properties = {
    words: { attribute: false },
    asking: { attribute: false },
    pile: {},
    seconds: { attribute: false },
    names: { attribute: false },
  };

  constructor() {
    super();
    // The table gives these before anything is drawn.
    /** @type {Words} */
    this.words = /** @type {any} */ (null);
    /** @type {Window} */
    this.asking = /** @type {any} */ (null);
    this.pile = "";
    /** How long such a window is open. */
    this.seconds = 0;
    /** @type {string[]} */
    this.names = [];
    this.ends = 0;
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

  /** @param {Map<PropertyKey, any>} changed */
  willUpdate(changed) {
    this.#held = this.contains(document.activeElement);
    const before = changed.get("asking");
    if (!changed.has("asking") || before?.opened === this.asking.opened) return;
    // The clocks of two machines seldom agree. Where they clearly do not, the window begins when it is first seen.
    const left = this.asking.closes - Date.now() / 1000;
    this.ends = Date.now() / 1000 + (left > 0 && left <= this.seconds ? left : this.seconds);
  }

  /** The next window may not have the answer that the focus was on. */
  updated() {
    if (this.#held && !this.contains(document.activeElement)) this.focus({ preventScroll: true });
  }

  render() {
    const { answers, answered, asked } = this.asking;
    const left = Math.max(0, this.ends - Date.now() / 1000);
    const names = asked.map((seat) => this.names[seat - 1]).join(", ");
    const t = (/** @type {string} */ code, /** @type {Record<string, string | number>} */ gaps = {}) =>
      this.words.t(`web.table_${code}`, gaps);
    return html`<section class="asking" aria-label=${t("asking", { pile: this.pile })}>
      <svg class="ring" viewBox="-24 -24 48 48" aria-hidden="true" focusable="false">
        <circle r="20" />
        <circle
          class="left"
          r="20"
          transform="rotate(-90)"
          stroke-dasharray=${AROUND}
          stroke-dashoffset=${AROUND * (1 - (this.seconds ? left / this.seconds : 0))}
        />
        <text y="6">${this.words.number(Math.ceil(left))}</text>
      </svg>
      <div class="question">
        <h2>${t("asking", { pile: this.pile })}</h2>
        <p>${t("asking_left", { count: Math.ceil(left) })} ${this.#standing(t, names)}</p>
      </div>
      ${answers.length
        ? html`<div class="answers">
            ${answers.map(
              (move) =>
                html`<button
                  type="button"
                  class="answer ${move}"
                  aria-pressed=${String(answered === move)}
                  @click=${() => this.#answer(move)}
                >
                  ${t(`answer_${move}`)}
                </button>`,
            )}
          </div>`
        : nothing}
    </section>`;
  }

  /** @param {(code: string, gaps?: Record<string, string | number>) => string} t @param {string} names */
  #standing(t, names) {
    const { answers, answered } = this.asking;
    if (answered) return t(`answered_${answered}`);
    return answers.length ? t("asking_you") : t("asking_others", { names });
  }

  /** @param {string} move */
  #answer(move) {
    this.dispatchEvent(new CustomEvent("answer", { detail: { move }, bubbles: true }));
  }
}

customElements.define("upcard-asking", UpcardAsking);
