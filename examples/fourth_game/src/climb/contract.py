"""For the contract tests: all cards of a table, and the places that are hidden from a viewer."""

from __future__ import annotations

__all__ = ["COUNTED", "KINDS", "census", "hidden_places"]

from collections.abc import MutableSequence

from climb.deck import KINDS
from climb.table import Table
from upcard.core.piles import Place, places_of, tally
from upcard.core.rule import rule

COUNTED = KINDS


@rule
def census(table: Table, counts: MutableSequence[int]) -> None:
    """Count all cards of a table."""
    tally(table.deck, counts)
    for card in range(KINDS):
        counts[card] += table.played[card]
    for seat in range(table.players):
        tally(table.hands[seat], counts)


def hidden_places(table: Table, viewer: int) -> list[list[Place]]:
    """Return groups of places whose cards may change places within the group."""
    hands = [table.hands[seat] for seat in range(table.players) if seat != viewer]
    return [[place for pile in (table.deck, *hands) for place in places_of(pile)]]
