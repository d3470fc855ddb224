// Lines at the table: its moves, its drawing, and how its events are shown.
// @ts-check
import { html, keyed, leading, nothing } from "../../kit.js";

/** @typedef {import("../../kit.js").Course} Course */
/** @typedef {import("../../kit.js").Drawing} Drawing */
/** @typedef {import("../../kit.js").News} News */
/** @typedef {import("../../kit.js").Scene} Scene */

/** @typedef {{aside: boolean, cards: string[]}} Line */
/** @typedef {{hand: number, points: number, lines: Line[]}} Seat */
/**
 * @typedef {object} View
 * @property {number} turn
 * @property {string | null} over
 * @property {"opening" | "give" | "home"} step
 * @property {number} closing
 * @property {number} deck
 * @property {string[]} discarded
 * @property {Seat[]} seats
 * @property {string[]} hand
 */

// The maximum number of cards of a line that are drawn; the others can be looked at.
const MOST_SHOWN = 6;
const END = { top: "top", bottom: "bottom" };

/** @param {Scene} scene */
function middle(scene) {
  const { deck, discarded, closing } = /** @type {View} */ (scene.view);
  return html`<ul class="stores">
      <li data-spot="deck" class="deck ${deck > 1 ? "deep" : ""}">
        ${scene.card(deck ? null : undefined, true)}
        ${scene.caption("said", scene.t("deck", { count: deck }))}
      </li>
      <li class="out">
        ${scene.spot({
          key: "discard",
          place: "discard",
          label: scene.t("discarded", { count: discarded.length }),
          // Their order is unknown, so there is no top card to show.
          content: scene.card(discarded.length ? null : undefined, true),
          cards: discarded,
          unordered: true,
        })}
        ${scene.caption("said", scene.t("discarded", { count: discarded.length }), true)}
      </li>
    </ul>
    ${closing ? scene.caption("last-turns", scene.t("closing", { count: closing })) : nothing}`;
}

/** A place for a new line, shown only if one is possible there now. */
/** @param {Scene} scene @param {number} seat @param {"top" | "bottom"} end */
function newLine(scene, seat, end) {
  const { lines } = /** @type {Seat} */ (scene.view.seats[seat - 1]);
  if (!lines.length && end === "bottom") return nothing;
  const label = scene.t(lines.length ? `new_line_${end}` : "new_line_first", { name: scene.nameAt(seat) });
  return scene.spot({
    key: `zone:${seat}:${end}`,
    place: `zone:${seat}:${end}`,
    label,
    content: html`<span class="plus" aria-hidden="true">+ <span class="new-word">${scene.t("new_line")}</span></span>`,
    kind: "new-line",
  });
}

/** @param {Scene} scene @param {number} seat */
function isOpen(scene, seat) {
  if (!scene.moves.length) return false;
  return scene.view.step === "give" ? seat !== scene.you : seat === scene.you;
}

/** The cards of a line, the lowest first, each with its corner visible. @param {Scene} scene @param {Line} line */
const cardsOf = (scene, { cards }) => html`<span class="row-of-cards">${cards.slice(-MOST_SHOWN).map((card) => scene.card(card))}</span>`;

/** @param {Line} line */
const worthOf = ({ cards }) => valueOf(cards.at(-1) ?? "r0");

/** @param {Scene} scene @param {number} seat @param {Line} line @param {number} number */
function line(scene, seat, line, number) {
  const cards = line.cards.map((card) => scene.nameOf(card)).join(", ");
  return scene.spot({
    key: `zone:${seat}:+${number}`,
    place: `zone:${seat}:+${number}`,
    label: scene.t(line.aside ? "line_aside" : "line", { line: number, cards }),
    content: cardsOf(scene, line),
    kind: line.aside ? "line aside" : "line active",
    cards: line.cards.length > 1 ? line.cards : undefined,
  });
}

/** Someone else's line that is put aside: nothing can be laid there, so it can only be looked at. */
/** @param {Scene} scene @param {number} seat @param {Line} line @param {number} number */
function setDown(scene, seat, line, number) {
  const label = scene.t("line_aside", { line: number, cards: scene.nameOf(line.cards.at(-1)) });
  return html`<span class="line aside set-down" data-spot="zone:${seat}:+${number}" role="img" aria-label=${label}>${cardsOf(scene, line)}</span>`;
}

/** A row of a zone: one active line, or all that are put aside. @param {Scene} scene @param {number} seat @param {{line: Line, number: number}[]} row */
function rowOf(scene, seat, row) {
  const aside = row[0].line.aside;
  const drawn = row.map(({ line: each, number }) => (each.aside && seat !== scene.you ? setDown : line)(scene, seat, each, number));
  const worth = row.reduce((sum, { line: each }) => sum + worthOf(each), 0);
  return html`<div class="line-row ${aside ? "aside-row" : "active-row"}">
    ${aside ? html`<span class="asides">${drawn}</span>` : drawn}
    <span class="value ${aside ? "" : "of-active"}" aria-hidden="true">
      <b>${scene.words.number(worth)}</b>${aside ? html`<span class="tag-aside">${scene.t("tag_aside")}</span>` : nothing}
    </span>
  </div>`;
}

/** The rows of a zone. Lines that are put aside lie between the active ones. @param {Line[]} lines */
function rowsOf(lines) {
  /** @type {{line: Line, number: number}[][]} */
  const rows = [];
  lines.forEach((line, place) => {
    const last = rows.at(-1);
    if (line.aside && last?.[0].line.aside) last.push({ line, number: place + 1 });
    else rows.push([{ line, number: place + 1 }]);
  });
  return rows;
}

/** @param {Scene} scene @param {number} seat */
function seat(scene, seat) {
  const { lines } = /** @type {Seat} */ (scene.view.seats[seat - 1]);
  const open = isOpen(scene, seat);
  const rows = rowsOf(lines);
  const active = rows.filter(([{ line }]) => !line.aside);
  const asides = lines.length - active.length;
  const longest = Math.max(1, ...active.map(([{ line }]) => Math.min(MOST_SHOWN, line.cards.length)));
  // A zone with other cards is laid out again: nothing slides under a finger.
  const cards = lines.map((each) => `${each.aside ? "-" : "+"}${each.cards.join("")}`).join(" ");
  const content = html`${open ? newLine(scene, seat, "top") : nothing}
    ${rows.map((row) => rowOf(scene, seat, row))}
    ${open ? newLine(scene, seat, "bottom") : nothing}
    ${lines.length || open ? nothing : html`<p class="quiet">${scene.t("no_lines")}</p>`}`;
  return html`<div class="zone" data-spot="zone:${seat}" .style=${`--rows: ${Math.max(1, rows.length)}; --active: ${Math.max(1, active.length)}; --longest: ${longest}; --asides: ${asides}`}>
    ${keyed(`${open} ${cards}`, content)}
  </div>`;
}

/** @param {Scene} scene @param {number} seat */
function goal(scene, seat) {
  const at = /** @type {Seat} */ (scene.view.seats[seat - 1]);
  return html`<p class="tally">
    ${scene.caption("points", scene.t("points", { count: at.points }))}
    ${seat === scene.you ? nothing : handOf(scene, seat, at.hand)}
  </p>`;
}

/** @param {View} view */
const leaders = ({ seats }) => leading(seats.map(({ points }) => points));

/** @param {Scene} scene @param {number} seat @param {number} count */
function handOf(scene, seat, count) {
  const label = scene.t("hand_of", { count });
  return html`<span class="held-cards" data-spot="seat:${seat}:hand" role="img" aria-label=${label} title=${label}>
    <span class="leaf tiny">${scene.backOf()}</span>${scene.words.number(count)}
  </span>`;
}

/** @param {Scene} scene */
function prompt(scene) {
  if (scene.chosen) return null;
  return scene.t(`prompt_lines_${scene.view.step}`);
}

/** @param {string} card */
const valueOf = (card) => Number(card.slice(1));

/** @param {Seat} seat */
function count(seat) {
  seat.points = seat.lines.reduce((sum, { cards }) => sum + valueOf(cards.at(-1) ?? "r0"), 0);
}

/** @param {Seat} seat @param {string} card @param {string} place */
function lay(seat, card, place) {
  if (place === END.top) seat.lines.unshift({ aside: false, cards: [card] });
  else if (place === END.bottom) seat.lines.push({ aside: false, cards: [card] });
  else {
    const line = seat.lines[Number(place.slice(1)) - 1];
    const cards = [...line.cards, card].sort((one, other) => valueOf(one) - valueOf(other));
    line.cards = line.aside ? cards.slice(-1) : cards;
  }
  count(seat);
}

/** @param {View} view @param {News} news @param {number | null} you */
function leaveHand(view, news, you) {
  const seat = view.seats[(news.seat ?? 1) - 1];
  seat.hand = Math.max(0, seat.hand - 1);
  const place = news.seat === you ? view.hand.indexOf(news.card ?? "") : -1;
  if (place >= 0) view.hand.splice(place, 1);
}

/** @param {News} news @param {number | null} you */
const handSpots = (news, you) => (news.seat === you ? [`hand:${news.card}`, "hand"] : [`seat:${news.seat}:hand`]);

/**
 * @param {View} view
 * @param {News} news
 * @param {number | null} you
 * @returns {Course}
 */
function course(view, news, you) {
  const seat = view.seats[(news.seat ?? 1) - 1];
  const { card } = news;
  switch (news.kind) {
    case "shuffled":
      return { mark: ["deck"], sound: "shuffle", land: () => Object.assign(view, { deck: news.count, discarded: [] }) };
    case "drew":
      return {
        from: ["deck"],
        to: news.seat === you ? ["hand"] : [`seat:${news.seat}:hand`],
        card: card ?? null,
        dealt: true,
        sound: "deal",
        lift: () => (view.deck = Math.max(0, view.deck - 1)),
        land: () => {
          seat.hand += 1;
          if (news.seat === you && card) view.hand = [...view.hand, card].sort();
        },
      };
    case "played":
      return {
        from: handSpots(news, you),
        to: [`zone:${news.zone}:${news.place}`, `zone:${news.zone}`],
        card,
        sound: "play",
        lift: () => leaveHand(view, news, you),
        land: () => lay(view.seats[news.zone - 1], card ?? "r0", news.place),
      };
    case "set_aside":
      return { mark: [`zone:${news.seat}:+${news.line}`], land: () => setAside(view, seat, news.line) };
    case "discarded":
      return {
        from: handSpots(news, you),
        to: ["discard"],
        card,
        sound: "play",
        lift: () => leaveHand(view, news, you),
        land: () => view.discarded.push(card ?? "r0"),
      };
    case "turn":
      return { mark: [`seat:${news.seat}`], land: () => (view.turn = news.seat ?? view.turn) };
    case "last_turns":
      return { mark: [`seat:${news.seat}`], sound: "complete" };
    case "passed":
      return { mark: [`seat:${news.seat}`] };
    default:
      return {};
  }
}

/** @param {View} view @param {Seat} seat @param {number} number */
function setAside(view, seat, number) {
  const line = seat.lines[number - 1];
  if (!line) return;
  view.discarded.push(...line.cards.slice(0, -1));
  seat.lines[number - 1] = { aside: true, cards: line.cards.slice(-1) };
}

/** @type {Drawing} */
export const drawing = {
  read(move, you) {
    const parts = move.split(" ");
    if (parts[0] === "x") return { move, source: `hand:${parts[1]}`, place: "discard", button: "discard_it", deliberate: true };
    const zone = parts.length > 2 ? parts[1].slice(1) : String(you);
    return { move, source: `hand:${parts[0]}`, place: `zone:${zone}:${parts.at(-1)}` };
  },
  write(source, place, you) {
    const card = source.slice(5);
    if (place === "discard") return `x ${card}`;
    const [, zone, spot] = place.split(":");
    return Number(zone) === you ? `${card} ${spot}` : `${card} @${zone} ${spot}`;
  },
  blank: (facts) => ({
    turn: 0,
    over: null,
    step: "opening",
    closing: 0,
    deck: 0,
    discarded: [],
    seats: Array.from({ length: Number(facts.options.players) }, () => ({ hand: 0, points: 0, lines: [] })),
    hand: [],
  }),
  middle,
  seat,
  goal,
  leaders,
  trophy: (view, seat) => view.seats[seat - 1].lines.map((/** @type {Line} */ { cards }) => cards.at(-1) ?? "r0"),
  hand: (scene) => scene.hand(scene.view.hand),
  prompt,
  question: null,
  card: (_view, _seat, source) => source.slice(5),
  course,
};
