// Stacks at the table: its moves, its drawing, and how its events are shown.
// @ts-check
import { html, keyed, leading, nothing, svg, token } from "../../kit.js";

/** @typedef {import("../../kit.js").Course} Course */
/** @typedef {import("../../kit.js").Drawing} Drawing */
/** @typedef {import("../../kit.js").Move} Move */
/** @typedef {import("../../kit.js").News} News */
/** @typedef {import("../../kit.js").Scene} Scene */

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

/** The special cards: illustrations, and their names. @type {Record<string, Partial<import("../../kit.js").Look>>} */
const PICTURES = Object.fromEntries(
  [...SPECIALS, "block"].map((card) => [card, { picture: `stacks-${card}`, name: `web.table_${card}` }]),
);

/** The sounds that only this game has. @type {Drawing["sounds"]} */
const sounds = {
  chip: [[1175, 0, 0.09, 0.08], [1568, 0.06, 0.14, 0.07]],
  steal: [[392, 0, 0.09, 0.1], [294, 0.08, 0.16, 0.1]],
  skip: [[330, 0, 0.08, 0.08], [440, 0.07, 0.08, 0.08]],
  block: [[147, 0, 0.22, 0.16], [0, 0, 0.06, 0.14]],
};

/** @param {string} pile */
const colourOf = (pile) => (pile.startsWith("R") ? "red" : "blue");

/** @param {Scene} scene @param {string} name */
function pile(scene, name) {
  const cards = /** @type {View} */ (scene.view).piles[name];
  const height = cards.length;
  const top = cards.at(-1);
  const badge = top?.endsWith("?") ? scene.caption("stands-for", scene.words.number(height)) : nothing;
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
    ${scene.caption("under", height === FULL ? "" : scene.t("needs", { next: height + 1 }), true)}
  </li>`;
}

/** The direction of play, as a picture and in words. @param {Scene} scene */
function direction(scene) {
  const { direction, skips } = /** @type {View} */ (scene.view);
  // "To the left" is clockwise, seen from above.
  const turned = direction === "left" ? "scale(-1 1)" : "";
  return keyed(`${direction} ${skips}`, html`<li data-spot="direction" class="direction">
    <svg class="round" viewBox="-14 -14 28 28" aria-hidden="true" focusable="false">
      <g transform=${turned}>${svg`<path d="M-9-4a10 10 0 1 1 0 8"/><path d="m-13.500-8.500 4 5.500 5.500-3.500"/>`}</g>
    </svg>
    <span class="said-way">${scene.t(`direction_${direction}`)}${skips ? html`, ${scene.t("skips", { count: skips })}` : nothing}</span>
  </li>`);
}

/** @param {Scene} scene */
function middle(scene) {
  const { deck, out_of_play, bank } = /** @type {View} */ (scene.view);
  const out = Object.values(out_of_play).reduce((sum, count) => sum + count, 0);
  return html`<ul class="stores">
      <li data-spot="deck" class="deck ${deck > 1 ? "deep" : ""}">
        ${scene.card(deck ? null : undefined, true)}
        ${scene.caption("said", scene.t("deck", { count: deck }))}
      </li>
      <li class="out">
        ${scene.spot({
          key: "out",
          place: "play",
          label: scene.t("out_of_play", { count: out }),
          content: scene.card(out ? null : undefined, true),
        })}
        ${scene.caption("said", scene.t("out_of_play", { count: out }), true)}
      </li>
    </ul>
    <ul class="piles">
      ${PILES.map((name) => pile(scene, name))}
    </ul>
    <ul class="stores">
      <li>
        <span data-spot="bank" class="bank" role="img" aria-label=${scene.t("bank", bank)}>
          ${COLOURS.map((colour) => scene.tokens(colour[0], bank[colour]))}
        </span>
      </li>
      ${direction(scene)}
    </ul>`;
}

// A win takes five chips, at least two of each colour.
const EACH = 2;

/** @param {Scene} scene @param {number} seat @param {"red" | "blue"} colour */
function chipsOf(scene, seat, colour) {
  const count = /** @type {Seat} */ (scene.view.seats[seat - 1]).chips[colour];
  return scene.spot({
    key: `seat:${seat}:${colour}`,
    place: seat === scene.you ? undefined : `seat:${seat}:${colour}`,
    label: scene.t(`chips_${colour}`, { count }),
    content: scene.sockets(colour[0], EACH, Array(Math.min(count, EACH)).fill(colour[0])),
    kind: "chip-spot",
  });
}

/** The chips of a seat in their sockets: two for each colour, and one for any. @param {Scene} scene @param {number} seat */
function goal(scene, seat) {
  const { chips } = /** @type {Seat} */ (scene.view.seats[seat - 1]);
  const more = COLOURS.flatMap((colour) => Array(Math.max(0, chips[colour] - EACH)).fill(colour[0]));
  return html`<div class="chip-row">
    ${COLOURS.map((colour) => chipsOf(scene, seat, colour))}<span class="any-chip">${scene.sockets("", 1, more)}</span>
  </div>`;
}

/** The chips of a seat, as the result shows them: 2 and 2 beat 6 of one colour. @param {View} view @param {number} seat */
function tally({ seats }, seat) {
  const { chips } = seats[seat - 1];
  return COLOURS.map((colour) => ({ hue: colour[0], count: chips[colour], label: `chips_${colour}` }));
}

/** @param {View} view */
function leaders({ seats }) {
  const counts = seats.map(({ chips }) => chips.red + chips.blue);
  return leading(counts);
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
  const hand = scene.spot({
    key: `seat:${seat}:hand`,
    place: `seat:${seat}:hand`,
    label: scene.t("hand_of", { count: at.hand }),
    content: html`${at.hand ? scene.backs(at.hand) : scene.card(undefined, true)}${scene.count(at.hand)}`,
    kind: "closed-hand",
  });
  return html`<div class="spread">${seat === scene.you ? nothing : hand} ${discards(scene, seat)}</div>`;
}

/** @param {Move} move */
const isTheft = ({ place }) => place.startsWith("seat:");

/** @param {Scene} scene */
function prompt(scene) {
  if (scene.chosen && scene.places.some(isTheft)) return scene.t("pick_victim");
  if (scene.chosen) return scene.places.some(({ place }) => place === "play") ? scene.t("pick_use") : null;
  return scene.t(scene.view.hand.length ? "prompt_stacks" : "prompt_stacks_empty");
}

/** The possible thefts. @param {Scene} scene @param {Move[]} offered */
function choices(scene, offered) {
  const thefts = offered.filter(isTheft);
  const victims = [...new Set(thefts.map(({ place }) => Number(place.split(":")[1])))];
  return victims.map((seat) => victim(scene, seat, thefts));
}

/** @param {Scene} scene @param {number} seat @param {Move[]} thefts */
function victim(scene, seat, thefts) {
  const { discards, hand, chips } = /** @type {Seat} */ (scene.view.seats[seat - 1]);
  const name = scene.nameAt(seat);
  const gaps = { name, card: scene.nameOf(discards.at(-1)), count: hand };
  /** @type {Record<string, unknown>} */
  const looks = {
    hand: html`${scene.card(null, true)}<span aria-hidden="true">?</span>`,
    top: scene.card(discards.at(-1), true),
    red: scene.tokens("r", chips.red),
    blue: scene.tokens("b", chips.blue),
  };
  const what = (/** @type {Move} */ { place }) => place.split(":")[2];
  const own = thefts.filter(({ place }) => place.startsWith(`seat:${seat}:`));
  return html`<div class="victim" role="group" aria-label=${name}>
    <span class="who">${name}</span>
    ${own.map((move) => scene.choice(move, looks[what(move)], scene.t(`steal_${what(move)}`, gaps)))}
  </div>`;
}

/** What the player who has completed a pile earns if no one blocks. @param {Scene} scene */
function stake(scene) {
  const { asking, turn, seats } = /** @type {View} */ (scene.view);
  const colour = colourOf(asking ?? "");
  const code = `stacks.earned_${colour}`;
  const earned = scene.words.t(turn === scene.you ? `${code}_you` : code, { name: scene.nameAt(turn) });
  const chips = { ...seats[turn - 1].chips };
  chips[colour] += 1;
  const wins = chips.red + chips.blue > 2 * EACH && Math.min(chips.red, chips.blue) >= EACH;
  return [scene.t("stake", { what: earned }), ...(wins ? [scene.t("stake_win")] : [])].join(" ");
}

/** The question whether anyone blocks. @param {Scene} scene @returns {import("../../kit.js").Question} */
function question(scene) {
  return {
    title: scene.t("asking", { pile: scene.view.asking ?? "" }),
    stake: stake(scene),
    answer: (move) => scene.t(`answer_${move}`),
    answered: (move) => scene.t(`answered_${move}`),
    strong: "block",
  };
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
    cards: [...cards].reverse(),
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
    token: token(colour[0]),
    sound: "chip",
    lift: () => (giver[colour] = Math.max(0, giver[colour] - 1)),
    land: () => (taker[colour] += 1),
  };
}

/** @type {Drawing} */
export const drawing = {
  read(move) {
    if (move === "end" || move === "block" || move === "allow") {
      return { move, source: null, place: move, button: `command_${move}` };
    }
    const parts = move.split(" ");
    if (parts[0] === "x") return { move, source: `hand:${parts[1]}`, place: "discard", button: "discard_it", deliberate: true };
    const fromTop = parts[0] === "top";
    const [first, ...rest] = fromTop ? parts.slice(1) : parts;
    const source = fromTop ? "top" : `hand:${first}`;
    if (fromTop && PILES.includes(first)) return { move, source, place: `pile:${first}` };
    if (!SPECIALS.includes(first)) return { move, source, place: `pile:${rest[0]}` };
    if (rest.length) return { move, source, place: `seat:${rest[0].slice(1)}:${rest[1]}` };
    return { move, source, place: "play", button: "play_it" };
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
  goal,
  tally,
  leaders,
  // Both colours, as its chips.
  tokens: ["r", "b", "b", "r"],
  trophy: () => ["r3", "b4", "r5", "b5", "r4", "b3"],
  hand: (scene) => scene.hand(scene.view.hand),
  prompt,
  choices,
  question,
  sounds,
  look: (card) => PICTURES[card] ?? {},
  card: (view, seat, source) => (source === "top" ? view.seats[seat - 1].discards.at(-1) : source.slice(5)),
  course,
};
