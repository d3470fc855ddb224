// A scene: what is drawn at one moment, and the parts that all games draw alike.
// @ts-check
import { html, nothing } from "../../vendor/lit.js";
import { back, chip, face, mini, nameOf, read, symbolOf } from "./cards.js";

/** @typedef {import("./table.js").UpcardTable} UpcardTable */
/** @typedef {import("./types.js").Move} Move */

/**
 * A place on the table. What it is good for depends on the moment: a card can be put there (`place`), taken from
 * there (`source`), or looked under (`cards`).
 * @typedef {object} Spot
 * @property {string} key
 * @property {string} label what lies there, in words
 * @property {unknown} content
 * @property {string} [kind] a class
 * @property {string} [place] the key of a place in moves, if it is one
 * @property {string} [source] the key of a source in moves, if it is one
 * @property {number} [index] which one of several equal cards
 * @property {string[]} [cards] what can be looked at there, the top card last
 * @property {boolean} [unordered] whether nobody knows which of them lies on top
 */

// With more cards than these in hand, they get smaller where there is little room.
const MANY = 5;

export class Scene {
  /**
   * @param {UpcardTable} table
   * @param {any} view
   * @param {Move[]} moves
   */
  constructor(table, view, moves) {
    this.table = table;
    this.view = view;
    this.moves = moves;
    this.words = table.words;
    this.facts = table.facts;
    this.state = table.state;
    this.you = table.state.you;
    this.chosen = table.chosen;
    this.sent = table.sent;
    this.hint = moves.find((move) => move.move === table.hint) ?? null;
    /** What can be looked at, by spot. @type {Map<string, {title: string, cards: string[]}>} */
    this.looks = new Map();
  }

  /** @param {string} code @param {Record<string, string | number>} [parameters] */
  t(code, parameters) {
    return this.words.t(`web.table_${code}`, parameters);
  }

  /** @param {string | null | undefined} card */
  nameOf(card) {
    return nameOf(this.words, card);
  }

  /** @param {number} seat */
  nameAt(seat) {
    return this.state.seats[seat - 1]?.name ?? "";
  }

  /** Whether the viewer can do something now. */
  get playing() {
    return this.moves.length > 0 && !this.table.busy;
  }

  /** The move that brings the chosen card to a place. @param {string} place */
  moveTo(place) {
    if (!this.chosen) return undefined;
    return this.moves.find((move) => move.source === this.chosen?.source && move.place === place);
  }

  /** @param {string[]} cards the top card last */
  namesOf(cards) {
    return [...cards].reverse().map((card) => this.nameOf(card)).join(", ");
  }

  /**
   * Draw a spot as what it is good for now. It is always the same element, so that focus stays where it is.
   * @param {Spot} spot
   */
  spot({ key, label, content, kind = "", place, source, index = 0, cards, unordered = false }) {
    if (cards?.length) this.looks.set(key, { title: this.t(unordered ? "looked_all" : "looked_at"), cards });
    const held = source !== undefined && this.chosen?.source === source && this.chosen.index === index;
    const target = place !== undefined && this.chosen !== null && !held;
    const lit = target && this.moveTo(place) !== undefined;
    const ready = source !== undefined && this.playing && !target && this.moves.some((move) => move.source === source);
    const going = this.sent !== null && ((this.sent.source === source && this.sent.index === index) || this.sent.place === place);
    const look = !target && !(source && this.playing) && Boolean(cards?.length);
    const inert = !target && !look && !(source !== undefined && this.playing);
    const act = () => {
      if (target) this.table.put(place);
      else if (source !== undefined && this.playing) this.table.pick(source, index);
      else if (look) this.table.look(key);
    };
    const name = lit ? this.t("put_here", { card: this.nameOf(this.table.chosenCard), place: label }) : label;
    return html`<button
      type="button"
      class="spot ${kind} ${lit ? "lit" : ""} ${held ? "held" : ""} ${ready ? "ready" : ""} ${going ? "going" : ""} ${this.#hinted(source, place) ? "hinted" : ""}"
      data-spot=${key}
      data-place=${place ?? nothing}
      data-source=${source ?? nothing}
      data-index=${index}
      aria-label=${name}
      aria-pressed=${source !== undefined && this.playing && !target ? String(held) : nothing}
      aria-disabled=${inert || (target && !lit) ? "true" : nothing}
      aria-haspopup=${look ? "dialog" : nothing}
      @click=${act}
    >
      ${content}
    </button>`;
  }

  /** Whether somebody would take this card, or put it here. @param {string | undefined} source @param {string | undefined} place */
  #hinted(source, place) {
    if (!this.hint) return false;
    return (source !== undefined && this.hint.source === source) || (place !== undefined && this.hint.place === place);
  }

  /**
   * A card, or the place where one could lie.
   * @param {string | null | undefined} card null is a back
   * @param {boolean} [small]
   */
  card(card, small = false) {
    const size = small ? "leaf small" : "leaf";
    if (card === undefined) return html`<span class="${size} none"></span>`;
    return html`<span class=${size}>${card === null ? back() : small ? mini(card) : face(card)}</span>`;
  }

  /** A number on a pile. @param {number} number */
  count(number) {
    return html`<span class="how-many">${this.words.number(number)}</span>`;
  }

  /** @param {string} colour @param {number} count */
  chips(colour, count) {
    return html`<span class="chips">${chip(colour)}<span>${this.words.number(count)}</span></span>`;
  }

  /** Buried cards, small and in a row, the lowest first; of many only the last ones. @param {string[]} cards @param {number} [most] */
  buried(cards, most = 5) {
    const shown = cards.slice(0, -1).slice(-most);
    const left = cards.length - 1 - shown.length;
    return html`<span class="buried" aria-hidden="true">
      ${left > 0 ? html`<span class="more">+${this.words.number(left)}</span>` : nothing}
      ${shown.map((card) => html`<span class="leaf tiny">${mini(card)}</span>`)}
    </span>`;
  }

  /** @param {string} hue */
  symbol(hue) {
    return symbolOf(hue);
  }

  /** @param {string} card */
  small(card) {
    return mini(card);
  }

  backOf() {
    return back();
  }

  /**
   * One's own piles are for playing, so what is buried there has a button of its own.
   * @param {string} key
   * @param {string} label
   * @param {string[]} cards
   */
  lookUnder(key, label, cards) {
    if (cards.length < 2) return html`<span class="look-under none"></span>`;
    this.looks.set(`${key}:under`, { title: this.t("looked_at"), cards });
    const name = `${label}: ${this.t("cards", { count: cards.length })}`;
    return html`<button type="button" class="look-under" aria-haspopup="dialog" aria-label=${name}
      @click=${() => this.table.look(`${key}:under`)}
    >
      ${this.buried(cards, 3)}
    </button>`;
  }

  /** A card in hand; those that are only pictures have their name below. @param {string} card */
  #named(card) {
    const caption = read(card).special ? html`<span class="caption" aria-hidden="true">${this.nameOf(card)}</span>` : nothing;
    return html`${this.card(card)}${caption}`;
  }

  /** The viewer's hand. @param {string[]} hand */
  hand(hand) {
    /** @type {Map<string, number>} */
    const seen = new Map();
    const cards = hand.map((card) => {
      const index = seen.get(card) ?? 0;
      seen.set(card, index + 1);
      const source = `hand:${card}`;
      return this.spot({ key: source, label: this.nameOf(card), content: this.#named(card), kind: "in-hand", source, index });
    });
    return html`<section class="hand ${hand.length > MANY ? "many" : ""}" data-spot="hand" aria-label=${this.t("your_hand", { count: hand.length })}>
      ${cards.length ? cards : html`<p class="quiet">${this.t("empty_hand")}</p>`}
    </section>`;
  }
}
