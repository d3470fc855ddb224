// The end of a game: the winners, the reason, the fairness, and the next steps.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import { token } from "../table/cards.js";
import { drawingOf } from "../table/drawings.js";
import { Problem, Refusal } from "./http.js";
import { HouseElement, define } from "./element.js";
import { reasonOf, scoreOf, titleOf } from "./games.js";
import { icon } from "./icons.js";
import { origin, pass } from "./invitation.js";
import { winsOf } from "./wins.js";
import { t, words } from "./words.js";

class Result extends HouseElement {
  static properties = {
    facts: { attribute: false },
    state: { attribute: false },
    ending: { attribute: false },
    checks: { state: true },
    busy: { state: true },
    trouble: { state: true },
    passed: { state: true },
  };

  constructor() {
    super();
    // Set before the first render.
    /** @type {import("../table/types.js").Facts} */
    this.facts = /** @type {any} */ (null);
    /** @type {import("../table/types.js").State} */
    this.state = /** @type {any} */ (null);
    /** @type {import("./table-page.js").Ending} */
    this.ending = /** @type {any} */ (null);
    /** @type {import("./fairness.js").Check[] | null} */
    this.checks = null;
    this.busy = false;
    this.trouble = "";
    this.passed = "";
  }

  connectedCallback() {
    super.connectedCallback();
    // Nobody needs it before the end of a game.
    import("../table/celebration.js").catch(() => null);
  }

  async #check() {
    try {
      this.checks = await this.ending.check();
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
  }

  /** @param {{game?: string, options?: object}} [plan] another game than the last one */
  async #again(plan = {}) {
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    try {
      location.href = await this.ending.again(plan);
    } catch (problem) {
      this.busy = false;
      this.trouble = problem instanceof Problem || problem instanceof Refusal ? t(problem.code, problem.parameters) : String(problem);
    }
  }

  async #share() {
    this.passed = await pass(`${origin()}${this.ending.shared}`);
  }

  render() {
    const { result, seats, you } = this.state;
    if (!result) return nothing;
    const order = seats.map((_, place) => place);
    const best = offers.games[this.facts.game]?.lowest_wins ? 1 : -1;
    order.sort((/** @type {number} */ a, /** @type {number} */ b) => {
      const won = Number(result.winners.includes(b + 1)) - Number(result.winners.includes(a + 1));
      return won || best * (result.scores[a] - result.scores[b]);
    });
    return html`<div class="result">
      ${result.winners.length ? html`<upcard-celebration .words=${words} .facts=${this.facts} .state=${this.state}></upcard-celebration>` : nothing}
      <p class="headline">${this.#headline()}</p>
      <p>${reasonOf(this.facts.game, result.reason)}</p>
      <ol class="scores">
        ${order.map(
          (/** @type {number} */ place) =>
            html`<li class=${result.winners.includes(place + 1) ? "winner" : ""}>
              <span>${seats[place].name}${place + 1 === you ? html` <small>${t("web.house_me")}</small>` : nothing}</span>
              <span>${this.#tally(place + 1)} ${scoreOf(this.facts.game, result.scores[place])}</span>
            </li>`,
        )}
      </ol>
      ${winsOf(this.state)}
      ${this.state.rematch && you !== null ? html`<p class="ready-ring" role="status">${t("web.house_rematch_waits")}</p>` : nothing}
      ${you === null
        ? nothing
        : html`<button class="primary" type="button" data-do="again" ?disabled=${this.busy} @click=${() => this.#again()}>
            ${icon("again")} ${t("web.house_rematch")}
          </button>`}
      <div class="do">
        <a class="button" data-do="replay" href=${this.ending.replay}>${icon("play")} ${t("web.house_replay_do")}</a>
        <button type="button" data-do="fair" @click=${this.#check}>${icon("shield")} ${t("web.house_fair")}</button>
        ${this.ending.shared === null
          ? nothing
          : html`<button type="button" data-do="share" @click=${this.#share}>${icon("share")} ${t("web.house_share_replay")}</button>`}
      </div>
      ${you === null || this.state.rematch ? nothing : this.#otherGames()}
      <p class="quiet" role="status">${this.passed ? t(`web.house_passed_${this.passed}`) : nothing}</p>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      <div role="status">${this.checks === null ? nothing : this.#checked(this.checks)}</div>
      <p class="links">
        <a href="/">${icon("home")} ${t("web.house_home")}</a>
        <a href=${this.ending.record} download="${this.facts.game}.json">${t("web.house_record")}</a>
      </p>
    </div>`;
  }

  /** A drawing of what a seat has won, if the score alone does not show the winner. @param {number} seat */
  #tally(seat) {
    const won = this.state.view ? (drawingOf(this.facts.game)?.tally?.(this.state.view, seat) ?? []) : [];
    if (won.length === 0) return nothing;
    const label = words.list(won.map(({ label, count }) => t(`web.table_${label}`, { count })));
    return html`<span class="tally" role="img" aria-label=${label}>
      ${won.flatMap(({ hue, count }) => Array.from({ length: count }, () => token(hue)))}
    </span>`;
  }

  /** The same people, another game. */
  #otherGames() {
    const players = this.state.seats.length;
    const others = Object.entries(offers.games).filter(([game, { least, most }]) => game !== this.facts.game && least <= players && players <= most);
    if (others.length === 0) return nothing;
    return html`<p class="other-games">
      <span>${t("web.house_other_game")}</span>
      ${others.map(
        ([game, { presets }]) =>
          html`<button type="button" data-do="again-${game}" ?disabled=${this.busy} @click=${() => this.#again({ game, options: presets[players] ?? {} })}>
            ${titleOf(game)}
          </button> `,
      )}
    </p>`;
  }

  #headline() {
    const { result, seats, you } = this.state;
    if (result === null) return "";
    const names = result.winners.map((seat) => seats[seat - 1].name);
    if (names.length === 0) return t("table.nobody_won");
    if (names.length > 1) return t("table.shared", { names: words.list(names) });
    return result.winners[0] === you ? t("table.won_you") : t("table.won", { name: names[0] ?? "" });
  }

  /** @param {import("./fairness.js").Check[]} checks */
  #checked(checks) {
    const right = checks.every((one) => one.right);
    return html`<section class="checks ${right ? "right" : "wrong"}">
      <h3>${t(right ? "web.house_fair_right" : "web.house_fair_wrong")}</h3>
      <details ?open=${!right}>
        <summary>${t("web.house_fair_details")}</summary>
        <ul>
          ${checks.map((one) => html`<li class=${one.right ? "right" : "wrong"}>${icon(one.right ? "check" : "close")} ${t(one.code)}</li>`)}
        </ul>
      </details>
    </section>`;
  }
}

define("upcard-result", Result);
