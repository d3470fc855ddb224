// The end of a game: who won and why, whether all was fair, and what next.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { Problem, look, send } from "./asking.js";
import { HouseElement, define } from "./element.js";
import { check } from "./fairness.js";
import { icon } from "./icons.js";
import { origin, pass } from "./inviting.js";
import { pledgeOf } from "./mine.js";
import { t, words } from "./words.js";

class Result extends HouseElement {
  static properties = {
    facts: { attribute: false },
    state: { attribute: false },
    checks: { state: true },
    busy: { state: true },
    trouble: { state: true },
    passed: { state: true },
  };

  constructor() {
    super();
    // Given before anything is drawn.
    /** @type {import("../table/types.js").Facts} */
    this.facts = /** @type {any} */ (null);
    /** @type {import("../table/types.js").State} */
    this.state = /** @type {any} */ (null);
    /** @type {import("./fairness.js").Check[] | null} */
    this.checks = null;
    this.busy = false;
    this.trouble = "";
    this.passed = "";
  }

  async #check() {
    try {
      const record = await look(`/api/tables/${this.facts.table}/record`);
      const pledge = pledgeOf(this.facts.table);
      this.checks = check(record, { commitment: pledge.commitment ?? null, share: pledge.share ?? null, seat: this.state.you });
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
  }

  async #again() {
    if (this.state.rematch) {
      location.href = `/t/${this.state.rematch}`;
      return;
    }
    this.busy = true;
    try {
      const answer = await send(`/api/tables/${this.facts.table}/rematch`);
      const table = answer.state?.rematch ?? (await look(`/api/tables/${this.facts.table}`)).rematch;
      if (table) location.href = `/t/${table}`;
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
    this.busy = false;
  }

  get #replay() {
    const seat = this.state.you ? `&seat=${this.state.you}` : "";
    return `/replay?table=${encodeURIComponent(this.facts.table)}${seat}`;
  }

  async #share() {
    this.passed = await pass(`${origin()}/replay?table=${encodeURIComponent(this.facts.table)}`);
  }

  render() {
    const { result, seats, you } = this.state;
    if (!result) return nothing;
    const order = seats.map((_, place) => place);
    const best = this.facts.game === "stockpile" ? 1 : -1;
    order.sort((/** @type {number} */ a, /** @type {number} */ b) => {
      const won = Number(result.winners.includes(b + 1)) - Number(result.winners.includes(a + 1));
      return won || best * (result.scores[a] - result.scores[b]);
    });
    return html`<div class="result">
      <p class="headline">${this.#headline()}</p>
      <p>${t(`web.house_reason_${this.facts.game}_${result.reason}`)}</p>
      <ol class="scores">
        ${order.map(
          (/** @type {number} */ place) =>
            html`<li class=${result.winners.includes(place + 1) ? "winner" : ""}>
              <span>${seats[place].name}${place + 1 === you ? html` <small>${t("web.house_me")}</small>` : nothing}</span>
              <span>${t(`web.house_score_${this.facts.game}`, { count: result.scores[place] })}</span>
            </li>`,
        )}
      </ol>
      <div class="do">
        ${you === null
          ? nothing
          : html`<button class="primary" type="button" data-do="again" ?disabled=${this.busy} @click=${this.#again}>
              ${icon("again")} ${t(this.state.rematch ? "web.house_rematch_join" : "web.house_rematch")}
            </button>`}
        <a class="button" data-do="replay" href=${this.#replay}>${icon("play")} ${t("web.house_replay_do")}</a>
        <button type="button" data-do="fair" @click=${this.#check}>${icon("shield")} ${t("web.house_fair")}</button>
        <button type="button" data-do="share" @click=${this.#share}>${icon("share")} ${t("web.house_share_replay")}</button>
      </div>
      <p class="quiet" role="status">${this.passed ? t(`web.house_passed_${this.passed}`) : nothing}</p>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      <div role="status">${this.checks === null ? nothing : this.#checked(this.checks)}</div>
      <p class="links">
        <a href="/">${icon("home")} ${t("web.house_home")}</a>
        <a href="/api/tables/${this.facts.table}/record" download="${this.facts.game}.json">${t("web.house_record")}</a>
      </p>
    </div>`;
  }

  #headline() {
    const { result, seats, you } = this.state;
    if (result === null) return "";
    const names = result.winners.map((seat) => seats[seat - 1].name);
    if (names.length > 1) return t("table.shared", { names: words.list(names) });
    return result.winners[0] === you ? t("table.won_you") : t("table.won", { name: names[0] ?? "" });
  }

  /** @param {import("./fairness.js").Check[]} checks */
  #checked(checks) {
    const right = checks.every((one) => one.right);
    return html`<section class="checks ${right ? "right" : "wrong"}">
      <h3>${t(right ? "web.house_fair_right" : "web.house_fair_wrong")}</h3>
      <ul>
        ${checks.map((one) => html`<li class=${one.right ? "right" : "wrong"}>${icon(one.right ? "check" : "close")} ${t(one.code)}</li>`)}
      </ul>
    </section>`;
  }
}

define("upcard-result", Result);
