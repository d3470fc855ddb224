"""For the contract tests: all cards of a table, and the places that are hidden from a viewer."""

from __future__ import annotations

__all__ = ["COUNTED", "KINDS", "census", "hidden_places"]

from collections.abc import MutableSequence

from upcard.core.piles import Place, places_of, tally, tally_building
from upcard.core.rule import rule
from upcard.games.stockpile.deck import FACES
from upcard.games.stockpile.table import PILES, STACKS, Table

KINDS = FACES
COUNTED = KINDS


@rule
def census(table: Table, counts: MutableSequence[int]) -> None:
    """Count all cards of a table."""
    tally(table.deck, counts)
    for face in range(FACES):
        counts[face] += table.completed[face]
    for pile in range(PILES):
        tally_building(table.piles[pile], counts)
    for seat in range(table.players):
        tally(table.seats[seat].stock, counts)
        for stack in range(STACKS):
            tally(table.seats[seat].stacks[stack], counts)


def hidden_places(table: Table, viewer: int) -> list[list[Place]]:
    """Return groups of places whose cards may change places within the group."""
    buried = [
        place
        for seat in range(table.players)
        for place in places_of(table.seats[seat].stock, max(0, table.seats[seat].stock.count - 1))
    ]
    fresh = places_of(table.deck)
    # Reshuffled cards have all been seen, so they are not among those of the stockpiles.
    return [fresh, buried] if table.reshuffled else [fresh + buried]
