// Stacks at the table: its moves, how it is drawn, and how what happens is shown.
// @ts-check
import { html, nothing, svg } from "../../vendor/lit.js";

/** @typedef {import("./types.js").Drawn} Drawn */
/** @typedef {import("./types.js").Course} Course */
/** @typedef {import("./types.js").News} News */
/** @typedef {import("./scene.js").Scene} Scene */

/** @typedef {{red: number, blue: number}} Chips */
/** @typedef {{hand: number, chips: Chips, discards: string[]}} Seat */
/**
 * @typedef {object} View
 * @property {number} turn
 * @property {string | null} over
 * @property {string | null} asking
 * @property {"left" | "right"} direction
 * @property {number} skips
 * @property {Record<string, string[]>} piles
 * @property {Chips} bank
 * @property {number} deck
 * @property {Record<string, number>} out_of_play
 * @property {Seat[]} seats
 * @property {string[]} hand
 */

const PILES = ["R1", "R2", "B1", "B2"];
const COLOURS = /** @type {const} */ (["red", "blue"]);
const SPECIALS = ["skip", "reverse", "card", "chip"];
const FULL = 5;

/** @param {string} pile */
const colourOf = (pile) => (pile.startsWith("R") ? "red" : "blue");

/** @param {Scene} scene @param {string} name */
function pile(scene, name) {
  const cards = /** @type {View} */ (scene.view).piles[name];
  const height = cards.length;
  const top = cards.at(-1);
  const badge = top?.endsWith("?") ? html`<span class="stands-for">${scene.words.number(height)}</span>` : nothing;
  const empty = html`<span class="leaf none hue-${name[0].toLowerCase()}"><span class="first">1</span>${scene.symbol(name[0].toLowerCase())}</span>`;
  const code = height === FULL ? "pile_full" : height === 0 ? "pile_empty" : top?.endsWith("?") ? "pile_wild" : "pile";
  const label = scene.t(`${code}_${colourOf(name)}`, { pile: name, height, next: height + 1 });
  return html`<li class=${scene.view.asking === name ? "asked-about" : ""}>
    ${scene.spot({
      key: `pile:${name}`,
      place: `pile:${name}`,
      label,
      content: html`${top === undefined ? empty : scene.card(top)}${badge}`,
      kind: "pile",
      cards,
    })}
    <span class="under" aria-hidden="true"
      ><b>${name}</b> ${height === FULL ? nothing : html`<span class="needs">${scene.t("needs", { next: height + 1 })}</span>`}</span
    >
  </li>`;
}

/** Which way the turns go round, as a picture and in words. @param {Scene} scene */
function direction(scene) {
  const { direction, skips } = /** @type {View} */ (scene.view);
  // To the left is the way of the clock, as one looks at the table.
  const turned = direction === "left" ? "scale(-1 1)" : "";
  return html`<li data-spot="direction" class="direction">
    <svg class="round" viewBox="-14 -14 28 28" aria-hidden="true" focusable="false">
      <g transform=${turned}>${svg`<path d="M-9-4a10 10 0 1 1 0 8"/><path d="m-13.500-8.500 4 5.500 5.500-3.500"/>`}</g>
    </svg>
    <span>${scene.t(`direction_${direction}`)}${skips ? html`, ${scene.t("skips", { count: skips })}` : nothing}</span>
  </li>`;
}

/** @param {Scene} scene */
function middle(scene) {
  const { deck, out_of_play, bank } = /** @type {View} */ (scene.view);
  const out = Object.values(out_of_play).reduce((sum, count) => sum + count, 0);
  return html`<ul class="piles">
      ${PILES.map((name) => pile(scene, name))}
    </ul>
    <ul class="stores">
      <li data-spot="deck">
        ${scene.card(deck ? null : undefined, true)}
        <span>${scene.t("deck", { count: deck })}</span>
      </li>
      <li>
        <span data-spot="bank" class="bank" role="img" aria-label=${scene.t("bank", bank)}>
          ${COLOURS.map((colour) => scene.chips(colour, bank[colour]))}
        </span>
      </li>
      <li>
        ${scene.spot({
          key: "out",
          place: "play",
          label: scene.t("out_of_play", { count: out }),
          content: scene.card(out ? null : undefined, true),
        })}
        <span aria-hidden="true">${scene.t("out_of_play", { count: out })}</span>
      </li>
      ${direction(scene)}
    </ul>`;
}

/** @param {Scene} scene @param {number} seat @param {"red" | "blue"} colour */
function chipsOf(scene, seat, colour) {
  const count = /** @type {Seat} */ (scene.view.seats[seat - 1]).chips[colour];
  return scene.spot({
    key: `seat:${seat}:${colour}`,
    place: seat === scene.you ? undefined : `seat:${seat}:${colour}`,
    label: scene.t(`chips_${colour}`, { count }),
    content: scene.chips(colour, count),
    kind: "chip-spot",
  });
}

/** @param {Scene} scene @param {number} seat */
function discards(scene, seat) {
  const mine = seat === scene.you;
  const cards = /** @type {Seat} */ (scene.view.seats[seat - 1]).discards;
  const key = `seat:${seat}:top`;
  const label = cards.length
    ? scene.t(cards.length > 1 ? "discards_over" : "discards", {
        card: scene.nameOf(cards.at(-1)),
        under: scene.namesOf(cards.slice(0, -1)),
      })
    : scene.t("discards_empty");
  return html`<div class="stack discards">
    ${scene.spot({
      key,
      place: mine ? "discard" : key,
      source: mine && cards.length ? "top" : undefined,
      label,
      content: html`${scene.card(cards.at(-1), !mine)}${cards.length > 1 ? scene.count(cards.length) : nothing}`,
      kind: cards.length > 1 ? "deep" : "",
      cards,
    })}
    ${mine ? scene.lookUnder(key, scene.t("discards_all"), cards) : nothing}
  </div>`;
}

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const at = /** @type {Seat} */ (scene.view.seats[seat - 1]);
  const mine = seat === scene.you;
  return html`<div class="spread">
    <div class="chip-row">${COLOURS.map((colour) => chipsOf(scene, seat, colour))}</div>
    ${mine
      ? nothing
      : scene.spot({
          key: `seat:${seat}:hand`,
          place: `seat:${seat}:hand`,
          label: scene.t("hand_of", { count: at.hand }),
          content: html`${scene.card(at.hand ? null : undefined, true)}${scene.count(at.hand)}`,
          kind: at.hand > 1 ? "deep" : "",
        })}
    ${discards(scene, seat)}
  </div>`;
}

/** @param {Scene} scene */
function prompt(scene) {
  if (scene.chosen) return null;
  return scene.t(scene.view.hand.length ? "prompt_stacks" : "prompt_stacks_empty");
}

/** @param {View} view @param {News} news @param {number | null} you */
function leaveHand(view, news, you) {
  const seat = view.seats[(news.seat ?? 1) - 1];
  seat.hand = Math.max(0, seat.hand - 1);
  const place = news.seat === you ? view.hand.indexOf(news.card ?? "") : -1;
  if (place >= 0) view.hand.splice(place, 1);
}

/** @param {View} view @param {News} news @param {number | null} you */
function joinHand(view, news, you) {
  view.seats[(news.seat ?? 1) - 1].hand += 1;
  if (news.seat === you && news.card) view.hand = [...view.hand, news.card].sort();
}

/** @param {number | undefined} seat @param {number | null} you @param {string | null | undefined} card */
const handSpots = (seat, you, card) => (seat === you ? [`hand:${card}`, "hand"] : [`seat:${seat}:hand`, `seat:${seat}`]);

/** @param {View} view @param {string[]} cards */
function putOut(view, cards) {
  for (const card of cards) view.out_of_play[card] = (view.out_of_play[card] ?? 0) + 1;
}

/**
 * @param {View} view
 * @param {News} news
 * @param {number | null} you
 * @returns {Course}
 */
function course(view, news, you) {
  const { card, seat: number } = news;
  const seat = view.seats[(number ?? 1) - 1];
  switch (news.kind) {
    case "shuffled":
      return { mark: ["deck"], sound: "shuffle", land: () => Object.assign(view, { deck: news.count, out_of_play: {} }) };
    case "drew":
      return {
        from: ["deck"],
        to: number === you ? ["hand"] : [`seat:${number}:hand`],
        card: card ?? null,
        dealt: true,
        sound: "deal",
        lift: () => (view.deck = Math.max(0, view.deck - 1)),
        land: () => joinHand(view, news, you),
      };
    case "played":
      return played(view, news, you);
    case "completed":
      return clear(view, news.pile);
    case "blocked":
      return blocked(view, { ...news, card: "block" }, you);
    case "earned":
      return moveChip(news.colour, ["bank"], view.bank, [`seat:${number}:${news.colour}`], seat.chips);
    case "stole_chip":
      return moveChip(
        news.colour,
        [`seat:${news.other}:${news.colour}`],
        view.seats[news.other - 1].chips,
        [`seat:${number}:${news.colour}`],
        seat.chips,
      );
    case "stole":
      return stole(view, news, you);
    case "discarded":
      return {
        from: handSpots(number, you, card),
        to: [`seat:${number}:top`],
        card,
        sound: "play",
        lift: () => leaveHand(view, news, you),
        land: () => seat.discards.push(card ?? "block"),
      };
    case "skipped":
      return { mark: [`seat:${number}`], sound: "skip", land: () => (view.skips = Math.max(0, view.skips - 1)) };
    case "reversed":
      return {
        mark: ["direction"],
        sound: "skip",
        land: () => (view.direction = view.direction === "left" ? "right" : "left"),
      };
    case "turn":
      return { mark: [`seat:${number}`], land: () => (view.turn = number ?? view.turn) };
    case "passed":
      return { mark: [`seat:${number}`] };
    default:
      return {};
  }
}

/** @param {View} view @param {News} news @param {number | null} you @returns {Course} */
function played(view, news, you) {
  const fromTop = news.source === "top";
  const seat = view.seats[(news.seat ?? 1) - 1];
  return {
    from: fromTop ? [`seat:${news.seat}:top`] : handSpots(news.seat, you, news.card),
    to: [news.pile ? `pile:${news.pile}` : "out"],
    card: news.card,
    sound: "play",
    lift: () => (fromTop ? seat.discards.pop() : leaveHand(view, news, you)),
    land: () => (news.pile ? view.piles[news.pile].push(news.card ?? "r?") : putOut(view, [news.card ?? "block"])),
  };
}

/** @param {View} view @param {News} news @param {number | null} you @returns {Course} */
function stole(view, news, you) {
  const victim = view.seats[news.other - 1];
  const fromTop = news.source === "top";
  return {
    from: fromTop ? [`seat:${news.other}:top`] : handSpots(news.other, you, news.card),
    to: news.seat === you ? ["hand"] : [`seat:${news.seat}:hand`],
    card: news.card ?? null,
    sound: "steal",
    lift: () => (fromTop ? victim.discards.pop() : leaveHand(view, { ...news, seat: news.other }, you)),
    land: () => joinHand(view, news, you),
  };
}

/** The block goes onto the pile, and both go out of play. */
/** @param {View} view @param {News} news @param {number | null} you @returns {Course} */
function blocked(view, news, you) {
  const cards = view.piles[news.pile];
  return {
    from: handSpots(news.seat, you, news.card),
    to: [`pile:${news.pile}`],
    card: news.card,
    mark: [`seat:${news.seat}`],
    sound: "block",
    lift: () => leaveHand(view, news, you),
    land: () => {
      view.piles[news.pile] = [];
      putOut(view, [...cards, "block"]);
    },
  };
}

/** @param {View} view @param {string} pile @returns {Course} */
function clear(view, pile) {
  const cards = view.piles[pile];
  return {
    from: [`pile:${pile}`],
    to: ["out"],
    card: cards.at(-1) ?? null,
    sound: "complete",
    lift: () => (view.piles[pile] = []),
    land: () => putOut(view, cards),
  };
}

/**
 * @param {"red" | "blue"} colour
 * @param {string[]} from
 * @param {Chips} giver
 * @param {string[]} to
 * @param {Chips} taker
 * @returns {Course}
 */
function moveChip(colour, from, giver, to, taker) {
  return {
    from,
    to,
    chip: colour,
    sound: "chip",
    lift: () => (giver[colour] = Math.max(0, giver[colour] - 1)),
    land: () => (taker[colour] += 1),
  };
}

/** @type {Drawn} */
export const stacks = {
  read(move) {
    if (move === "end" || move === "block" || move === "allow") return { move, source: null, place: move };
    const parts = move.split(" ");
    if (parts[0] === "x") return { move, source: `hand:${parts[1]}`, place: "discard" };
    const fromTop = parts[0] === "top";
    const [first, ...rest] = fromTop ? parts.slice(1) : parts;
    const source = fromTop ? "top" : `hand:${first}`;
    if (fromTop && PILES.includes(first)) return { move, source, place: `pile:${first}` };
    if (!SPECIALS.includes(first)) return { move, source, place: `pile:${rest[0]}` };
    return { move, source, place: rest.length ? `seat:${rest[0].slice(1)}:${rest[1]}` : "play" };
  },
  write(source, place) {
    const card = source === "top" ? "top" : source.slice(5);
    if (place === "discard") return source === "top" ? null : `x ${card}`;
    if (place.startsWith("pile:") && !SPECIALS.includes(card)) return `${card} ${place.slice(5)}`;
    const [, seat, half] = place.split(":");
    if (card === "card" && (half === "hand" || half === "top")) return `card @${seat} ${half}`;
    if (card === "chip" && (half === "red" || half === "blue")) return `chip @${seat} ${half}`;
    return null;
  },
  blank: (facts) => ({
    turn: 0,
    over: null,
    asking: null,
    direction: "left",
    skips: 0,
    piles: Object.fromEntries(PILES.map((name) => [name, []])),
    bank: { red: 20, blue: 20 },
    deck: 0,
    out_of_play: {},
    seats: Array.from({ length: Number(facts.options.players) }, () => ({
      hand: 0,
      chips: { red: 0, blue: 0 },
      discards: [],
    })),
    hand: [],
  }),
  middle,
  seat,
  hand: (scene) => scene.hand(scene.view.hand),
  prompt,
  place: () => ".mine",
  card: (view, seat, source) => (source === "top" ? view.seats[seat - 1].discards.at(-1) : source.slice(5)),
  course,
};
