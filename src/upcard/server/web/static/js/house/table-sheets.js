// The sheets of a table's page: settings, rules, history, phrases, and everything else that is rarely needed.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import { tintOf } from "../table/faces.js";
import { rulesOf } from "./games.js";
import { icon } from "./icons.js";
import { origin, qr } from "./invitation.js";
import { PACES } from "./new-table.js";
import { phraseOf } from "./phrases.js";
import { said, sentencesOf } from "./sentences.js";
import { settingsSheet } from "./settings-sheet.js";
import { close, open, sheet } from "./sheet.js";
import { turnsOf } from "./store.js";
import { t } from "./words.js";

/** @typedef {import("./table-page.js").TablePage} TablePage */

/** @param {TablePage} page */
export function sheets(page) {
  const { facts, state } = page;
  const over = state.phase === "over" || state.phase === "archived";
  // Nobody needs it before the end of a game.
  if (over) import("./result.js").catch(() => null);
  return html`
    ${settingsSheet()}
    ${sheet("rules", rulesOf(facts.game), html`<upcard-rulebook game=${facts.game}></upcard-rulebook>`)}
    ${sheet("history", t("web.house_history"), history(page))} ${sheet("say", t("web.house_say"), phrases(page))}
    ${sheet("more", t("web.house_more"), more(page))} ${sheet("leave", t("web.house_leave"), leave(page))}
    ${sheet("report", t("web.house_report"), report(page))} ${sheet("resign", t("web.house_resign"), resign(page))} ${sheet("hand-over", t("web.house_hand_over"), handOver(page))}
    ${over ? sheet("result", t("web.house_over"), html`<upcard-result .facts=${facts} .state=${state} .ending=${page.ending}></upcard-result>`) : nothing}
  `;
}

/** Everything that has happened, turn by turn. @param {TablePage} page */
function history({ model, state, facts }) {
  return html`<ol class="history">
    ${turnsOf(model.history ?? []).map(
      ({ seat, entries }) => html`<li class="history-turn ${seat === null ? "" : `tint-${tintOf(state.seats[seat - 1], seat)}`}">
        ${seat === null ? nothing : html`<h3>${t("web.house_turn_of", { name: state.seats[seat - 1].name })}</h3>`}
        <ul>
          ${entries.flatMap((entry) => sentencesOf(entry, state)).map((sentence) => html`<li>${said(sentence, facts.game)}</li>`)}
        </ul>
      </li>`,
    )}
  </ol>`;
}

/** @param {TablePage} page */
function phrases(page) {
  const say = (/** @type {string} */ phrase) => {
    close(page, "say");
    page.session?.do("say", { phrase });
  };
  return html`<div class="phrases sayings">
    ${offers.phrases.map((phrase) => html`<button type="button" data-phrase=${phrase} @click=${() => say(phrase)}>${phraseOf(phrase)}</button>`)}
  </div>`;
}

/** @param {TablePage} page */
function more(page) {
  const seated = page.state.you !== null;
  const then = (/** @type {() => unknown} */ action) => () => {
    close(page, "more");
    action();
  };
  return html`${seated && page.state.phase === "playing" ? pace(page) : nothing}
  <div class="phrases">
    <a class="button" href="/t/${page.table}/room">${icon("screen")} ${t("web.house_room")}</a>
    ${page.canInvite ? html`<button type="button" data-do="invite" @click=${then(() => page.openInvite())}>${icon("share")} ${t("web.house_invite")}</button>` : nothing}
    ${seated
      ? html`<button type="button" data-do="hand-over" @click=${then(() => page.openHandOver())}>${icon("device")} ${t("web.house_hand_over")}</button>
          ${page.state.phase === "playing" && !page.state.seats[(page.state.you ?? 1) - 1].resigned
            ? html`<button type="button" data-do="end" ?disabled=${Boolean(page.state.ending)} @click=${then(() => page.session?.do("end"))}>${icon("close")} ${t("web.house_end")}</button>
                <button type="button" data-do="resign" @click=${then(() => open(page, "resign"))}>${icon("flag")} ${t("web.house_resign")}</button>`
            : nothing}
          ${others(page).length
            ? html`<button type="button" data-do="report" @click=${then(() => open(page, "report"))}>${icon("shield")} ${t("web.house_report")}</button>`
            : nothing}
          <button type="button" data-do="leave" @click=${then(() => open(page, "leave"))}>${icon("leave")} ${t("web.house_leave")}</button>`
      : nothing}
    <a class="button" href="/">${icon("home")} ${t("web.house_home")}</a>
  </div>`;
}

/** The pace of bots. @param {TablePage} page */
function pace({ state, session }) {
  if (!state.seats.some((seat) => seat.bot !== null)) return nothing;
  return html`<fieldset class="field pace">
    <legend>${t("web.house_pace")}</legend>
    <div class="choices">
      ${Object.entries(PACES).map(
        ([name, seconds]) => html`<label class="choice">
          <input type="radio" name="bot-pace" value=${name} .checked=${state.pace === seconds} @change=${() => session?.tell("pace", { pace: seconds })} />
          <span>${t(`web.house_pace_${name}`)}</span>
        </label>`,
      )}
    </div>
  </fieldset>`;
}

/** @param {TablePage} page */
const leave = (page) => html`<p>${t(page.state.phase === "playing" ? "web.house_leave_sure" : "web.house_leave_sure_open")}</p>
  <div class="do">
    <button class="primary" type="button" data-do="leave-now" @click=${() => page.leave()}>${icon("leave")} ${t("web.house_leave")}</button>
    <button type="button" data-do="stay" @click=${() => close(page, "leave")}>${t("web.house_close")}</button>
  </div>`;

/** The seats of other people. @param {TablePage} page */
const others = ({ state }) => state.seats.map((seat, place) => ({ ...seat, number: place + 1 })).filter((seat) => seat.kind === "person" && seat.number !== state.you);

/** A player may be reported to the operator, for a name or for bad behaviour. @param {TablePage} page */
function report(page) {
  const now = async (/** @type {number} */ seat) => {
    close(page, "report");
    const answer = await page.session?.do("report", { seat });
    if (answer?.type === "done") page.session?.explain("web.house_reported");
  };
  return html`<p>${t("web.house_report_who")}</p>
    <div class="phrases">
      ${others(page).map(({ name, number }) => html`<button type="button" data-report=${number} @click=${() => now(number)}>${icon("person")} ${name}</button>`)}
    </div>`;
}

/** @param {TablePage} page */
function resign(page) {
  const now = () => {
    close(page, "resign");
    page.session?.do("resign");
  };
  return html`<p>${t("web.house_resign_sure")}</p>
    <div class="do">
      <button class="primary" type="button" data-do="resign-now" @click=${now}>${icon("flag")} ${t("web.house_resign")}</button>
      <button type="button" data-do="play-on" @click=${() => close(page, "resign")}>${t("web.house_close")}</button>
    </div>`;
}

/** @param {TablePage} page */
function handOver({ handOverCode }) {
  if (!handOverCode) return nothing;
  return html`<div class="hand-over">
    <p>${t("web.house_hand_over_how")}</p>
    ${qr(`${origin()}/j/${handOverCode}`)}
    <p class="big-code" translate="no" data-code>${handOverCode}</p>
  </div>`;
}
