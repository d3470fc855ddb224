"""The rules of Lines, in the order of its rulebook."""

from __future__ import annotations

__all__ = [
    "TOO_HIGH_TO_COVER",
    "all_hands_are_empty",
    "apply",
    "can_cover",
    "can_extend",
    "can_give",
    "colours_in",
    "deal",
    "is_active",
    "legal",
    "no_gift_fits",
    "outcome",
    "points",
]

from collections.abc import MutableSequence

from upcard.core.chance import shuffle
from upcard.core.events import EVERYONE, EventKind, emit, emit_shuffle, only
from upcard.core.piles import NO_CARD, Pile, copy_cards, drop, pop, push
from upcard.core.rule import rule
from upcard.core.seats import along, left_of, resolve_seat
from upcard.core.table import PLAYING, Reason, Result
from upcard.games.lines.deck import DECK, VALUES, colour_of, value_of
from upcard.games.lines.events import LinesEvent
from upcard.games.lines.moves import (
    BOTTOM,
    DISCARD,
    LINE,
    TOP,
    card_in,
    discard,
    lay,
    place_in,
    spot_in,
    zone_in,
)
from upcard.games.lines.options import EXTEND_ANY, EXTEND_NEXT, GIVE_MATCHING
from upcard.games.lines.table import GIVE, HAND, HOME, OPENING, Line, Table, Zone

# Values from this one up cannot make a new line at home (L4.4).
TOO_HIGH_TO_COVER = 10
COLOURS_TO_END = 4
# The number of rounds without a laid card after which the game is stuck (L6.3).
IDLE_ROUNDS = 50


# L1 Contents


@rule
def open_box(table: Table) -> None:
    """L1.1 One card of each value from 1 to 12 in each colour; L1.2 enough for all who play."""
    table.deck.count = 0
    table.discards.count = 0
    for card in range(table.options.colours * VALUES):
        push(table.deck, card)


# L2 Setting up


@rule
def deal(table: Table) -> None:
    """L2.1 Four cards each, one at a time from the starter; the rest is the draw pile."""
    table.over = PLAYING
    table.turn = 0
    table.idle_turns = 0
    table.closing = 0
    table.first = resolve_seat(table.options.first, table.players, table.chance)
    table.options.first = table.first
    open_box(table)
    shuffle_deck(table)
    for seat in range(table.players):
        table.hands[seat].count = 0
        table.zones[seat].count = 0
        table.zones[seat].upper.count = 0
        table.zones[seat].lower.count = 0
    for _ in range(HAND):
        for step in range(table.players):
            draw_card(table, along(table.first, step, table.players))
    table.to_move = table.first
    begin_turn(table)


@rule
def shuffle_deck(table: Table) -> None:
    """L2.1 Shuffle the draw pile; from now on only these cards can be in it."""
    for card in range(DECK):
        table.drawable[card] = 0
    for place in range(table.deck.count):
        table.drawable[table.deck.cards[place]] = 1
    shuffle(table.chance, table.deck)
    emit_shuffle(table, table.deck.cards, table.deck.count)


# L3 Lines


@rule
def is_active(zone: Zone, line: int) -> bool:
    """L3.1 The top and the bottom line of a zone are active; a lone line is both."""
    return line == 0 or line == zone.count - 1


@rule
def active_line(zone: Zone, spot: int) -> Line:
    """L3.1 Return the line at the top or at the bottom, with all its cards."""
    if spot == TOP or zone.count == 1:
        return zone.upper
    return zone.lower


@rule
def can_extend(table: Table, zone: Zone, line: int, card: int) -> bool:
    """L3.5 A line is extended by a card of its colour (L3.3), higher than its highest unless the option
    allows any value."""
    highest = zone.highest[line]
    if colour_of(card) != colour_of(highest):
        return False
    if table.options.extend == EXTEND_NEXT:
        return card == highest + 1
    return card > highest or table.options.extend == EXTEND_ANY


@rule
def stays(zone: Zone, line: int, card: int) -> bool:
    """L3.6 A card that extends a line stays in the zone, unless it is a lower card on a line put aside."""
    return is_active(zone, line) or card > zone.highest[line]


@rule
def extend(table: Table, seat: int, line: int, card: int) -> None:
    """L3.4 L3.5 The card joins the line; L3.6 a line put aside keeps only the higher of the two cards."""
    zone = table.zones[seat]
    if line == 0:
        insert(zone.upper, card)
    elif line == zone.count - 1:
        insert(zone.lower, card)
    else:
        push(table.discards, min(card, zone.highest[line]))
    zone.highest[line] = max(card, zone.highest[line])


@rule
def insert(line: Line, card: int) -> None:
    """L3.4 The cards of a line lie in order, so that its highest is the last."""
    place = line.count
    push(line, card)
    while place > 0 and line.cards[place - 1] > card:
        line.cards[place] = line.cards[place - 1]
        place -= 1
    line.cards[place] = card


@rule
def new_line(table: Table, seat: int, spot: int, card: int) -> None:
    """L3.2 A new line is made above the top line or below the bottom one."""
    zone = table.zones[seat]
    if zone.count >= 2:
        put_aside(table, seat, spot)
    elif spot == TOP:
        copy_cards(zone.lower, zone.upper)
    if spot == TOP:
        for line in range(zone.count, 0, -1):
            zone.highest[line] = zone.highest[line - 1]
        zone.highest[0] = card
    else:
        zone.highest[zone.count] = card
    zone.count += 1
    begun = active_line(zone, spot)
    begun.count = 0
    push(begun, card)


@rule
def put_aside(table: Table, seat: int, spot: int) -> None:
    """L3.6 A line that is no longer active keeps its highest card, its others are discarded."""
    zone = table.zones[seat]
    line = active_line(zone, spot)
    for place in range(line.count - 1):
        push(table.discards, line.cards[place])
    number = 1 if spot == TOP else zone.count - 1
    emit(table, LinesEvent.SET_ASIDE, seat, line.cards[line.count - 1], number, 0, EVERYONE)


# L4 A turn


@rule
def begin_turn(table: Table) -> None:
    """L4.1 L4.2 The first turn of each player is an opening, a later one begins with step one."""
    table.step = OPENING if table.turn < table.players else GIVE
    table.turn += 1
    table.idle_turns += 1
    emit(table, EventKind.TURN, table.to_move, NO_CARD, 0, 0, EVERYONE)


@rule
def legal(table: Table, moves: MutableSequence[int]) -> int:
    """L4.1 L4.2 L4.3 What can be laid depends on the step of the turn."""
    if table.over != PLAYING:
        return 0
    if table.step == OPENING:
        return openings(table, moves)
    if table.step == GIVE:
        return gifts(table, moves)
    return plays_at_home(table, moves)


@rule
def openings(table: Table, moves: MutableSequence[int]) -> int:
    """L4.1 In your first turn, lay any card as your first line."""
    hand = table.hands[table.to_move]
    for place in range(hand.count):
        moves[place] = lay(hand.cards[place], table.to_move, TOP)
    return hand.count


@rule
def gifts(table: Table, moves: MutableSequence[int]) -> int:
    """L4.2 Step one: a card goes into an opponent's zone, on a new line or on an active one."""
    if no_gift_fits(table):
        return discards(table, moves, 0)
    hand = table.hands[table.to_move]
    count = 0
    for place in range(hand.count):
        card = hand.cards[place]
        for step in range(1, table.players):
            count = gifts_to(table, along(table.to_move, step, table.players), card, moves, count)
    return count


@rule
def no_gift_fits(table: Table) -> bool:
    """L4.2 With matching gifts there may be no card to give; then one is discarded instead."""
    if table.options.give != GIVE_MATCHING:
        return False
    hand = table.hands[table.to_move]
    for place in range(hand.count):
        for step in range(1, table.players):
            zone = table.zones[along(table.to_move, step, table.players)]
            if gift_fits(table, zone, hand.cards[place]):
                return False
    return True


@rule
def gift_fits(table: Table, zone: Zone, card: int) -> bool:
    """L4.2 Tell whether an opponent's zone takes a card."""
    if can_give(table, zone, TOP, card) or can_give(table, zone, BOTTOM, card):
        return True
    return can_extend(table, zone, 0, card) or can_extend(table, zone, zone.count - 1, card)


@rule
def gifts_to(table: Table, seat: int, card: int, moves: MutableSequence[int], count: int) -> int:
    """L4.2 A new line there needs nothing, unless the option asks for a matching card."""
    zone = table.zones[seat]
    for spot in range(LINE):
        if can_give(table, zone, spot, card):
            moves[count] = lay(card, seat, spot)
            count += 1
    if can_extend(table, zone, 0, card):
        moves[count] = lay(card, seat, LINE)
        count += 1
    if zone.count > 1 and can_extend(table, zone, zone.count - 1, card):
        moves[count] = lay(card, seat, LINE + zone.count - 1)
        count += 1
    return count


@rule
def can_give(table: Table, zone: Zone, spot: int, card: int) -> bool:
    """L4.2 Whether a card may make a new line in an opponent's zone."""
    return table.options.give != GIVE_MATCHING or can_cover(zone, spot, card)


@rule
def plays_at_home(table: Table, moves: MutableSequence[int]) -> int:
    """L4.3 Step two: extend any of your lines, active or not, or make a new one; L4.5 or discard."""
    hand = table.hands[table.to_move]
    zone = table.zones[table.to_move]
    count = 0
    for place in range(hand.count):
        card = hand.cards[place]
        for spot in range(LINE):
            if can_cover(zone, spot, card):
                moves[count] = lay(card, table.to_move, spot)
                count += 1
        for line in range(zone.count):
            if can_extend(table, zone, line, card):
                moves[count] = lay(card, table.to_move, LINE + line)
                count += 1
    return discards(table, moves, count)


@rule
def can_cover(zone: Zone, spot: int, card: int) -> bool:
    """L4.4 The active line that is covered must contain the same value; 10, 11, 12 never can."""
    if value_of(card) >= TOO_HIGH_TO_COVER:
        return False
    line = active_line(zone, spot)
    for place in range(line.count):
        if value_of(line.cards[place]) == value_of(card):
            return True
    return False


@rule
def discards(table: Table, moves: MutableSequence[int], count: int) -> int:
    """L4.5 Any card of the hand can be discarded."""
    hand = table.hands[table.to_move]
    for place in range(hand.count):
        moves[count] = discard(hand.cards[place])
        count += 1
    return count


@rule
def apply(table: Table, move: int) -> None:
    """L4.1 L4.2 L4.3 Play one card, with everything that follows automatically."""
    card = card_in(move)
    drop(table.hands[table.to_move], card)
    if place_in(move) == DISCARD:
        push(table.discards, card)
        emit(table, EventKind.DISCARDED, table.to_move, card, 0, 0, EVERYONE)
    else:
        lay_card(table, card, zone_in(move), spot_in(move))
    if table.step == GIVE and table.hands[table.to_move].count > 0:
        table.step = HOME
    else:
        end_turn(table)
    advance_to_decision(table)


@rule
def lay_card(table: Table, card: int, seat: int, spot: int) -> None:
    """L3.2 L3.5 Lay a card into a zone, as a new line or to extend one."""
    if spot < LINE or stays(table.zones[seat], spot - LINE, card):
        table.idle_turns = 0
    emit(table, EventKind.PLAYED, table.to_move, card, spot, seat, EVERYONE)
    if spot >= LINE:
        extend(table, seat, spot - LINE, card)
        return
    new_line(table, seat, spot, card)
    if table.closing == 0 and colours_in(table.zones[seat]) >= COLOURS_TO_END:
        table.closing = table.players
        emit(table, LinesEvent.LAST_TURNS, seat, NO_CARD, 0, table.to_move, EVERYONE)


@rule
def end_turn(table: Table) -> None:
    """L4.6 End by drawing two cards; L4.1 an opening ends by drawing one."""
    cards = 1 if table.step == OPENING else 2
    for _ in range(cards):
        draw_card(table, table.to_move)
    next_turn(table)


# L5 The end


@rule
def colours_in(zone: Zone) -> int:
    """L5.1 Return how many different colours the lines of a zone have."""
    count = 0
    for line in range(zone.count):
        seen = False
        for earlier in range(line):
            if colour_of(zone.highest[earlier]) == colour_of(zone.highest[line]):
                seen = True
        if not seen:
            count += 1
    return count


@rule
def next_turn(table: Table) -> None:
    """L5.1 The turn passes to the left, until after the end was near each other player had one."""
    if table.closing > 0:
        table.closing -= 1
        if table.closing == 0:
            end_game(table, Reason.SCORED)
            return
    table.to_move = left_of(table.to_move, table.players)
    begin_turn(table)


@rule
def outcome(table: Table, result: Result) -> None:
    """L5.2 The highest card of every line counts its value; most points win, ties share."""
    result.reason = table.over
    most = 0
    for seat in range(table.players):
        result.scores[seat] = points(table.zones[seat])
        most = max(most, result.scores[seat])
    for seat in range(table.players):
        result.winners[seat] = int(table.over != PLAYING and result.scores[seat] == most)


@rule
def points(zone: Zone) -> int:
    """L3.4 L5.2 A line is worth its highest card, also when it has been put aside."""
    total = 0
    for line in range(zone.count):
        total += value_of(zone.highest[line])
    return total


@rule
def end_game(table: Table, reason: int) -> None:
    """L5.2 The points are counted."""
    table.over = reason
    emit(table, EventKind.OVER, table.to_move, NO_CARD, reason, 0, EVERYONE)


# L6 When cards run out


@rule
def draw_card(table: Table, seat: int) -> None:
    """L6.1 Draw a card; when the draw pile is empty the discards are reshuffled into it."""
    if table.deck.count == 0 and table.options.reshuffle and table.discards.count > 0:
        while table.discards.count > 0:
            push(table.deck, pop(table.discards))
        shuffle_deck(table)
    if table.deck.count > 0:
        card = pop(table.deck)
        push(table.hands[seat], card)
        emit(table, EventKind.DREW, seat, card, 0, 0, only(seat))


@rule
def advance_to_decision(table: Table) -> None:
    """L6.2 With an empty hand the turn passes; L6.3 a table where nothing fits is over."""
    while table.over == PLAYING and (table.hands[table.to_move].count == 0 or is_stuck(table)):
        if all_hands_are_empty(table):
            end_game(table, Reason.SCORED)
        elif is_stuck(table):
            end_game(table, Reason.STUCK)
        else:
            emit(table, EventKind.PASSED, table.to_move, NO_CARD, 0, 0, EVERYONE)
            next_turn(table)


@rule
def all_hands_are_empty(table: Table) -> bool:
    """L6.2 When every hand is empty the game ends."""
    for seat in range(table.players):
        if table.hands[seat].count > 0:
            return False
    return True


@rule
def is_stuck(table: Table) -> bool:
    """L6.3 With matching gifts and reshuffling, no card fits any more, or none was laid for long."""
    if table.options.give != GIVE_MATCHING or not table.options.reshuffle or table.step != GIVE:
        return False
    if table.idle_turns > IDLE_ROUNDS * table.players:
        return True
    for seat in range(table.players):
        if pile_fits(table, table.hands[seat]):
            return False
    return not (pile_fits(table, table.deck) or pile_fits(table, table.discards))


@rule
def pile_fits(table: Table, cards: Pile) -> bool:
    """L6.3 Tell whether any of these cards could go into any zone, no matter who holds it."""
    for place in range(cards.count):
        for seat in range(table.players):
            if card_fits(table, table.zones[seat], cards.cards[place]):
                return True
    return False


@rule
def card_fits(table: Table, zone: Zone, card: int) -> bool:
    """L6.3 Tell whether a card could go into a zone and stay there, its owner playing it."""
    if can_cover(zone, TOP, card) or can_cover(zone, BOTTOM, card):
        return True
    for line in range(zone.count):
        if can_extend(table, zone, line, card) and stays(zone, line, card):
            return True
    return False
