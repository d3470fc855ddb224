"""The heuristic and the evaluation of Lines, from the view of a seat alone."""

from __future__ import annotations

__all__ = ["HORIZON", "evaluate", "heuristic"]

from upcard.core.rule import rule
from upcard.games.lines.deck import VALUES, colour_of, value_of
from upcard.games.lines.moves import BOTTOM, DISCARD, LINE, TOP, card_in, place_in, spot_in, zone_in
from upcard.games.lines.rules import can_cover, can_extend, colours_in, points
from upcard.games.lines.table import GIVE, OPENING, Table, Zone
from upcard.games.lines.view import View

# Games are short enough to be played quickly to the end, so this is more moves than a player has.
HORIZON = 100


@rule
def heuristic(position: Table | View, move: int) -> int:
    """Give away the card that helps the others least, and play the card at home that helps most."""
    card = card_in(move)
    if position.step == OPENING:
        # A low first line leaves room to grow, and low values are easily covered.
        return -value_of(card)
    keep_value = value_at_home(position, card)
    if place_in(move) == DISCARD:
        return -keep_value
    if position.step == GIVE:
        zone = position.zones[zone_in(move)]
        return -keep_value - 10 * gain(zone, card, spot_in(move)) - points(zone) - danger(position, move)
    return (
        10 * gain(position.zones[position.to_move], card, spot_in(move)) - keep_value + danger(position, move)
    )


@rule
def gain(zone: Zone, card: int, spot: int) -> int:
    """Return how many points a zone gains by a card."""
    if spot < LINE:
        return value_of(card)
    return max(0, value_of(card) - value_of(zone.highest[spot - LINE]))


@rule
def value_at_home(position: Table | View, card: int) -> int:
    """Return the most points that a card could gain in the seat's own zone, now or later."""
    zone = position.zones[position.to_move]
    best = 0
    for line in range(zone.count):
        highest = zone.highest[line]
        if colour_of(highest) == colour_of(card) and card > highest:
            best = max(best, value_of(card) - value_of(highest))
    return best * 4 + (VALUES - value_of(card)) // 4


@rule
def danger(position: Table | View, move: int) -> int:
    """Return the bonus (or penalty) for a move that brings the end of the game near."""
    zone = position.zones[zone_in(move)]
    if position.closing or spot_in(move) >= LINE or colours_in(zone) < 3 or has_colour(zone, card_in(move)):
        return 0
    mine = points(position.zones[position.to_move])
    for seat in range(position.players):
        if seat != position.to_move and points(position.zones[seat]) >= mine:
            return 60 if position.step == GIVE else -60
    return -60 if position.step == GIVE else 60


@rule
def has_colour(zone: Zone, card: int) -> bool:
    """Whether a zone has a line of the card's colour."""
    for line in range(zone.count):
        if colour_of(zone.highest[line]) == colour_of(card):
            return True
    return False


@rule
def evaluate(table: Table, seat: int) -> int:
    """Value points, more so near the end; lines, which can still grow; and the best card in hand."""
    zone = table.zones[seat]
    value = 20 * int(table.to_move == seat)
    if table.closing == 0:
        return value + 8 * points(zone) + 25 * zone.count + 8 * best_gain(table, seat)
    value += 30 * points(zone)
    if has_a_turn_left(table, seat):
        value += 10 * best_gain(table, seat)
    return value


@rule
def has_a_turn_left(table: Table, seat: int) -> bool:
    """L5.1 Whether a player still has a turn near the end."""
    return (seat - table.to_move) % table.players < table.closing


@rule
def best_gain(table: Table, seat: int) -> int:
    """Return the points that the best card in hand would bring at home."""
    zone = table.zones[seat]
    hand = table.hands[seat]
    best = 0
    for place in range(hand.count):
        card = hand.cards[place]
        for line in range(zone.count):
            if can_extend(table, zone, line, card):
                best = max(best, value_of(card) - value_of(zone.highest[line]))
        if (
            value_of(card) > best
            and zone.count > 0
            and (can_cover(zone, TOP, card) or can_cover(zone, BOTTOM, card))
        ):
            best = value_of(card)
    return best
