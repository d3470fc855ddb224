// The table, for players and spectators. It does not know any game or rules: the possible actions come from the legal
// moves, the events from the server, and the drawing from the module of the game.
// @ts-check
import { LitElement, html, keyed, nothing, repeat } from "../../vendor/lit.js";
import { Drag } from "./drag.js";
import { crown } from "./cards.js";
import { drawingOf, loadDrawing } from "./drawings.js";
import { faceOf, portrait, tintOf } from "./faces.js";
import { Motion } from "./motion.js";
import { Scene } from "./scene.js";

/** @typedef {import("./types.js").Drawing} Drawing */
/** @typedef {import("./types.js").Entry} Entry */
/** @typedef {import("./types.js").Facts} Facts */
/** @typedef {import("./types.js").Move} Move */
/** @typedef {import("./types.js").News} News */
/** @typedef {import("./types.js").Settings} Settings */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Words} Words */

/** @type {Settings} */
const USUAL = { speed: 1, onePlace: false, sounds: false, motion: true };

/** The question of a window, in the words of the moves. @param {Scene} scene @returns {import("./types.js").Question} */
const plainQuestion = (scene) => ({
  title: scene.t("asked"),
  answer: (move) => move,
  answered: (move) => scene.t("answered", { answer: move }),
});

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
    clock: { attribute: false },
    said: { attribute: false },
    waiting: { attribute: false },
  };

  #motion = new Motion(this);
  /** The sounds, once any is wanted. @type {Promise<import("./sounds.js").Sounds> | null} */
  #sounds = null;
  #byKeyboard = false;
  #lost = false;
  /** The view while events are being shown: a copy that each of them changes in turn. @type {any} */
  #shown = null;
  /** @type {Move[]} */
  #moves = [];

  constructor() {
    super();
    /** @type {Words} */
    this.words = { t: (code) => code, has: () => false, number: String, list: (items) => items.join(", "), language: "en" };
    // Set by the page before the first update.
    /** @type {Facts} */
    this.facts = /** @type {any} */ (null);
    /** @type {State} */
    this.state = /** @type {any} */ (null);
    /** @type {Settings} */
    this.settings = USUAL;
    this.busy = false;
    /** The selected card. @type {{source: string, index: number} | null} */
    this.chosen = null;
    /** The move that was sent and not yet answered. @type {{move: string, source: string | null, index: number, place: string} | null} */
    this.sent = null;
    /** The spot whose cards are listed in the dialog. @type {string | null} */
    this.looked = null;
    /** The seat that is shown large on a small screen. @type {number | null} */
    this.opened = null;
    /** The move that the hint suggests. @type {string | null} */
    this.hint = null;
    /** The server's clock minus this device's, in seconds. */
    this.clock = 0;
    /** What people say, at their seats. @type {import("./types.js").Saying[]} */
    this.said = [];
    /** The seat that the table is waiting for. @type {import("./types.js").Waiting | null} */
    this.waiting = null;
    new Drag(this);
    this.addEventListener("keydown", (event) => this.#key(event));
    // A touch while cards are flying ends their flight.
    this.addEventListener("pointerdown", () => this.#motion.hurry());
  }

  createRenderRoot() {
    return this;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#motion.clear();
    this.#sounds?.then((sounds) => sounds.close(), () => null);
    this.#sounds = null;
  }

  /** Delay updates until the drawing of the game is loaded. */
  scheduleUpdate() {
    if (!this.facts || drawingOf(this.facts.game)) return super.scheduleUpdate();
    return loadDrawing(this.facts.game).then(() => super.scheduleUpdate());
  }

  /** How the game is drawn. @returns {Drawing} */
  get drawing() {
    return /** @type {Drawing} */ (drawingOf(this.facts.game));
  }

  get view() {
    return this.#shown ?? this.state.view;
  }

  /** The layer in which cards fly. */
  get flights() {
    return /** @type {HTMLElement} */ (this.querySelector(":scope > .flights"));
  }

  /** The selected card, in notation. */
  get chosenCard() {
    return this.chosen && this.state.you ? this.drawing.card(this.view, this.state.you, this.chosen.source) : null;
  }

  // Called by pages

  /**
   * Show events.
   * @param {Entry[]} entries
   * @param {(entry: Entry) => void} [landed] called for each entry when its cards have landed
   * @returns {Promise<void>}
   */
  async tell(entries, landed) {
    await this.updateComplete;
    const fresh = entries.filter((entry) => entry.seq > this.#motion.last);
    if (!this.#shown && fresh.some((entry) => entry.news)) {
      this.#shown = structuredClone(this.state.view) ?? this.drawing.blank(this.facts, this.state.you);
    }
    await this.#motion.tell(fresh, landed);
  }

  /** Show the remaining events without motion. */
  hurry() {
    this.#motion.hurry();
  }

  /** Whose turn the table shows, which may be behind the state; undefined if the view does not say. */
  get turn() {
    const { view } = this;
    return view?.over ? null : view?.turn;
  }

  /** Whether events are still being shown. */
  get telling() {
    return this.#motion.running;
  }

  /** The number of things in the air. */
  get inTheAir() {
    return this.#motion.inTheAir;
  }

  // Called by Motion

  /** @param {News} news */
  courseOf(news) {
    return this.drawing.course(this.#shown, news, this.state.you);
  }

  /** @param {string} key @returns {Element | null} */
  spotAt(key) {
    return this.querySelector(`[data-spot="${key}"]`);
  }

  /** The colour of the player at a seat. @param {number} seat */
  tintAt(seat) {
    return tintOf(this.state.seats[seat - 1], seat);
  }

  /** @param {string} name */
  sound(name) {
    if (!this.settings.sounds) return;
    this.#sounds ??= import("./sounds.js").then(({ Sounds }) => new Sounds());
    this.#sounds.then(
      (sounds) => sounds.play(name, this.drawing?.sounds),
      () => (this.#sounds = null),
    );
  }

  // Picking and placing

  /** @param {string} source */
  canPick(source) {
    return !this.busy && !this.#shown && this.#moves.length > 0 && Boolean(source);
  }

  /**
   * Select a card, or deselect it.
   * @param {string} source
   * @param {number} index
   */
  pick(source, index) {
    if (this.chosen?.source === source && this.chosen.index === index) return this.letGo();
    const moves = this.#moves.filter((move) => move.source === source);
    if (this.settings.onePlace && moves.length === 1 && !moves[0].deliberate) return this.#send(moves[0], index);
    this.hold(source, index);
    if (this.#byKeyboard) this.updateComplete.then(() => this.#focus(".lit, .choices-now button"));
  }

  /** @param {string} source @param {number} index */
  hold(source, index) {
    this.chosen = { source, index };
  }

  letGo() {
    this.chosen = null;
  }

  /** Move the selected card to a place, or ask the server why it cannot go there. @param {string} place */
  put(place) {
    if (!this.chosen || this.busy || !this.state.you) return;
    const { source, index } = this.chosen;
    const move = this.#moves.find((each) => each.source === source && each.place === place);
    if (move) return this.#send(move, index);
    // A card and a place without notation are not a move at all.
    this.#fire("explain", this.drawing.write(source, place, this.state.you) ?? "");
  }

  /** Make a move by its button. @param {Move} move */
  make(move) {
    this.#send(move, this.chosen?.index ?? 0);
  }

  /** @param {Move} move @param {number} [index] */
  #send(move, index = 0) {
    this.sent = { ...move, index };
    this.chosen = null;
    this.opened = null;
    this.#fire("move", move.move);
  }

  /** @param {string} type @param {string} move */
  #fire(type, move) {
    this.dispatchEvent(new CustomEvent(type, { detail: { move }, bubbles: true }));
  }

  /** List the cards of a spot in a dialog. @param {string} key */
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

  /** Focus the next card, or the next place for the selected one. @param {number} step @param {KeyboardEvent} event */
  #walk(step, event) {
    const wanted = this.chosen ? ".lit, .choices-now button" : "[data-source]";
    const stops = /** @type {HTMLElement[]} */ ([...this.querySelectorAll(wanted)]);
    if (!stops.length) return;
    const here = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    stops[here < 0 ? 0 : (here + step + stops.length) % stops.length].focus();
    event.preventDefault();
  }

  /** Focus the first of these selectors that matches. @param {string[]} selectors */
  #focus(...selectors) {
    const all = selectors.map((selector) => /** @type {HTMLElement | null} */ (this.querySelector(selector)));
    const found = all.find((each) => each !== null);
    // The whole table is always visible.
    found?.focus({ preventScroll: true });
  }

  // Drawing

  /** @param {Map<PropertyKey, any>} changed */
  willUpdate(changed) {
    this.#lost = this.contains(document.activeElement);
    if (changed.has("state") && this.state) this.#take();
    if (changed.get("busy") && !this.busy) this.sent = null;
    if (changed.has("state") && this.#isNews(changed.get("state"))) this.sound("turn");
  }

  /** Show a new state, unless later events are already being shown. */
  #take() {
    const late = this.#motion.running && this.state.seq < this.#motion.last;
    if (!late) {
      this.#motion.clear();
      this.#shown = null;
      // A replay can step backwards.
      this.#motion.last = this.state.seq;
    }
    this.sent = null;
    this.#moves = this.state.you && this.state.view ? this.state.legal.map((move) => this.drawing.read(move, this.state.you ?? 0)) : [];
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
    if (gone || mine) this.#focus(".ready", ".doing", "upcard-asking");
  }

  render() {
    if (!this.state || !this.facts) return nothing;
    const view = this.view ?? this.drawing.blank(this.facts, this.state.you);
    const scene = new Scene(this, view, this.#shown ? [] : this.#moves);
    const seats = this.#order();
    const middle = this.drawing.middle(scene);
    const others = seats.filter((seat) => seat !== scene.you).map((seat) => this.#seat(scene, seat));
    const mine = scene.you ? this.#seat(scene, scene.you) : nothing;
    const hand = scene.you && this.drawing.hand ? this.drawing.hand(scene) : nothing;
    // Later events mean that the window is closed.
    const asking = this.state.window !== null && !this.#shown;
    return html`<div
        class="board ${scene.chosen ? "choosing" : ""} ${scene.playing ? "my-turn" : ""} ${hand === nothing ? "no-hand" : ""} ${scene.you ? "" : "watching"}"
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

  /** The seats in the order of play from the viewer's left; for spectators, by number. */
  #order() {
    const all = this.state.seats.map((_, place) => place + 1);
    const { you } = this.state;
    return you ? [...all.slice(you), ...all.slice(0, you)] : all;
  }

  /** @param {Scene} scene @param {number} seat */
  #seat(scene, seat) {
    const chair = this.state.seats[seat - 1];
    const turn = !scene.view.over && this.state.phase !== "over" && this.#turn(scene) === seat;
    const mine = seat === scene.you;
    const winner = this.state.result?.winners.includes(seat);
    const name = mine ? scene.t("seat_you", { name: chair.name }) : chair.name;
    const asked = this.state.window?.asked.includes(seat);
    const leaders = this.drawing.leaders?.(scene.view) ?? [];
    // If all are equal, nobody leads.
    const leads = leaders.length < this.state.seats.length && leaders.includes(seat);
    // The first of them is shown.
    const notes = [
      winner && "winner", asked && "is_asked", chair.resigned ? "resigned" : chair.away && "away", turn && "at_turn", leads && !winner && "leads", chair.kind === "bot" && "bot",
    ];
    const noted = notes.filter((note) => typeof note === "string");
    return html`<section
      class="seat tint-${tintOf(chair, seat)} ${mine ? "mine" : ""} ${this.opened === seat ? "opened" : ""} ${turn ? "at-turn" : ""} ${asked ? "asked" : ""} ${chair.away ? "away" : ""}"
      data-spot="seat:${seat}"
      aria-label=${[name, ...noted.map((note) => scene.t(note))].join(", ")}
    >
      <div class="plate">
        <span class="person">${portrait(faceOf(chair), tintOf(chair, seat))}${leads || winner ? crown() : nothing}${this.#ring(seat)}</span>
        <div class="about">
          <h2 class="name">
            <span class="who">${name}</span>
            ${repeat(noted, (note) => note, (note) => html`<span class="note ${note}">${mine && note === "at_turn" ? this.words.t("web.house_your_turn") : scene.t(note)}</span>`)}
          </h2>
          ${this.drawing.goal?.(scene, seat) ?? nothing}
        </div>
      </div>
      ${this.#bubbles(seat)} ${mine ? nothing : this.#opener(scene, seat, name)}
      <div class="holding">${this.drawing.seat(scene, seat)}</div>
    </section>`;
  }

  /** The time for which a seat is still waited for. @param {number} seat */
  #ring(seat) {
    if (this.waiting?.seat !== seat) return nothing;
    return html`<svg class="wait-ring" viewBox="-12 -12 24 24" aria-hidden="true" focusable="false">
      <circle r="10.7" />
      <circle class="left" r="10.7" transform="rotate(-90)" pathLength="1" stroke-dasharray="1" stroke-dashoffset=${1 - this.waiting.left} />
    </svg>`;
  }

  /** What is said at a seat, over everything else, so that nothing makes room for it. @param {number} seat */
  #bubbles(seat) {
    const waiting = this.waiting?.seat === seat ? this.waiting : null;
    const said = this.said.filter((each) => each.seat === seat);
    if (!waiting && !said.length) return nothing;
    return html`<div class="at-seat">
      ${repeat(said, ({ key }) => key, ({ content }) => html`<p class="bubble" role="status">${content}</p>`)}
      ${waiting ? html`<p class="bubble" role="timer" data-banner="waiting">${waiting.text}</p>` : nothing}
    </div>`;
  }

  /** Whose turn it is in the view, which may be behind the state. @param {Scene} scene @returns {number | null} */
  #turn(scene) {
    return scene.view.turn ?? this.state.to_move;
  }

  /** A button that shows a small seat large. @param {Scene} scene @param {number} seat @param {string} name */
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
      .question=${(this.drawing.question ?? plainQuestion)(scene)}
      .facts=${this.facts}
      .you=${this.state.you}
      .clock=${this.clock}
      .names=${this.state.seats.map((chair) => chair.name)}
      .unhurried=${this.state.seats.flatMap((chair, place) => (chair.unhurried ? [place + 1] : []))}
    ></upcard-asking>`;
  }

  /** Whose turn it is, what to do, and buttons for moves. @param {Scene} scene */
  #doing(scene) {
    const [whose, prompt] = [this.#whose(scene), this.#prompt(scene)];
    const { chosen } = scene;
    const offered = this.#offered(scene);
    // What is said and offered decides where everything in this line is, so it is drawn again: nothing slides.
    const key = [whose, prompt, chosen?.source, chosen?.index, ...offered.map(({ move }) => move)].join("|");
    return html`<section class="doing" tabindex="-1" aria-label=${scene.t("doing")}>
      ${keyed(key, html`<p class="say-so"><strong>${whose}</strong> ${prompt}</p>
        ${chosen
          ? html`<button type="button" class="let-go" aria-label=${scene.t("let_go")} title=${scene.t("let_go")} @click=${() => this.letGo()}>×</button>`
          : nothing}
        <div class="choices-now">${this.#choices(scene, offered)}</div>`)}
    </section>`;
  }

  /** @param {Scene} scene */
  #whose(scene) {
    const { result, you } = this.state;
    if (result) {
      if (result.winners.length > 1) {
        return this.words.t("table.shared", { names: this.words.list(result.winners.map((seat) => scene.nameAt(seat))) });
      }
      const [winner] = result.winners;
      return winner === you ? this.words.t("table.won_you") : this.words.t("table.won", { name: scene.nameAt(winner) });
    }
    const turn = this.#turn(scene);
    if (!turn) return "";
    const own = `${this.facts.game}.turn`;
    const codes = this.words.has(own) ? [`${own}_you`, own] : ["web.house_your_turn", "web.house_turn_of"];
    return turn === you ? this.words.t(codes[0]) : this.words.t(codes[1], { name: scene.nameAt(turn) });
  }

  /** @param {Scene} scene */
  #prompt(scene) {
    if (!scene.moves.length) return "";
    const own = this.drawing.prompt(scene);
    if (own !== null || !scene.chosen) return own ?? "";
    return scene.t(scene.places.length ? "pick_place" : "no_place", { card: scene.nameOf(this.chosenCard) });
  }

  /** The moves that can be made now by a button. @param {Scene} scene */
  #offered(scene) {
    if (!scene.playing) return [];
    return scene.chosen ? scene.places : scene.moves.filter((move) => move.source === null);
  }

  /** @param {Scene} scene @param {Move[]} offered */
  #choices(scene, offered) {
    const own = this.drawing.choices?.(scene, offered) ?? nothing;
    const card = scene.nameOf(this.chosenCard);
    return html`${own}
    ${offered.filter(({ button }) => button).map((move) => scene.choice(move, scene.t(move.button ?? "", { card })))}`;
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
