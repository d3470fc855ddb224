// The first page: choose a game, come to a table, go on where one was.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { Problem, ask, look } from "./asking.js";
import "./bar.js";
import { HouseElement, define } from "./element.js";
import { icon } from "./icons.js";
import { drop, figures, mine } from "./mine.js";
import { playBots } from "./opening.js";
import "./setup.js";
import { t, words } from "./words.js";

const GAMES = ["stockpile", "lines", "stacks"];
const STATIC = new URL("../../", import.meta.url);

/** @param {string} game */
const picture = (game) => new URL(`icons/${game}.svg`, STATIC).pathname;

class Home extends HouseElement {
  static properties = {
    open: { state: true },
    own: { state: true },
    busy: { state: true },
    trouble: { state: true },
    setting: { state: true },
  };

  constructor() {
    super();
    /** @type {any[] | null} */
    this.open = null;
    /** @type {{table: string, game: string, state: any}[]} */
    this.own = [];
    this.busy = "";
    this.trouble = "";
    this.setting = this.#wanted();
    this.code = new URLSearchParams(location.search).get("code") ?? "";
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", this.#turned);
    addEventListener("pageshow", this.#shown);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.#turned);
    removeEventListener("pageshow", this.#shown);
  }

  firstUpdated() {
    this.#refresh();
  }

  #wanted() {
    const game = location.hash.replace("#set-up-", "");
    return GAMES.includes(game) ? game : "";
  }

  #turned = () => {
    this.setting = this.#wanted();
    scrollTo(0, 0);
    this.updateComplete.then(() => /** @type {HTMLElement | null} */ (this.querySelector("h1"))?.focus());
  };

  /** A browser may show this page again as it was left. */
  #shown = () => {
    this.busy = "";
    if (this.hasUpdated) this.#refresh();
  };

  async #refresh() {
    look("/api/tables").then(
      (told) => (this.open = told.tables),
      () => (this.open = []),
    );
    const looked = mine().slice(0, 12).map(async ({ table, game }) => {
      try {
        const state = await look(`/api/tables/${table}`);
        return state.you === null || state.phase === "archived" ? null : { table, game, state };
      } catch (problem) {
        if (problem instanceof Problem && problem.status === 404) drop(table);
        return null;
      }
    });
    const found = await Promise.all(looked);
    this.own = /** @type {any[]} */ (found.filter((one) => one !== null && one.state.phase !== "over"));
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
    this.trouble = "";
    // A code with more letters moves a seat from another device.
    const hand = code.replaceAll(/[\s-]/g, "").length > 6;
    try {
      const answer = await ask(hand ? "/api/take-seat" : "/api/join", { code });
      if (answer.type === "done") {
        location.href = `/t/${answer.body.table}`;
        return;
      }
      this.trouble = answer.type === "refused" ? t(answer.code ?? "", answer.parameters) : t("web.house_no_such_code");
    } catch (problem) {
      this.trouble = problem instanceof Problem ? t(problem.code) : String(problem);
    }
    this.busy = "";
  }

  render() {
    if (this.setting) return html`<upcard-setup game=${this.setting}></upcard-setup>`;
    return html`
      <section class="hero">
        <h1 tabindex="-1">${t("web.house_welcome")}</h1>
        <p>${t("web.house_tagline")}</p>
      </section>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      ${this.own.length ? this.#own() : nothing}
      <section class="games" aria-label=${t("web.house_games")}>${GAMES.map((game) => this.#game(game))}</section>
      <div class="two">
        ${this.#joining()} ${this.#openTables()}
      </div>
      <div class="two">${this.#figures()} ${this.#replaying()}</div>
    `;
  }

  /** @param {string} game */
  #game(game) {
    return html`<article class="game" data-game=${game}>
      <img src=${picture(game)} alt="" width="320" height="180" />
      <div class="game-text">
        <h2>${t(`web.house_game_${game}`)}</h2>
        <p>${t(`web.house_summary_${game}`)}</p>
        <p class="facts">${t(`web.house_facts_${game}`)}</p>
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
        <span id="about-${game}" hidden>${t(`web.house_game_${game}`)}</span>
        <a class="button wide" data-do="set-up" href="#set-up-${game}">${t("web.house_set_up")}</a>
        <span class="links">
          <a href="/learn/${game}">${t("web.house_learn")}</a>
          <a href="/rules/${game}">${t("web.house_rules")}</a>
        </span>
      </div>
    </article>`;
  }

  #own() {
    return html`<section class="card own">
      <h2>${t("web.house_own_tables")}</h2>
      <ul class="rows">
        ${this.own.map(({ table, game, state }) => {
          const others = state.seats.filter((/** @type {any} */ seat, /** @type {number} */ place) => place + 1 !== state.you && seat.name);
          const yours = state.to_move === state.you && state.phase === "playing";
          return html`<li>
            <a class="row" href="/t/${table}">
              <img src=${picture(game)} alt="" width="64" height="36" />
              <span class="row-text">
                <strong>${t(`web.house_game_${game}`)}</strong>
                <span>${words.list(others.map((/** @type {any} */ seat) => seat.name))}</span>
              </span>
              <span class=${yours ? "tag now" : "tag"}>
                ${t(state.phase === "open" ? "web.house_waiting_for_people" : yours ? "web.house_your_turn" : "web.house_going_on")}
              </span>
            </a>
          </li>`;
        })}
      </ul>
    </section>`;
  }

  #joining() {
    return html`<section class="card">
      <h2>${t("web.house_join")}</h2>
      <p>${t("web.house_join_how")}</p>
      <form class="line" @submit=${this.#join}>
        <input
          name="code"
          class="code"
          aria-label=${t("web.house_code")}
          placeholder=${t("web.house_code")}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="20"
          .value=${this.code}
        />
        <button class="primary" type="submit" ?disabled=${this.busy !== ""}>${t("web.house_join_do")}</button>
      </form>
    </section>`;
  }

  #openTables() {
    return html`<section class="card">
      <h2>${t("web.house_open_tables")}</h2>
      ${this.open?.length
        ? html`<ul class="rows">
            ${this.open.map(
              (table) =>
                html`<li>
                  <a class="row" href="/t/${table.table}">
                    <img src=${picture(table.game)} alt="" width="64" height="36" />
                    <span class="row-text">
                      <strong>${t(`web.house_game_${table.game}`)}</strong>
                      <span>${words.list(table.names)}</span>
                    </span>
                    <span class="tag">${t("web.house_free_seats", { count: table.free })}</span>
                  </a>
                </li>`,
            )}
          </ul>`
        : html`<p class="quiet">${t("web.house_no_open_tables")}</p>`}
    </section>`;
  }

  #figures() {
    const played = GAMES.map((game) => ({ game, ...figures(game) })).filter((one) => one.played > 0);
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
                    <th scope="row">${t(`web.house_game_${one.game}`)}</th>
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

  #replaying() {
    return html`<section class="card">
      <h2>${t("web.house_replay")}</h2>
      <p>${t("web.house_replay_how")}</p>
      <a class="button" href="/replay">${icon("play")} ${t("web.house_replay_do")}</a>
    </section>`;
  }
}

define("upcard-home", Home);
