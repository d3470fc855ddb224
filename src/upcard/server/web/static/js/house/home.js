// The first page: choose a game, join a table, continue a game.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import { Problem, getJson, post } from "./http.js";
import "./bar.js";
import { HouseElement, define } from "./element.js";
import { factsOf, summaryOf, titleOf } from "./games.js";
import { icon } from "./icons.js";
import { endings, figures } from "./my-tables.js";
import { playBots } from "./new-table.js";
import { preferences } from "./preferences.js";
import { codeOf } from "./store.js";
import { t, words } from "./words.js";

// Finished games on the page.
const MAX_FINISHED = 8;
// How often the page looks whose turn it is, in milliseconds.
const LOOK_AGAIN = 30_000;

/** @param {string} game */
const picture = (game) => offers.games[game]?.web.picture;

class Home extends HouseElement {
  static properties = {
    open: { state: true },
    own: { state: true },
    busy: { state: true },
    trouble: { state: true },
    wrongCode: { state: true },
    setting: { state: true },
  };

  /** The title of the page while no table waits. */
  #title = "";
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #looking;

  constructor() {
    super();
    /** @type {any[] | null} */
    this.open = null;
    /** @type {{table: string, game: string, phase: string, names: string[], your_turn: boolean}[]} */
    this.own = [];
    this.#title = document.title;
    this.busy = "";
    this.trouble = "";
    /** The error in the typed code. */
    this.wrongCode = "";
    this.setting = this.#wanted();
    this.code = new URLSearchParams(location.search).get("code") ?? "";
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", this.#turned);
    addEventListener("pageshow", this.#shown);
    document.addEventListener("visibilitychange", this.#look);
    this.#looking = setInterval(this.#look, LOOK_AGAIN);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.#turned);
    removeEventListener("pageshow", this.#shown);
    document.removeEventListener("visibilitychange", this.#look);
    clearInterval(this.#looking);
  }

  firstUpdated() {
    this.#refresh();
    // Most people do without notifications.
    if (preferences.values.notify) import("./notifications.js").then(({ renewNotifications }) => renewNotifications(), () => null);
  }

  #wanted() {
    const game = location.hash.replace("#set-up-", "");
    return game in offers.games ? game : "";
  }

  #turned = () => {
    this.setting = this.#wanted();
    scrollTo(0, 0);
    this.updateComplete.then(() => /** @type {HTMLElement | null} */ (this.querySelector("h1"))?.focus());
  };

  /** Refresh a page that the browser restores from its cache. */
  #shown = () => {
    this.busy = "";
    if (this.hasUpdated) this.#refresh();
  };

  /** Look again whose turn it is, if anyone could see it and there is a game. */
  #look = () => {
    if (document.visibilityState === "visible" && this.own.length) this.#refreshOwn();
  };

  async #refresh() {
    getJson("/api/tables").then(
      (told) => (this.open = told.tables),
      () => (this.open = []),
    );
    this.#refreshOwn();
  }

  /** The tables at which this person has a seat. The title says how many of them wait for a move. */
  async #refreshOwn() {
    const { tables } = await getJson("/api/my-tables").catch(() => ({ tables: this.own }));
    this.own = tables;
    const waiting = this.own.filter((one) => one.your_turn).length;
    document.title = waiting ? `(${waiting}) ${t("web.house_your_turn")} · Upcard` : this.#title;
  }

  /** @param {string} game */
  async #play(game) {
    if (this.busy) return;
    this.busy = game;
    this.trouble = "";
    try {
      location.href = `/t/${await playBots(game)}`;
    } catch (problem) {
      this.busy = "";
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
  }

  /** @param {SubmitEvent} event */
  async #join(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const code = String(new FormData(form).get("code") ?? "").trim();
    if (code === "" || this.busy) return;
    this.busy = "join";
    this.trouble = this.wrongCode = "";
    // A code with more letters moves a seat from another device.
    const hand = code.replaceAll(/[\s-]/g, "").length > 6;
    try {
      // The seat goes to this browser's session, so it has to have one.
      if (hand) await post("/api/session", {});
      const answer = await post(hand ? "/api/take-seat" : "/api/join", { code });
      if (answer.type === "done") {
        location.href = `/t/${answer.body.table}`;
        return;
      }
      if (answer.type === "refused") this.wrongCode = t(answer.code ?? "", answer.parameters);
      else this.wrongCode = t(answer.status === 404 ? "web.house_no_such_code" : codeOf(answer.status));
      this.updateComplete.then(() => /** @type {HTMLElement | null} */ (this.querySelector("input[name=code]"))?.focus());
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
    this.busy = "";
  }

  render() {
    if (this.setting) {
      // Most people play with the defaults.
      import("./setup.js").catch(() => null);
      return html`<upcard-setup game=${this.setting}></upcard-setup>`;
    }
    return html`
      <section class="hero">
        <h1 tabindex="-1">${t("web.house_welcome")}</h1>
        <p>${t("web.house_tagline")}</p>
        ${this.#joining()}
      </section>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      ${this.own.length ? this.#own() : nothing}
      <section class="games" aria-label=${t("web.house_games")}>${Object.keys(offers.games).map((game) => this.#game(game))}</section>
      <p class="links"><a href="/play" data-do="local">${icon("device")} ${t("web.house_pass_around")}</a></p>
      ${this.#openTables()}
      ${this.#finished()}
      <div class="two">${this.#figures()} ${this.#replaying()}</div>
    `;
  }

  /** @param {string} game */
  #game(game) {
    return html`<article class="game" data-game=${game}>
      <img src=${picture(game)} alt="" width="320" height="180" />
      <div class="game-text">
        <h2>${titleOf(game)}</h2>
        <p>${summaryOf(game)}</p>
        <p class="facts">${factsOf(game)}</p>
      </div>
      <div class="game-do">
        <button
          class="primary wide"
          type="button"
          data-do="play"
          aria-describedby="about-${game}"
          ?disabled=${this.busy !== ""}
          @click=${() => this.#play(game)}
        >
          ${this.busy === game ? t("web.house_dealing") : t("web.house_play_bots")}
        </button>
        <span id="about-${game}" hidden>${titleOf(game)}</span>
        <a class="button wide" data-do="set-up" href="#set-up-${game}">${t("web.house_set_up")}</a>
        <span class="links">
          ${offers.games[game].web.lesson ? html`<a href="/learn/${game}">${t("web.house_learn")}</a>` : nothing}
          <a href="/rules/${game}">${t("web.house_rules")}</a>
        </span>
      </div>
    </article>`;
  }

  /** The tables that wait for this person, and then the others. */
  #own() {
    const waiting = this.own.filter((one) => one.your_turn);
    const others = this.own.filter((one) => !one.your_turn);
    return html`${waiting.length ? this.#tables("your-turn", t("web.house_your_turn"), waiting) : nothing}
    ${others.length ? this.#tables("", t("web.house_own_tables"), others) : nothing}`;
  }

  /** @param {string} kind @param {string} title @param {typeof this.own} tables */
  #tables(kind, title, tables) {
    return html`<section class="card own ${kind}" aria-label=${title}>
      <h2>${title}</h2>
      <ul class="rows">
        ${tables.map(
          ({ table, game, phase, names, your_turn }) => html`<li>
            <a class="row" href="/t/${table}">
              <img src=${picture(game)} alt="" width="64" height="36" />
              <span class="row-text"><strong>${titleOf(game)}</strong><span>${words.list(names)}</span></span>
              <span class=${your_turn ? "tag now" : "tag"}>
                ${t(phase === "open" ? "web.house_waiting_for_people" : your_turn ? "web.house_your_turn" : "web.house_going_on")}
              </span>
            </a>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  /** Join with a code, above everything else: most guests come for it. */
  #joining() {
    return html`<form class="line join" @submit=${this.#join}>
        <input
          name="code"
          class="code"
          aria-label=${t("web.house_code")}
          placeholder=${t("web.house_join")}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="20"
          .value=${this.code}
          aria-invalid=${String(this.wrongCode !== "")}
          aria-describedby="wrong-code"
          @input=${() => (this.wrongCode = "")}
        />
        <button class="primary" type="submit" ?disabled=${this.busy !== ""}>${t("web.house_join_do")}</button>
      </form>
      <p class="wrong-code" id="wrong-code" role="alert">${this.wrongCode}</p>`;
  }

  /** The tables that anyone may join. */
  #openTables() {
    if (!this.open?.length) return nothing;
    return html`<section class="card">
      <h2>${t("web.house_open_tables")}</h2>
      <ul class="rows">
            ${this.open.map(
              (table) =>
                html`<li>
                  <a class="row" href="/t/${table.table}">
                    <img src=${picture(table.game)} alt="" width="64" height="36" />
                    <span class="row-text">
                      <strong>${titleOf(table.game)}</strong>
                      <span>${words.list(table.names)}</span>
                    </span>
                    <span class="tag">${t("web.house_free_seats", { count: table.free })}</span>
                  </a>
                </li>`,
            )}
      </ul>
    </section>`;
  }

  #figures() {
    const played = Object.keys(offers.games).map((game) => ({ game, ...figures(game) })).filter((one) => one.played > 0);
    return html`<section class="card">
      <h2>${t("web.house_statistics")}</h2>
      ${played.length
        ? html`<table class="figures">
            <thead>
              <tr>
                <td></td>
                <th scope="col">${t("web.house_played")}</th>
                <th scope="col">${t("web.house_won")}</th>
                <th scope="col">${t("web.house_longest")}</th>
              </tr>
            </thead>
            <tbody>
              ${played.map(
                (one) =>
                  html`<tr>
                    <th scope="row">${titleOf(one.game)}</th>
                    <td>${words.number(one.played)}</td>
                    <td>${words.number(one.won)}</td>
                    <td>${words.number(one.longest)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : html`<p class="quiet">${t("web.house_no_statistics")}</p>`}
    </section>`;
  }

  /** The last games of this browser, with their replays. */
  #finished() {
    const last = endings().slice(-MAX_FINISHED).reverse();
    if (last.length === 0) return nothing;
    return html`<section class="card finished">
      <h2>${t("web.house_finished")}</h2>
      <ul class="rows">
        ${last.map(
          (one) => html`<li>
            <a class="row" href="/replay?table=${one.table}">
              <img src=${picture(one.game)} alt="" width="64" height="36" />
              <span class="row-text"><strong>${titleOf(one.game)}</strong><span>${[words.list(one.others ?? []), words.date(one.at)].filter(Boolean).join(" · ")}</span></span>
              <span class=${one.won ? "tag now" : "tag"}>${t(one.won ? "web.house_finished_won" : "web.house_finished_played")}</span>
            </a>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  #replaying() {
    return html`<section class="card">
      <h2>${t("web.house_replay")}</h2>
      <p>${t("web.house_replay_how")}</p>
      <a class="button" href="/replay">${icon("play")} ${t("web.house_replay_do")}</a>
    </section>`;
  }
}

define("upcard-home", Home);
