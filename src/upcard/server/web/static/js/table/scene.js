// A scene: everything drawn at one moment, and the parts that all games draw alike.
// @ts-check
import { html, keyed, nothing, repeat } from "../../vendor/lit.js";
import { back, face, lookOf, mini, nameOf, socket, symbolOf, token } from "./cards.js";

/** @typedef {import("./table.js").UpcardTable} UpcardTable */
/** @typedef {import("./types.js").Move} Move */

/**
 * A spot on the table. Depending on the moment, a card can be put there (`place`), taken from
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
 * @property {number} [row] its place in a row or a fan, from 0
 */

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
    /** The cards that the dialog can list, by spot. @type {Map<string, {title: string, cards: string[]}>} */
    this.looks = new Map();
  }

  /** @param {string} code @param {Record<string, string | number>} [parameters] */
  t(code, parameters) {
    return this.words.t(`web.table_${code}`, parameters);
  }

  /** @param {string | null | undefined} card */
  nameOf(card) {
    if (card === null || card === undefined) return this.t("unknown");
    return nameOf(this.words, this.#lookOf(card));
  }

  /** @param {string} card */
  #lookOf(card) {
    return lookOf(card, this.table.drawing);
  }

  /** @param {number} seat */
  nameAt(seat) {
    return this.state.seats[seat - 1]?.name ?? "";
  }

  /** Whether the viewer can move now. */
  get playing() {
    return this.moves.length > 0 && !this.table.busy;
  }

  /** The move of the selected card to a place. @param {string} place */
  moveTo(place) {
    if (!this.chosen) return undefined;
    return this.moves.find((move) => move.source === this.chosen?.source && move.place === place);
  }

  /** The moves of the selected card. */
  get places() {
    return this.moves.filter((move) => move.source === this.chosen?.source);
  }

  /** @param {string[]} cards the top card last */
  namesOf(cards) {
    return [...cards].reverse().map((card) => this.nameOf(card)).join(", ");
  }

  /**
   * Draw a spot with its current use. It is always the same element, so that it keeps the focus.
   * @param {Spot} spot
   */
  spot({ key, label, content, kind = "", place, source, index = 0, cards, unordered = false, row }) {
    if (cards?.length) this.looks.set(key, { title: this.t(unordered ? "looked_all" : "looked_at"), cards });
    const held = source !== undefined && this.chosen?.source === source && this.chosen.index === index;
    const target = place !== undefined && this.chosen !== null && !held;
    const lit = target && this.moveTo(place) !== undefined;
    const own = source !== undefined && this.playing && !target ? this.moves.filter((move) => move.source === source) : [];
    const ready = own.length > 0;
    // A card that fits somewhere stands out more than one that can only be discarded.
    const spare = ready && own.every((move) => move.deliberate);
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
      class="spot ${kind} ${lit ? "lit" : ""} ${held ? "held" : ""} ${ready ? "ready" : ""} ${spare ? "spare" : ""} ${going ? "going" : ""} ${this.#hinted(source, place) ? "hinted" : ""}"
      data-spot=${key}
      data-place=${place ?? nothing}
      data-source=${source ?? nothing}
      data-index=${index}
      .style=${row === undefined ? "" : `--place: ${row}`}
      aria-label=${name}
      aria-pressed=${source !== undefined && this.playing && !target ? String(held) : nothing}
      aria-disabled=${inert || (target && !lit) ? "true" : nothing}
      aria-haspopup=${look ? "dialog" : nothing}
      @click=${act}
    >
      ${content}
    </button>`;
  }

  /** Whether the hint suggests this card or this place. @param {string | undefined} source @param {string | undefined} place */
  #hinted(source, place) {
    if (!this.hint) return false;
    return (source !== undefined && this.hint.source === source) || (place !== undefined && this.hint.place === place);
  }

  /**
   * A card, or an empty place for one.
   * @param {string | null | undefined} card null is a back
   * @param {boolean} [small]
   */
  card(card, small = false) {
    const size = small ? "leaf small" : "leaf";
    if (card === undefined) return html`<span class="${size} none"></span>`;
    return html`<span class=${size}>${card === null ? this.backOf() : small ? this.small(card) : face(this.#lookOf(card))}</span>`;
  }

  /** A number on a pile. @param {number} number */
  count(number) {
    return keyed(number, html`<span class="how-many">${this.words.number(number)}</span>`);
  }

  /**
   * A text that changes while its place stays: each text is a new element, so nothing slides.
   * @param {string} kind a class
   * @param {string} text
   * @param {boolean} [hidden] whether a spot beside it says the same
   */
  caption(kind, text, hidden = false) {
    return keyed(text, html`<span class=${kind} aria-hidden=${hidden ? "true" : nothing}>${text}</span>`);
  }

  /**
   * Places for tokens, of which some are taken.
   * @param {string} hue of the places
   * @param {number} places
   * @param {string[]} taken the colours of the tokens that lie there
   */
  sockets(hue, places, taken) {
    const all = Array.from({ length: Math.max(places, taken.length) }, (_, place) => taken[place]);
    return html`<span class="sockets" aria-hidden="true">${all.map((each) => (each ? token(each) : socket(hue)))}</span>`;
  }

  /** Tokens of a colour. @param {string} hue @param {number} count */
  tokens(hue, count) {
    return html`<span class="tokens">${token(hue)}${keyed(count, html`<span class="count">${this.words.number(count)}</span>`)}</span>`;
  }

  /**
   * A button for a move.
   * @param {Move} move
   * @param {unknown} content
   * @param {string} [label] where the content has no words
   */
  choice(move, content, label) {
    return html`<button
      type="button"
      class="do-it"
      data-move=${move.move}
      aria-label=${label ?? nothing}
      title=${label ?? nothing}
      @click=${() => this.table.make(move)}
    >
      ${content}
    </button>`;
  }

  /** Buried cards, small and in a row, the lowest first; if there are many, only the last ones. @param {string[]} cards @param {number} [most] */
  buried(cards, most = 5) {
    const shown = cards.slice(0, -1).slice(-most);
    const left = cards.length - 1 - shown.length;
    return html`<span class="buried" aria-hidden="true">
      ${left > 0 ? html`<span class="more">+${this.words.number(left)}</span>` : nothing}
      ${shown.map((card) => html`<span class="leaf tiny">${this.small(card)}</span>`)}
    </span>`;
  }

  /** Cards in someone else's hand. @param {number} count @param {number} [most] how many are drawn */
  backs(count, most = 5) {
    const drawn = Array.from({ length: Math.min(count, most) }, (_, place) => html`<span class="leaf tiny" .style=${`--place: ${place}`}>${this.backOf()}</span>`);
    return html`<span class="backs" .style=${`--cards: ${drawn.length}`}>${drawn}</span>`;
  }

  /** @param {string} hue */
  symbol(hue) {
    return symbolOf(hue);
  }

  /** @param {string} card */
  small(card) {
    return mini(this.#lookOf(card));
  }

  backOf() {
    return back(this.table.drawing);
  }

  /**
   * A button that lists the cards of one of the viewer's own piles, because tapping the pile plays from it.
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
      ${keyed(cards.length, this.buried(cards, 3))}
    </button>`;
  }

  /** A card in hand; one with a picture has its name below. @param {string} card @param {string} turned its turn in the fan */
  #named(card, turned) {
    // Text that turns counts as text that has moved.
    const caption = this.#lookOf(card).picture ? keyed(turned, html`<span class="caption" aria-hidden="true">${this.nameOf(card)}</span>`) : nothing;
    return html`${this.card(card)}${caption}`;
  }

  /** The viewer's hand. @param {string[]} hand */
  hand(hand) {
    /** @type {Map<string, number>} */
    const seen = new Map();
    const cards = hand.map((card, place) => {
      const index = seen.get(card) ?? 0;
      seen.set(card, index + 1);
      return { card, index, place };
    });
    // Each card keeps its element, so that it glides when the fan opens or closes.
    const fan = repeat(
      cards,
      ({ card, index }) => `${card}:${index}`,
      ({ card, index, place }) => {
        const source = `hand:${card}`;
        const label = this.nameOf(card);
        return this.spot({ key: source, label, content: this.#named(card, `${place} ${hand.length}`), kind: "in-hand", source, index, row: place });
      },
    );
    return html`<section class="hand" data-spot="hand" .style=${`--cards: ${hand.length}`} aria-label=${this.t("your_hand", { count: hand.length })}>
      ${cards.length ? fan : html`<p class="quiet">${this.t("empty_hand")}</p>`}
    </section>`;
  }
}
