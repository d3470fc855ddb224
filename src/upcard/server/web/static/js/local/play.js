// Playing on this device without a server: choose a game, continue one, or read the rules. One page does all of this,
// so that it works from any folder of any web host.
// @ts-check
import { html, nothing, repeat } from "../../vendor/lit.js";
import { offers } from "../offers.js";
import "../house/bar.js";
import { HouseElement, define } from "../house/element.js";
import { factsOf, rulesOf, summaryOf, titleOf } from "../house/games.js";
import { icon } from "../house/icons.js";
import "../house/rulebook.js";
import { t, words } from "../house/words.js";
import { device } from "./device.js";
import "./local-setup.js";
import "./local-table-page.js";
import { planBots } from "./new-game.js";

/** @typedef {import("./messages.js").Listed} Listed */

// Without a network, this page takes the place of a server's other pages, whose addresses it leaves as they are.
const elsewhere = "server" in document.documentElement.dataset && location.pathname !== "/play";

/** The current view, from the address: `#table-…`, `#set-up-GAME`, `#rules-GAME-CLAUSE`, `#learn-GAME`, `#replay-TABLE`. */
function here() {
  if (elsewhere) return { kind: "no-network", name: "", detail: "" };
  const [, kind = "", name = "", detail = ""] = /^#(table|set-up|rules|learn|replay)(?:-(\w+))?(?:-(.+))?$/.exec(location.hash) ?? [];
  const known = ["", "table", "replay"].includes(kind) || name in offers.games;
  return known ? { kind, name, detail } : { kind: "", name: "", detail: "" };
}

class Play extends HouseElement {
  static properties = { kept: { state: true }, busy: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    /** @type {Listed[]} */
    this.kept = [];
    this.busy = "";
    this.trouble = "";
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("hashchange", this.#turned);
    if (elsewhere) addEventListener("online", () => location.reload(), { once: true });
    this.addEventListener("click", this.#follow);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.#turned);
    this.removeEventListener("click", this.#follow);
  }

  firstUpdated() {
    this.#list();
    this.#openBook();
  }

  #turned = () => {
    this.busy = "";
    this.requestUpdate();
    scrollTo(0, 0);
    if (here().kind === "") this.#list();
    this.updateComplete.then(() => {
      this.#openBook();
      /** @type {HTMLElement | null} */ (this.querySelector("h1"))?.focus();
    });
  };

  /** Links of a server's pages lead to the same views here. @param {MouseEvent} event */
  #follow = (event) => {
    if (event.defaultPrevented) return;
    const link = /** @type {HTMLElement} */ (event.target).closest("a[href^='/']");
    const address = link?.getAttribute("href") ?? "";
    const [, kind, game, clause] = /^\/(rules\/|learn\/|#set-up-)(\w+)(?:#(.*))?$/.exec(address) ?? [];
    // The home page of a server has more to offer; an exported site has no other page.
    const alone = !("server" in document.documentElement.dataset) || here().kind === "table";
    if (!kind && !(address === "/" && alone)) return;
    event.preventDefault();
    location.hash = kind ? `#${kind.replace(/\W/g, "").replace("setup", "set-up")}-${game}${clause ? `-${clause}` : ""}` : "";
  };

  async #list() {
    this.kept = await device.list().catch(() => []);
  }

  #openBook() {
    const { kind, detail } = here();
    if (kind !== "rules") return;
    /** @type {import("../house/rulebook.js").Rulebook | null} */ (this.querySelector("upcard-rulebook"))?.openAt(detail);
  }

  /** @param {string} game */
  async #play(game) {
    if (this.busy) return;
    this.busy = game;
    this.trouble = "";
    try {
      location.hash = `#table-${await device.create(planBots(game))}`;
    } catch (problem) {
      console.error(problem);
      this.busy = "";
      this.trouble = t("web.house_problem_other");
    }
  }

  /** @param {string} table */
  async #forget(table) {
    await device.ask("forget", { table });
    await this.#list();
  }

  willUpdate() {
    document.title = `${t("web.house_local")} · Upcard`;
    /** @type {HTMLElement} */ (document.querySelector(".skip")).textContent = t("web.house_skip");
    const { kind } = here();
    document.body.className = `${["table", "learn", "replay"].includes(kind) ? kind : "home"} local`;
  }

  render() {
    const { kind, name } = here();
    if (kind === "table") {
      return repeat([name], (table) => table, (table) => html`<upcard-local-table table=${table}></upcard-local-table>`);
    }
    if (kind === "learn") return this.#lesson(name);
    return html`<upcard-bar></upcard-bar>
      <main id="main" tabindex="-1">${this.#place(kind, name)}</main>`;
  }

  /** @param {string} kind @param {string} name */
  #place(kind, name) {
    switch (kind) {
      case "no-network":
        return this.#noNetwork();
      case "set-up":
        return html`<upcard-local-setup game=${name}></upcard-local-setup>`;
      case "rules":
        return this.#rules(name);
      case "replay":
        return this.#replay(name);
      default:
        return this.#home();
    }
  }

  // Most people come to play, so the rest is loaded when it is wanted.

  /** @param {string} game */
  #lesson(game) {
    import("../house/learn.js").catch(() => null);
    return repeat([game], (one) => one, (one) => html`<upcard-lesson game=${one}></upcard-lesson>`);
  }

  /** @param {string} table */
  #replay(table) {
    import("../house/replay.js").catch(() => null);
    return repeat([table], (one) => one, (one) => html`<upcard-replay kept=${one}></upcard-replay>`);
  }

  #noNetwork() {
    return html`<section class="card narrow">
      <h1 tabindex="-1">${t("web.house_no_network")}</h1>
      <p>${t("web.house_no_network_how")}</p>
      <div class="do">
        <a class="button primary" href="/play">${icon("device")} ${t("web.house_local")}</a>
        <button type="button" data-do="retry" @click=${() => location.reload()}>${icon("again")} ${t("web.house_retry")}</button>
      </div>
    </section>`;
  }

  /** @param {string} game */
  #rules(game) {
    return html`<div class="plain-book">
      <a class="back" href="#">${icon("back")} ${t("web.house_back")}</a>
      <h1 tabindex="-1" class="unseen">${rulesOf(game)}</h1>
      <upcard-rulebook game=${game}></upcard-rulebook>
    </div>`;
  }

  #home() {
    return html`<div class="local-home">
      <section class="hero">
        <h1 tabindex="-1">${t("web.house_local")}</h1>
        <p>${t("web.house_local_how")}</p>
      </section>
      ${this.trouble ? html`<p class="notice" role="alert">${this.trouble}</p>` : nothing}
      ${this.kept.length ? this.#kept() : nothing}
      <section class="games" aria-label=${t("web.house_games")}>${Object.keys(offers.games).map((game) => this.#game(game))}</section>
      <section class="card">
        <h2>${t("web.house_replay")}</h2>
        <p>${t("web.house_replay_how")}</p>
        <a class="button" data-do="open-replay" href="#replay">${icon("play")} ${t("web.house_replay_do")}</a>
      </section>
    </div>`;
  }

  /** @param {string} game */
  #game(game) {
    return html`<article class="game" data-game=${game}>
      <img src=${offers.games[game].web.picture} alt="" width="320" height="180" />
      <div class="game-text">
        <h2>${titleOf(game)}</h2>
        <p>${summaryOf(game)}</p>
        <p class="facts">${factsOf(game)}</p>
      </div>
      <div class="game-do">
        <button class="primary wide" type="button" data-do="play" aria-describedby="about-${game}" ?disabled=${this.busy !== ""} @click=${() => this.#play(game)}>
          ${t(this.busy === game ? "web.house_dealing" : "web.house_play_bots")}
        </button>
        <span id="about-${game}" hidden>${titleOf(game)}</span>
        <a class="button wide" data-do="set-up" href="#set-up-${game}">${t("web.house_set_up")}</a>
        <span class="links">
          ${offers.games[game].web.lesson ? html`<a href="#learn-${game}">${t("web.house_learn")}</a>` : nothing}
          <a href="#rules-${game}">${t("web.house_rules")}</a>
        </span>
      </div>
    </article>`;
  }

  #kept() {
    return html`<section class="card own">
      <h2>${t("web.house_local_kept")}</h2>
      <ul class="rows">
        ${this.kept.map(
          ({ table, game, names, at, over }) =>
            html`<li class="kept">
              <a class="row" href="#table-${table}">
                <img src=${offers.games[game]?.web.picture} alt="" width="64" height="36" />
                <span class="row-text">
                  <strong>${titleOf(game)}</strong>
                  <span>${words.list(names)} · ${words.date(at)}</span>
                </span>
                <span class=${over ? "tag" : "tag now"}>${t(over ? "web.house_over" : "web.house_going_on")}</span>
              </a>
              <button class="bare" type="button" data-do="forget" aria-label=${t("web.house_local_forget", { game: titleOf(game) })} @click=${() => this.#forget(table)}>
                ${icon("close")}
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }
}

define("upcard-play", Play);
