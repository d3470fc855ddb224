// A table for a big screen that everyone in a room can see: public cards, and how to join with a phone.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { faceOf, portrait, tintOf } from "../table/faces.js";
import { sign } from "./bar.js";
import { RemoteTable } from "./connection.js";
import { define } from "./element.js";
import { titleOf, windowOf } from "./games.js";
import { linkTo, qr } from "./invitation.js";
import { lately } from "./lately.js";
import { preferences } from "./preferences.js";
import { SessionPage } from "./session-page.js";
import { turnOf } from "./store.js";
import { sayings } from "./table-notices.js";
import { winsOf } from "./wins.js";
import { t, words } from "./words.js";

class BigScreen extends SessionPage {
  /** No hand may be on this screen, not even that of the person who opened it, so it watches without an identity. */
  connect() {
    return new RemoteTable(this.table, { anonymous: true });
  }

  /** The screen follows the people to their next game. @param {import("../table/types.js").State} state */
  settle(state) {
    if (state.rematch) location.replace(`/t/${encodeURIComponent(state.rematch)}/room`);
  }

  render() {
    const { state, facts, model } = this;
    if (model.missing) return html`<main id="main" class="lost">${sign}<h1>${t("web.house_no_table")}</h1></main>`;
    if (!state) return html`<p class="waiting">${t("web.house_one_moment")}</p>`;
    return html`
      <header class="strip">
        <a class="bare" href="/" aria-label=${t("web.house_home")}>${sign}</a>
        <h1>${titleOf(facts.game)}</h1>
        <p class="turn" data-turn=${turnOf(model) ?? ""}>${this.#turn()}</p>
        <span class="spacer"></span>
        ${winsOf(state)}
        ${model.link === "lost" ? html`<p class="tag" role="status">${t("web.house_away")}</p>` : nothing}
      </header>
      <main id="main" tabindex="-1" class="playing">
        ${state.phase === "open"
          ? this.#welcome()
          : html`<upcard-table .words=${words} .facts=${facts} .state=${{ ...state, you: null, legal: [] }} .settings=${preferences.atTable} .clock=${model.clock} .said=${sayings(model)}></upcard-table>`}
        ${state.result?.winners.length ? this.#celebration() : nothing}
      </main>
      ${state.phase === "open" ? nothing : this.#foot()}
    `;
  }

  #welcome() {
    const { state, facts } = this;
    return html`<section class="welcome">
      ${qr(linkTo(this.table))}
      <div>
        <p class="headline">${t("web.house_scan")}</p>
        ${facts.code ? html`<p class="big-code" translate="no">${facts.code}</p>` : nothing}
        <p class="link" translate="no">${linkTo(this.table)}</p>
        <ol class="seats">
          ${state.seats.map((seat, place) => this.#seat(seat, place + 1))}
        </ol>
      </div>
    </section>`;
  }

  /** A seat, and for the next game whether its player is ready. @param {import("../table/types.js").Chair} seat @param {number} number */
  #seat(seat, number) {
    const free = seat.kind === "free";
    const name = seat.name || html`<em>${t("web.house_free")}</em>`;
    return html`<li class="seat-row ${free ? "missing" : "ready"}">
      <span class="seat-who">${seat.name ? portrait(faceOf(seat), tintOf(seat, number)) : nothing} ${name}</span>
      ${this.facts.rematch_of ? html`<span class=${free ? "ready-ring" : "tag now"}>${t(free ? "web.house_not_ready" : "web.house_ready")}</span>` : nothing}
    </li>`;
  }

  #foot() {
    const { model } = this;
    return html`<footer class="foot room-foot">
      ${lately(model, 3)}
      <div class="small-qr">${qr(linkTo(this.table))}</div>
    </footer>`;
  }

  #celebration() {
    import("../table/celebration.js").catch(() => null);
    const { facts, state } = this;
    return html`<upcard-celebration class="everywhere" ranks .words=${words} .facts=${facts} .state=${{ ...state, you: null }}></upcard-celebration>`;
  }

  #turn() {
    const { state, model } = this;
    if (state.phase === "open") return t("web.house_waiting_for_people");
    if (state.result) {
      const names = state.result.winners.map((seat) => state.seats[seat - 1].name);
      if (names.length === 0) return t("table.nobody_won");
      return names.length > 1 ? t("table.shared", { names: words.list(names) }) : t("table.won", { name: names[0] ?? "" });
    }
    if (state.window) return windowOf(this.facts.game);
    return t("web.house_turn_of", { name: state.seats[(turnOf(model) ?? 0) - 1]?.name ?? "" });
  }
}

define("upcard-big-screen", BigScreen);
