"""What looks best at first sight in Lines, to one seat, from its view alone."""

from __future__ import annotations

__all__ = ["worth"]

from upcard.core.rule import rule
from upcard.games.lines.deck import VALUES, colour_of, value_of
from upcard.games.lines.moves import DISCARD, LINE, card_in, place_in, spot_in, zone_in
from upcard.games.lines.rules import colours_in, points
from upcard.games.lines.table import GIVE, OPENING, Table, Zone
from upcard.games.lines.view import View


@rule
def worth(view: Table | View, move: int) -> int:
    """Give away what helps the others least, and play at home what helps most."""
    card = card_in(move)
    if view.step == OPENING:
        # A low first line leaves room to grow, and low values are easily covered.
        return -value_of(card)
    keeping = usefulness_at_home(view, card)
    if place_in(move) == DISCARD:
        return -keeping
    if view.step == GIVE:
        zone = view.zones[zone_in(move)]
        return -keeping - 10 * gain(zone, card, spot_in(move)) - points(zone) - danger(view, move)
    return 10 * gain(view.zones[view.to_move], card, spot_in(move)) - keeping + danger(view, move)


@rule
def gain(zone: Zone, card: int, spot: int) -> int:
    """Return how many points a zone gains by a card."""
    if spot < LINE:
        return value_of(card)
    return value_of(card) - value_of(zone.highest[spot - LINE])


@rule
def usefulness_at_home(view: Table | View, card: int) -> int:
    """Return what a card would gain in the own zone at best, some time."""
    zone = view.zones[view.to_move]
    best = 0
    for line in range(zone.count):
        highest = zone.highest[line]
        if colour_of(highest) == colour_of(card) and card > highest:
            best = max(best, value_of(card) - value_of(highest))
    return best * 4 + (VALUES - value_of(card)) // 4


@rule
def danger(view: Table | View, move: int) -> int:
    """Return how little (or how much) one would like the game to end by this move."""
    zone = view.zones[zone_in(move)]
    if view.closing or spot_in(move) >= LINE or colours_in(zone) < 3 or has_colour(zone, card_in(move)):
        return 0
    mine = points(view.zones[view.to_move])
    for seat in range(view.players):
        if seat != view.to_move and points(view.zones[seat]) >= mine:
            return 60 if view.step == GIVE else -60
    return -60 if view.step == GIVE else 60


@rule
def has_colour(zone: Zone, card: int) -> bool:
    """Tell whether a zone has a line of the card's colour."""
    for line in range(zone.count):
        if colour_of(zone.highest[line]) == colour_of(card):
            return True
    return False
