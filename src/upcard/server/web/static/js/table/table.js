// The table: all three games, for players and for those who watch. It knows no rules: what can be done comes from
// the legal moves, and what happened from the news of the server.
// @ts-check
import { LitElement, html, nothing } from "../../vendor/lit.js";
import "./asking.js";
import { Drag } from "./drag.js";
import { lines } from "./lines.js";
import { Motion } from "./motion.js";
import { Scene } from "./scene.js";
import { Sounds } from "./sounds.js";
import { stacks } from "./stacks.js";
import { stockpile } from "./stockpile.js";

/** @typedef {import("./types.js").Drawn} Drawn */
/** @typedef {import("./types.js").Entry} Entry */
/** @typedef {import("./types.js").Facts} Facts */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").News} News */
/** @typedef {import("./types.js").Settings} Settings */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Words} Words */

/** @type {Record<string, Drawn>} */
const GAMES = { stockpile, lines, stacks };

/** @type {Settings} */
const USUAL = { speed: 1, onePlace: false, sounds: false, motion: true };

export class UpcardTable extends LitElement {
  static properties = {
    words: { attribute: false },
    facts: { attribute: false },
    state: { attribute: false },
    settings: { attribute: false },
    busy: { type: Boolean },
    chosen: { state: true },
    sent: { state: true },
    looked: { state: true },
    opened: { state: true },
    hint: { attribute: false },
  };

  #motion = new Motion(this);
  #sounds = new Sounds();
  #byKeyboard = false;
  #lost = false;
  /** The view while news are being shown: a copy that they change one by one. @type {any} */
  #shown = null;
  /** @type {Move[]} */
  #moves = [];

  constructor() {
    super();
    /** @type {Words} */
    this.words = { t: (code) => code, number: String, language: "en" };
    // The house gives these; before that, nothing is drawn.
    /** @type {Facts} */
    this.facts = /** @type {any} */ (null);
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {Settings} */
    this.settings = USUAL;
    this.busy = false;
    /** The card that is picked. @type {{source: string, index: number} | null} */
    this.chosen = null;
    /** The move that is on its way. @type {{move: string, source: string | null, index: number, place: string} | null} */
    this.sent = null;
    /** The spot whose cards are looked at. @type {string | null} */
    this.looked = null;
    /** The seat that is shown large where there is little room. @type {number | null} */
    this.opened = null;
    /** The move that somebody would make. @type {string | null} */
    this.hint = null;
    new Drag(this);
    this.addEventListener("keydown", (event) => this.#key(event));
    // Whoever touches the table while cards still fly wants to go on.
    this.addEventListener("pointerdown", () => this.#motion.hurry());
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#motion.clear();
    this.#sounds.close();
  }

  /** @returns {Drawn} */
  get game() {
    return GAMES[this.facts.game];
  }

  get view() {
    return this.#shown ?? this.state.view;
  }

  /** Where things fly. */
  get flights() {
    return /** @type {HTMLElement} */ (this.querySelector(":scope > .flights"));
  }

  /** The card that is picked, in notation. */
  get chosenCard() {
    return this.chosen && this.state.you ? this.game.card(this.view, this.state.you, this.chosen.source) : null;
  }

  // What the house asks for

  /**
   * Show what happened.
   * @param {Entry[]} entries
   * @returns {Promise<void>}
   */
  async tell(entries) {
    await this.updateComplete;
    const fresh = entries.filter((entry) => entry.seq > this.#motion.last);
    if (!this.#shown && fresh.some((entry) => entry.news)) {
      this.#shown = structuredClone(this.state.view) ?? this.game.blank(this.facts, this.state.you);
    }
    await this.#motion.tell(fresh);
  }

  /** Show what is left of the news at once. */
  hurry() {
    this.#motion.hurry();
  }

  /** Whether news are still being shown. */
  get telling() {
    return this.#motion.running;
  }

  /** How many cards and chips are in the air. */
  get inTheAir() {
    return this.#motion.inTheAir;
  }

  // What motion asks for

  /** @param {News} news */
  courseOf(news) {
    return this.game.course(this.#shown, news, this.state.you);
  }

  /** @param {string} key @returns {Element | null} */
  spotAt(key) {
    return this.querySelector(`[data-spot="${key}"]`);
  }

  /** @param {string} name */
  sound(name) {
    if (this.settings.sounds) this.#sounds.play(name);
  }

  // Picking and placing

  /** @param {string} source */
  canPick(source) {
    return !this.busy && !this.#shown && this.#moves.length > 0 && Boolean(source);
  }

  /**
   * Pick a card, or let go of it.
   * @param {string} source
   * @param {number} index
   */
  pick(source, index) {
    if (this.chosen?.source === source && this.chosen.index === index) return this.letGo();
    const moves = this.#moves.filter((move) => move.source === source);
    // To discard may end the turn: that never happens by itself.
    if (this.settings.onePlace && moves.length === 1 && moves[0].place !== "discard") return this.#send(moves[0], index);
    this.hold(source, index);
    if (this.#byKeyboard) this.updateComplete.then(() => this.#focus(".lit, .choices-now button"));
    else this.updateComplete.then(() => this.#bringToSight(".lit"));
  }

  /** Where there is little room, what is wanted now may be out of sight. @param {string} wanted */
  #bringToSight(wanted) {
    // In a picture there is nothing to be done.
    if (this.closest("[inert]")) return;
    const found = [...this.querySelectorAll(wanted)];
    const low = this.querySelector(".near")?.getBoundingClientRect().top ?? innerHeight;
    const seen = ({ top = 0, bottom = 0 }) => top >= 0 && bottom <= low;
    if (found.length && !found.some((each) => seen(each.getBoundingClientRect()))) found[0].scrollIntoView({ block: "nearest" });
  }

  /** @param {string} source @param {number} index */
  hold(source, index) {
    this.chosen = { source, index };
  }

  letGo() {
    this.chosen = null;
  }

  /** Put the card that is picked at a place, or ask why it cannot go there. @param {string} place */
  put(place) {
    if (!this.chosen || this.busy || !this.state.you) return;
    const { source, index } = this.chosen;
    const move = this.#moves.find((each) => each.source === source && each.place === place);
    if (move) return this.#send(move, index);
    // What cannot be written is no move at all.
    this.#fire("explain", this.game.write(source, place, this.state.you) ?? "");
  }

  /** @param {Move} move @param {number} [index] */
  #send(move, index = 0) {
    this.sent = { ...move, index };
    this.chosen = null;
    this.#fire("move", move.move);
  }

  /** @param {string} type @param {string} move */
  #fire(type, move) {
    this.dispatchEvent(new CustomEvent(type, { detail: { move }, bubbles: true }));
  }

  /** Look at the cards of a spot. @param {string} key */
  look(key) {
    this.looked = key;
  }

  // The keyboard

  /** @param {KeyboardEvent} event */
  #key(event) {
    this.#byKeyboard = true;
    if (this.looked) return;
    if (event.key === "Escape" && this.chosen) {
      const { source, index } = this.chosen;
      this.letGo();
      this.updateComplete.then(() => this.#focus(`[data-source="${source}"][data-index="${index}"]`));
      event.preventDefault();
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) this.#walk(step, event);
  }

  /** Go to the next card, or while one is picked to the next place for it. @param {number} step @param {KeyboardEvent} event */
  #walk(step, event) {
    const wanted = this.chosen ? ".lit, .choices-now button" : "[data-source]";
    const stops = /** @type {HTMLElement[]} */ ([...this.querySelectorAll(wanted)]);
    if (!stops.length) return;
    const here = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    stops[here < 0 ? 0 : (here + step + stops.length) % stops.length].focus();
    event.preventDefault();
  }

  /** Go to the first of these that is there. @param {string[]} selectors */
  #focus(...selectors) {
    const all = selectors.map((selector) => /** @type {HTMLElement | null} */ (this.querySelector(selector)));
    const found = all.find((each) => each !== null);
    // What is near is always in sight.
    found?.focus({ preventScroll: found.closest(".near") !== null });
  }

  // Drawing

  /** @param {Map<PropertyKey, any>} changed */
  willUpdate(changed) {
    this.#lost = this.contains(document.activeElement);
    if (changed.has("state") && this.state) this.#take();
    if (changed.get("busy") && !this.busy) this.sent = null;
    if (changed.has("state") && this.#isNews(changed.get("state"))) this.sound("turn");
  }

  /** Take a new state as the truth, unless newer things are being shown already. */
  #take() {
    const late = this.#motion.running && this.state.seq < this.#motion.last;
    if (!late) {
      this.#motion.clear();
      this.#shown = null;
      // A replay goes back as well.
      this.#motion.last = this.state.seq;
    }
    this.sent = null;
    this.#moves = this.state.you && this.state.view ? this.state.legal.map((move) => this.game.read(move, this.state.you ?? 0)) : [];
    if (this.chosen && !this.#moves.some((move) => move.source === this.chosen?.source)) this.chosen = null;
  }

  /** @param {State | undefined} before */
  #isNews(before) {
    return Boolean(before && this.state?.you && this.state.to_move === this.state.you && before.to_move !== this.state.you);
  }

  /** @param {Map<PropertyKey, any>} changed */
  updated(changed) {
    const dialog = /** @type {HTMLDialogElement | null} */ (this.querySelector(":scope > dialog"));
    if (dialog && !dialog.open) dialog.showModal();
    const gone = this.#lost && !this.contains(document.activeElement);
    const mine = changed.has("state") && this.#byKeyboard && this.#moves.length > 0 && this.contains(document.activeElement);
    if (changed.has("state") && this.#moves.length && !this.#shown) this.#bringToSight(this.game.place(this.state.view));
    if (gone || mine) this.#focus(".ready", ".doing", "upcard-asking");
  }

  render() {
    if (!this.state || !this.facts) return nothing;
    const view = this.view ?? this.game.blank(this.facts, this.state.you);
    const scene = new Scene(this, view, this.#shown ? [] : this.#moves);
    const seats = this.#order();
    const middle = this.game.middle(scene);
    const others = seats.filter((seat) => seat !== scene.you).map((seat) => this.#seat(scene, seat));
    const mine = scene.you ? this.#seat(scene, scene.you) : nothing;
    const hand = scene.you && this.game.hand ? this.game.hand(scene) : nothing;
    // Once there are news of what came after it, the window is closed.
    const asking = this.state.window !== null && !this.#shown;
    return html`<div
        class="board ${scene.chosen ? "choosing" : ""} ${scene.playing ? "my-turn" : ""}"
        data-game=${this.facts.game}
        data-others=${others.length}
      >
        <section class="middle" aria-label=${scene.t("middle")}>${middle}</section>
        <div class="others">${others}</div>
        ${mine}
        <div class="near">${asking ? this.#asking(scene) : this.#doing(scene)}${hand}</div>
      </div>
      <div class="flights" aria-hidden="true"></div>
      ${this.#dialog(scene)}`;
  }

  /** The seats in the order of play from the viewer's left; for somebody who watches, as they are numbered. */
  #order() {
    const all = this.state.seats.map((_, place) => place + 1);
    const { you } = this.state;
    return you ? [...all.slice(you), ...all.slice(0, you)] : all;
  }

  /** @param {Scene} scene @param {number} seat */
  #seat(scene, seat) {
    const chair = this.state.seats[seat - 1];
    const turn = !scene.view.over && scene.view.turn === seat;
    const mine = seat === scene.you;
    const winner = this.state.result?.winners.includes(seat);
    const name = mine ? scene.t("seat_you", { name: chair.name }) : chair.name;
    const asked = this.state.window?.asked.includes(seat);
    const notes = [turn && "at_turn", winner && "winner", asked && "is_asked", chair.away && "away", chair.kind === "bot" && "bot"];
    const noted = notes.filter((note) => typeof note === "string");
    return html`<section
      class="seat ${mine ? "mine" : ""} ${this.opened === seat ? "opened" : ""} ${turn ? "at-turn" : ""} ${asked ? "asked" : ""} ${chair.away ? "away" : ""}"
      data-spot="seat:${seat}"
      aria-label=${[name, ...noted.map((note) => scene.t(note))].join(", ")}
    >
      <h2 class="name">
        <span class="who">${name}</span>
        ${noted.map((note) => html`<span class="note ${note}">${scene.t(note)}</span>`)}
      </h2>
      ${mine ? nothing : this.#opener(scene, seat, name)}
      ${this.game.seat(scene, seat)}
    </section>`;
  }

  /** Where others are drawn small, each can be opened. @param {Scene} scene @param {number} seat @param {string} name */
  #opener(scene, seat, name) {
    const open = this.opened === seat;
    return html`<button
      type="button"
      class="opener"
      aria-expanded=${String(open)}
      aria-label=${scene.t("open_seat", { name })}
      @click=${() => (this.opened = open ? null : seat)}
    >
      ${open ? "−" : "+"}
    </button>`;
  }

  /** @param {Scene} scene */
  #asking(scene) {
    return html`<upcard-asking
      tabindex="-1"
      .words=${this.words}
      .asking=${this.state.window}
      .pile=${scene.view.asking ?? ""}
      .seconds=${Number(this.facts.window_seconds ?? 0)}
      .names=${this.state.seats.map((chair) => chair.name)}
    ></upcard-asking>`;
  }

  /** Whose turn it is, what to do, and what can be done without a place. @param {Scene} scene */
  #doing(scene) {
    return html`<section class="doing" tabindex="-1" aria-label=${scene.t("doing")}>
      <p class="say-so"><strong>${this.#whose(scene)}</strong> ${this.#prompt(scene)}</p>
      ${scene.chosen
        ? html`<button type="button" class="let-go" aria-label=${scene.t("let_go")} title=${scene.t("let_go")} @click=${() => this.letGo()}>×</button>`
        : nothing}
      <div class="choices-now">${this.#choices(scene)}</div>
    </section>`;
  }

  /** @param {Scene} scene */
  #whose(scene) {
    const { result, you } = this.state;
    if (result) {
      if (result.winners.length > 1) {
        return this.words.t("table.shared", { names: result.winners.map((seat) => scene.nameAt(seat)).join(", ") });
      }
      const [winner] = result.winners;
      return winner === you ? this.words.t("table.won_you") : this.words.t("table.won", { name: scene.nameAt(winner) });
    }
    const { turn } = scene.view;
    if (!turn) return "";
    const code = `${this.facts.game}.turn`;
    return turn === you ? this.words.t(`${code}_you`) : this.words.t(code, { name: scene.nameAt(turn) });
  }

  /** @param {Scene} scene */
  #prompt(scene) {
    if (!scene.moves.length) return "";
    if (!scene.chosen) return this.game.prompt(scene) ?? "";
    const places = scene.moves.filter((move) => move.source === scene.chosen?.source);
    if (places.some(({ place }) => place.startsWith("seat:"))) return scene.t("pick_victim");
    if (places.some(({ place }) => place === "play")) return scene.t("pick_use");
    return scene.t(places.length ? "pick_place" : "no_place", { card: scene.nameOf(this.chosenCard) });
  }

  /** @param {Scene} scene */
  #choices(scene) {
    if (!scene.playing) return nothing;
    const offered = scene.moves.filter((move) => (scene.chosen ? move.source === scene.chosen.source : move.source === null));
    const plain = offered.filter(({ source, place }) => source === null || place === "discard" || place === "play");
    const thefts = offered.filter(({ place }) => place.startsWith("seat:"));
    const victims = [...new Set(thefts.map(({ place }) => Number(place.split(":")[1])))];
    return html`${victims.map((seat) => this.#victim(scene, seat, thefts))}
    ${plain.map((move) => this.#choice(move, this.#said(scene, move)))}`;
  }

  /** From whom one can steal, and what. @param {Scene} scene @param {number} seat @param {Move[]} thefts */
  #victim(scene, seat, thefts) {
    const { discards, hand, chips } = scene.view.seats[seat - 1];
    const name = scene.nameAt(seat);
    const gaps = { name, card: scene.nameOf(discards.at(-1)), count: hand };
    /** @type {Record<string, unknown>} */
    const looks = {
      hand: html`${scene.card(null, true)}<span aria-hidden="true">?</span>`,
      top: scene.card(discards.at(-1), true),
      red: scene.chips("red", chips.red),
      blue: scene.chips("blue", chips.blue),
    };
    const what = (/** @type {Move} */ { place }) => place.split(":")[2];
    const own = thefts.filter(({ place }) => place.startsWith(`seat:${seat}:`));
    return html`<div class="victim" role="group" aria-label=${name}>
      <span class="who">${name}</span>
      ${own.map((move) => this.#choice(move, looks[what(move)], scene.t(`steal_${what(move)}`, gaps)))}
    </div>`;
  }

  /** @param {Move} move @param {unknown} content @param {string} [label] where the content has no words */
  #choice(move, content, label) {
    const index = this.chosen?.index ?? 0;
    return html`<button
      type="button"
      class="do-it"
      data-move=${move.move}
      aria-label=${label ?? nothing}
      title=${label ?? nothing}
      @click=${() => this.#send(move, index)}
    >
      ${content}
    </button>`;
  }

  /** @param {Scene} scene @param {Move} move */
  #said(scene, { source, place, move }) {
    if (source === null) return scene.t(`command_${move}`);
    return scene.t(place === "discard" ? "discard_it" : "play_it", { card: scene.nameOf(this.chosenCard) });
  }

  /** @param {Scene} scene */
  #dialog(scene) {
    const look = this.looked ? scene.looks.get(this.looked) : undefined;
    if (!look) return nothing;
    const closed = () => {
      const key = this.looked;
      this.looked = null;
      this.updateComplete.then(() => this.#focus(`[data-spot="${key}"]`));
    };
    return html`<dialog class="look" aria-labelledby="looked-at" @close=${closed}>
      <h2 id="looked-at">${look.title}</h2>
      <ol>
        ${[...look.cards].reverse().map(
          (card) => html`<li><span class="leaf small">${scene.small(card)}</span><span>${scene.nameOf(card)}</span></li>`,
        )}
      </ol>
      <form method="dialog"><button class="do-it">${scene.t("close")}</button></form>
    </dialog>`;
  }
}

customElements.define("upcard-table", UpcardTable);
