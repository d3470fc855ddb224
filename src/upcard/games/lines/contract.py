"""For the contract tests: all cards of a table, and the places that are hidden from a viewer."""

from __future__ import annotations

__all__ = ["COUNTED", "KINDS", "census", "hidden_places"]

from collections.abc import MutableSequence

from upcard.core.piles import Place, places_of, tally
from upcard.core.rule import rule
from upcard.games.lines.deck import DECK
from upcard.games.lines.table import Table

KINDS = DECK
COUNTED = KINDS


@rule
def census(table: Table, counts: MutableSequence[int]) -> None:
    """Count all cards of a table."""
    tally(table.deck, counts)
    tally(table.discards, counts)
    for seat in range(table.players):
        tally(table.hands[seat], counts)
        zone = table.zones[seat]
        tally(zone.upper, counts)
        tally(zone.lower, counts)
        for line in range(1, zone.count - 1):
            counts[zone.highest[line]] += 1


def hidden_places(table: Table, viewer: int) -> list[list[Place]]:
    """Return groups of places whose cards may change places within the group."""
    held = [
        place for seat in range(table.players) if seat != viewer for place in places_of(table.hands[seat])
    ]
    drawable = [place for place in held if table.drawable[place[0][place[1]]]]
    certain = [place for place in held if not table.drawable[place[0][place[1]]]]
    return [places_of(table.deck) + drawable, certain]
