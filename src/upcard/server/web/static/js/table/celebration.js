// The end of a game: the winner with a crown before a fan of cards, confetti and tokens that tumble down, scores that
// count up, and a kind word for those who did not win. It is over after a few seconds; nothing loops.
// @ts-check
import { LitElement, html, nothing } from "../../vendor/lit.js";
import { crown, face, lookOf, token } from "./cards.js";
import { drawingOf } from "./drawings.js";
import { faceOf, portrait, tintOf } from "./faces.js";

/** @typedef {import("./types.js").Facts} Facts */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Words} Words */

// Gold and paper, beside the colours of the game.
const COLOURS = ["#ffcb47", "#fff8e8", "#ff9635"];
const PIECES = 170;
// How long confetti falls and scores count, in milliseconds.
const FALL = 3600;
const COUNT = 1100;
// The most cards of a fan.
const FAN = 7;
// The acceleration and the terminal speed of paper, as parts of the height per millisecond.
const GRAVITY = 2.4e-6;
const SLOWEST = 0.00042;

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

export class UpcardCelebration extends LitElement {
  static properties = {
    words: { attribute: false },
    facts: { attribute: false },
    state: { attribute: false },
    ranks: { type: Boolean },
    counted: { state: true },
  };

  #frame = 0;

  constructor() {
    super();
    // Set before the first update.
    /** @type {Words} */
    this.words = /** @type {any} */ (null);
    /** @type {Facts} */
    this.facts = /** @type {any} */ (null);
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** Whether the scores are shown too. */
    this.ranks = false;
    /** How much of the scores has been counted, from 0 to 1. */
    this.counted = 1;
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    cancelAnimationFrame(this.#frame);
  }

  /** Let the confetti fall, again if wanted. */
  celebrate() {
    cancelAnimationFrame(this.#frame);
    const canvas = this.querySelector("canvas");
    const context = canvas?.getContext("2d");
    if (!canvas || !context || still()) return;
    const { width, height } = this.getBoundingClientRect();
    if (!width) return;
    Object.assign(canvas, { width, height });
    const shown = [...this.querySelectorAll(".fan .face, .tumbling .token")];
    const colours = [...COLOURS, ...new Set(shown.map((each) => getComputedStyle(each).getPropertyValue("--fill").trim()).filter(Boolean))];
    const pieces = Array.from({ length: PIECES }, () => pieceOf(width, height, colours));
    const begin = performance.now();
    let last = begin;
    const draw = (/** @type {number} */ now) => {
      const age = Math.max(0, now - begin);
      const step = Math.min(40, now - last);
      last = now;
      context.clearRect(0, 0, width, height);
      context.globalAlpha = Math.min(1, (FALL - age) / 700);
      for (const piece of pieces) fall(piece, step, height, context);
      this.counted = Math.min(1, age / COUNT);
      if (age < FALL) this.#frame = requestAnimationFrame(draw);
      else context.clearRect(0, 0, width, height);
    };
    this.counted = 0;
    this.#frame = requestAnimationFrame(draw);
  }

  firstUpdated() {
    // A closed sheet has no size yet.
    new ResizeObserver(([{ contentRect }], observer) => {
      if (!contentRect.width) return;
      observer.disconnect();
      this.celebrate();
    }).observe(this);
  }

  render() {
    const { result, seats, you, view } = this.state ?? {};
    if (!result) return nothing;
    const drawing = drawingOf(this.facts.game);
    const cards = (drawing?.trophy?.(view, result.winners[0]) ?? []).slice(-FAN);
    const won = you !== null && result.winners.includes(you);
    const t = (/** @type {string} */ code) => this.words.t(`web.table_${code}`);
    return html`<div class="stage-of-honour" data-game=${this.facts.game}>
        <canvas aria-hidden="true"></canvas>
        <div class="trophy" aria-hidden="true">
          <span class="fan" .style=${`--cards: ${cards.length}`}>
            ${cards.map((card, place) => html`<span class="leaf" .style=${`--place: ${place}`}>${face(lookOf(card, drawing))}</span>`)}
          </span>
          <span class="winners">
            ${result.winners.map(
              (seat) => html`<span class="person">${portrait(faceOf(seats[seat - 1]), tintOf(seats[seat - 1], seat))}${crown()}</span>`,
            )}
          </span>
          <span class="tumbling">${(drawing?.tokens ?? []).map((hue, place) => html`<span .style=${`--place: ${place}`}>${token(hue)}</span>`)}</span>
        </div>
        ${you === null || won ? nothing : html`<p class="kind">${t(this.#close(you) ? "so_close" : "well_played")}</p>`}
      </div>
      ${this.ranks ? this.#ranks() : nothing}`;
  }

  /** Whether a seat was the best of those who did not win. @param {number} you */
  #close(you) {
    const { result } = this.state;
    if (!result) return false;
    const [winner] = result.winners;
    const gap = (/** @type {number} */ seat) => Math.abs(result.scores[seat - 1] - result.scores[winner - 1]);
    return result.scores.every((_, place) => result.winners.includes(place + 1) || gap(place + 1) >= gap(you));
  }

  #ranks() {
    const { result, seats } = this.state;
    if (!result) return nothing;
    const gap = (/** @type {number} */ seat) => Math.abs(result.scores[seat - 1] - result.scores[result.winners[0] - 1]);
    const order = seats.map((_, place) => place + 1).sort((one, other) => gap(one) - gap(other));
    const names = result.winners.map((seat) => seats[seat - 1].name);
    const said = names.length > 1 ? this.words.t("table.shared", { names: this.words.list(names) }) : this.words.t("table.won", { name: names[0] });
    return html`<h2 class="who-won">${said}</h2>
    <ol class="ranks">
      ${order.map(
        (seat) => html`<li class=${result.winners.includes(seat) ? "winner" : ""}>
          ${portrait(faceOf(seats[seat - 1]), tintOf(seats[seat - 1], seat))}<span class="who">${seats[seat - 1].name}</span>
          <b>${this.#score(Math.round(result.scores[seat - 1] * (1 - (1 - this.counted) ** 3)))}</b>
        </li>`,
      )}
    </ol>`;
  }

  /** @param {number} count */
  #score(count) {
    const code = `web.house_score_${this.facts.game}`;
    return this.words.has(code) ? this.words.t(code, { count }) : this.words.number(count);
  }
}

/** @typedef {{x: number, y: number, across: number, down: number, turn: number, spin: number, size: number, colour: string}} Piece */

/** A piece of paper: half of them are thrown up from the middle, the others fall from above. @param {number} width @param {number} height @param {string[]} colours @returns {Piece} */
function pieceOf(width, height, colours) {
  const thrown = Math.random() < 0.5;
  const angle = -Math.PI / 2 + (Math.random() - 0.5) * 2;
  const speed = height * (0.001 + Math.random() * 0.0014);
  return {
    x: thrown ? width * (0.42 + Math.random() * 0.16) : width * Math.random(),
    y: thrown ? height * 0.6 : -height * Math.random(),
    across: thrown ? Math.cos(angle) * speed * Math.min(2, width / height) : 0,
    down: thrown ? Math.sin(angle) * speed : height * SLOWEST,
    turn: Math.random() * 6,
    spin: (Math.random() - 0.5) * 0.014,
    size: 5 + Math.random() * Math.max(6, width / 80),
    colour: colours[Math.floor(Math.random() * colours.length)],
  };
}

/** @param {Piece} piece @param {number} step in milliseconds @param {number} height @param {CanvasRenderingContext2D} context */
function fall(piece, step, height, context) {
  // Paper falls slowly, however far.
  piece.down = Math.min(piece.down + height * GRAVITY * step, Math.max(piece.down, height * SLOWEST));
  piece.across *= 0.985;
  piece.x += piece.across * step;
  piece.y += piece.down * step;
  piece.turn += piece.spin * step;
  context.save();
  context.translate(piece.x, piece.y);
  context.rotate(piece.turn);
  context.scale(1, Math.cos(piece.turn * 2.3));
  context.fillStyle = piece.colour;
  context.fillRect(-piece.size / 2, -piece.size / 3, piece.size, piece.size * 0.66);
  context.restore();
}

// Nobody needs its styles before the end of a game.
const styles = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("../../css/celebration.css", import.meta.url).href });
// Without them it would be drawn twice, at two sizes.
await new Promise((ready) => {
  styles.onload = styles.onerror = ready;
  document.head.append(styles);
});

customElements.define("upcard-celebration", UpcardCelebration);
