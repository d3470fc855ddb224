// Stockpile at the table: its moves, its drawing, and how its events are shown.
// @ts-check
import { html, keyed, leading, nothing } from "../../kit.js";

/** @typedef {import("../../kit.js").Course} Course */
/** @typedef {import("../../kit.js").Drawing} Drawing */
/** @typedef {import("../../kit.js").News} News */
/** @typedef {import("../../kit.js").Scene} Scene */

/** @typedef {{stock: number, top: string | null, stacks: Record<string, string[]>}} Seat */
/**
 * @typedef {object} View
 * @property {number} turn
 * @property {string | null} over
 * @property {{height: number, cards: string[]}[]} piles
 * @property {Seat[]} seats
 * @property {number} fresh
 * @property {Record<string, number>} completed
 */

const PILES = [1, 2, 3, 4];
const STACKS = ["A", "B", "C"];

/** @param {Record<string, number>} counts */
const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** @param {Scene} scene @param {{height: number, cards: string[]}} pile */
function pileLabel(scene, pile, number = 0) {
  const wild = pile.cards.at(-1) === "?";
  if (pile.height === 0) return scene.t("pile_empty", { pile: number });
  return scene.t(wild ? "pile_wild" : "pile", { pile: number, height: pile.height, next: pile.height + 1 });
}

/** @param {Scene} scene @param {number} number */
function pile(scene, number) {
  const pile = scene.view.piles[number - 1];
  const top = pile.cards.at(-1);
  const badge = top === "?" ? scene.caption("stands-for", scene.words.number(pile.height)) : nothing;
  const empty = html`<span class="leaf none"><span class="first">1</span></span>`;
  return html`<li>
    ${scene.spot({
      key: `pile:${number}`,
      place: `pile:${number}`,
      label: pileLabel(scene, pile, number),
      content: html`${top === undefined ? empty : scene.card(top)}${badge}`,
      kind: "pile",
      cards: pile.cards,
    })}
    ${scene.caption("under", scene.t("needs", { next: pile.height + 1 }), true)}
  </li>`;
}

/** @param {Scene} scene */
function middle(scene) {
  const { fresh, completed } = /** @type {View} */ (scene.view);
  const done = total(completed);
  return html`<ul class="stores">
      <li data-spot="deck" class="deck ${fresh > 1 ? "deep" : ""}">
        ${scene.card(fresh ? null : undefined, true)}
        ${scene.caption("said", scene.t("fresh", { count: fresh }))}
      </li>
    </ul>
    <ul class="piles">
      ${PILES.map((number) => pile(scene, number))}
    </ul>
    <ul class="stores">
      <li data-spot="completed" class="out">
        ${scene.card(done ? null : undefined, true)}
        ${scene.caption("said", scene.t("completed", { count: done }))}
      </li>
    </ul>`;
}

/** The rest of the stockpile, as a bar that shrinks. @param {Scene} scene @param {number} seat */
function goal(scene, seat) {
  const { stock } = /** @type {Seat} */ (scene.view.seats[seat - 1]);
  const all = Math.max(stock, Number(scene.facts.options.stock ?? stock));
  return html`<span class="left" aria-hidden="true" .style=${`--left: ${all ? stock / all : 0}`}>
    <span class="left-bar"></span>${keyed(stock, html`<b>${scene.words.number(stock)}</b>`)}
  </span>`;
}

/** @param {View} view */
const leaders = ({ seats }) => leading(seats.map(({ stock }) => -stock));

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const mine = seat === scene.you;
  const at = /** @type {Seat} */ (scene.view.seats[seat - 1]);
  const top = at.stock ? at.top : undefined;
  return html`<div class="spread">
    ${scene.spot({
      key: `seat:${seat}:stock`,
      source: mine ? "stock" : undefined,
      label: at.stock ? scene.t("stock", { card: scene.nameOf(top), count: at.stock }) : scene.t("stock_empty"),
      content: html`<span class="letter" aria-hidden="true">${scene.t("stock_short")}</span>${scene.card(top, !mine)}${at.stock > 1 ? scene.count(at.stock) : nothing}`,
      kind: at.stock > 1 ? "stock deep" : "stock",
    })}
    ${STACKS.map((name) => {
      const cards = at.stacks[name];
      return html`<div class="stack">
        ${scene.spot({
          key: `seat:${seat}:${name}`,
          source: mine && cards.length ? name : undefined,
          label: cards.length
            ? scene.t(cards.length > 1 ? "stack_over" : "stack", {
                stack: name,
                card: scene.nameOf(cards.at(-1)),
                under: scene.namesOf(cards.slice(0, -1)),
              })
            : scene.t("stack_empty", { stack: name }),
          content: html`<span class="letter" aria-hidden="true">${name}</span>${scene.card(cards.at(-1), !mine)}
            ${cards.length > 1 && !mine ? scene.count(cards.length) : nothing}`,
          kind: cards.length > 1 ? "deep" : "",
          cards,
        })}
        ${mine ? under(scene, seat, name, cards) : nothing}
      </div>`;
    })}
  </div>`;
}

/** The buried cards of one's own stack can be looked at too, even while its top card can be played. */
/** @param {Scene} scene @param {number} seat @param {string} name @param {string[]} cards */
function under(scene, seat, name, cards) {
  return scene.lookUnder(`seat:${seat}:${name}`, scene.t("stack_all", { stack: name }), cards);
}

/**
 * @param {View} view
 * @param {News} news
 * @returns {Course}
 */
function course(view, news) {
  const seat = news.seat ? view.seats[news.seat - 1] : view.seats[0];
  const spot = `seat:${news.seat}`;
  const { card, pile } = news;
  switch (news.kind) {
    case "shuffled":
      return { mark: ["deck"], sound: "shuffle", land: () => shuffle(view, news.count) };
    case "dealt":
      if (news.to === "stock") return { mark: [`${spot}:stock`], land: () => (seat.top = card ?? null), dealt: true };
      return {
        from: ["deck"],
        to: [`${spot}:${news.to}`],
        card,
        dealt: true,
        sound: "deal",
        lift: () => (view.fresh = Math.max(0, view.fresh - 1)),
        land: () => seat.stacks[news.to].push(card ?? "?"),
      };
    case "played":
      return {
        from: [`${spot}:${news.source}`],
        to: [`pile:${pile}`],
        card,
        sound: "play",
        lift: () => take(seat, news.source),
        land: () => {
          view.piles[pile - 1].cards.push(card ?? "?");
          view.piles[pile - 1].height += 1;
        },
      };
    case "completed":
      return complete(view, pile);
    case "turn":
      return { mark: [spot], land: () => (view.turn = news.seat ?? view.turn) };
    case "stopped":
    case "passed":
      return { mark: [spot] };
    default:
      return {};
  }
}

/** The stockpiles are already dealt when the first shuffle is shown. @param {View} view @param {number} count */
function shuffle(view, count) {
  const dealt = view.turn ? 0 : view.seats.reduce((sum, { stock }) => sum + stock, 0);
  Object.assign(view, { fresh: count - dealt, completed: {} });
}

/** @param {Seat} seat @param {string} source */
function take(seat, source) {
  if (source === "stock") Object.assign(seat, { stock: seat.stock - 1, top: null });
  else seat.stacks[source].pop();
}

/** @param {View} view @param {number} number @returns {Course} */
function complete(view, number) {
  const { cards } = view.piles[number - 1];
  return {
    from: [`pile:${number}`],
    to: ["completed"],
    cards: [...cards].reverse(),
    sound: "complete",
    lift: () => (view.piles[number - 1] = { height: 0, cards: [] }),
    land: () => {
      for (const card of cards) view.completed[card] = (view.completed[card] ?? 0) + 1;
    },
  };
}

/** @type {Drawing} */
export const drawing = {
  read(move) {
    const [source, pile] = move.split(" ");
    return pile ? { move, source, place: `pile:${pile}` } : { move, source: null, place: move, button: `command_${move}` };
  },
  write: (source, place) => (place.startsWith("pile:") ? `${source} ${place.slice(5)}` : null),
  blank: (facts) => ({
    turn: 0,
    over: null,
    piles: PILES.map(() => ({ height: 0, cards: [] })),
    seats: Array.from({ length: Number(facts.options.players) }, () => ({
      stock: Number(facts.options.stock),
      top: null,
      stacks: { A: [], B: [], C: [] },
    })),
    fresh: 0,
    completed: {},
  }),
  middle,
  seat,
  goal,
  leaders,
  trophy: () => ["6", "7", "8", "9", "10"],
  hand: null,
  question: null,
  prompt: (scene) => (scene.chosen ? null : scene.t("prompt_stockpile")),
  card: (view, seat, source) =>
    source === "stock" ? view.seats[seat - 1].top : view.seats[seat - 1].stacks[source].at(-1),
  course,
};
