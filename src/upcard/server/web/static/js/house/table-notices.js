// Notices beside the game: banners that stay, and notices that can be dismissed.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { icon } from "./icons.js";
import { phraseOf } from "./phrases.js";
import { said, sentencesOf } from "./sentences.js";
import { secondsUntil } from "./store.js";
import { t, words } from "./words.js";

/** @typedef {import("./store.js").Model} Model */
/** @typedef {import("./table-page.js").TablePage} TablePage */

/** @param {Model} model */
export function linkBanner(model) {
  if (model.link !== "lost") return nothing;
  return html`<p class="banner away" role="status" data-banner="away">${t("web.house_away")}</p>`;
}

/** @param {TablePage} page */
export function banners(page) {
  const { state, model, session } = page;
  const own = state.you === null ? null : state.seats[state.you - 1];
  const playing = state.phase === "playing";
  return html`
    ${state.you === null && playing ? html`<p class="banner">${t("web.house_watching")}</p>` : nothing}
    ${own?.resigned && playing ? html`<p class="banner" role="status" data-banner="resigned">${t("web.house_resigned")}</p>` : nothing}
    ${own?.away && !own.resigned && playing
      ? html`<p class="banner" role="status" data-banner="sat-in">
          ${t("web.house_bot_plays")}
          <button class="primary" type="button" data-do="come" @click=${() => session?.do("come")}>${t("web.house_come_back")}</button>
        </p>`
      : nothing}
    ${model.missed > 0
      ? html`<p class="banner" role="status" data-banner="missed">
          ${t("web.house_missed", { count: model.missed })}
          <button type="button" @click=${() => page.openHistory()}>${t("web.house_history")}</button>
          ${dismissal(page, "missed")}
        </p>`
      : nothing}
    ${state.undo ? question(page, "undo", state.undo) : nothing} ${state.ending ? question(page, "end", state.ending) : nothing}
  `;
}

// A bot that will play for someone is announced this many seconds before.
const ANNOUNCED = 20;

/**
 * The player whom the table is waiting for, and the remaining time.
 * @param {Model} model
 * @param {number} now by this device's clock, in seconds
 * @returns {import("../table/types.js").Waiting | null}
 */
export function waiting(model, now) {
  const { state, facts } = model;
  if (!state?.deadline || state.to_move === null || facts?.patience === "none") return null;
  const left = secondsUntil(model, state.deadline, now);
  if (left > ANNOUNCED) return null;
  const yours = state.to_move === state.you ? "_you" : "";
  const gaps = { name: state.seats[state.to_move - 1].name, count: Math.ceil(left) };
  return { seat: state.to_move, left: left / ANNOUNCED, text: t(`web.house_waiting_${facts?.patience}${yours}`, gaps) };
}

/** What people said a moment ago, at their seats. @param {Model} model @returns {import("../table/types.js").Saying[]} */
export function sayings({ reactions, state, facts }) {
  return reactions.map((entry) => {
    const whole = state && facts ? sentencesOf(entry, state).map((sentence) => said(sentence, facts.game)) : nothing;
    const content = html`<span class="unseen">${whole}</span><span aria-hidden="true">${phraseOf(entry.phrase ?? "")}</span>`;
    return { seat: entry.seat, key: entry.seq, content };
  });
}

/** @param {TablePage} page @param {"missed" | "refusal" | "hint"} what */
const dismissal = (page, what) =>
  html`<button class="bare" type="button" aria-label=${t("web.house_close")} @click=${() => page.session?.store.dispatch({ type: "dismissed", what })}>
    ${icon("close")}
  </button>`;

/**
 * A question to which all players have to agree: to take back a move, or to end the game.
 * @param {TablePage} page
 * @param {"undo" | "end"} what
 * @param {{seat: number, asked: number, waiting: number[]}} asking
 */
function question({ state, session }, what, asking) {
  const { you, seats } = state;
  const answer = (/** @type {boolean} */ agreed) => () => session?.do(`${what}/answer`, { agreed, asked: asking.asked });
  if (you !== null && asking.waiting.includes(you)) {
    return html`<p class="banner" role="alert" data-banner=${what}>
      ${t(`web.house_${what}_please`, { name: seats[asking.seat - 1].name })}
      <button class="primary" type="button" data-do="agree" @click=${answer(true)}>${t("web.house_agree")}</button>
      <button type="button" data-do="refuse" @click=${answer(false)}>${t("web.house_rather_not")}</button>
    </p>`;
  }
  const waiting = words.list(asking.waiting.map((seat) => seats[seat - 1].name));
  return html`<p class="banner" role="status" data-banner=${what}>
    ${t(`web.house_${what}_waiting`, { names: waiting })}
    ${asking.seat === you ? html`<button type="button" data-do="withdraw" @click=${answer(false)}>${t("web.house_withdraw")}</button>` : nothing}
  </p>`;
}

/** @param {TablePage} page */
export function notices(page) {
  const { facts, model, session } = page;
  const { refusal, hint } = model;
  return html`<div class="notices">
    ${hint
      ? html`<p class="bubble hint" role="status" data-notice="hint">
          ${icon("hint")} <span>${said(hint.why, facts.game)}</span>
          <button class="primary" type="button" data-do="follow" @click=${() => session?.play(hint.move)}>${t("web.house_follow")}</button>
        </p>`
      : nothing}
    ${refusal
      ? html`<p class="bubble refusal" role="alert" data-notice="refusal">
          <span>${said([refusal.code, refusal.parameters], facts.game)}</span>
          ${refusal.clause
            ? html`<button type="button" data-do="clause" data-clause=${refusal.clause} @click=${() => page.openRules(refusal.clause ?? "")}>${icon("book")} ${t("web.house_why")}</button>`
            : nothing}
          ${dismissal(page, "refusal")}
        </p>`
      : nothing}
  </div>`;
}
