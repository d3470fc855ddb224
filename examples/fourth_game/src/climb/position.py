"""Positions of Climb as text: `@1 hand: 3 4; @2 hand: 7; run: 2; turn: 1`."""

from __future__ import annotations

__all__ = ["places", "settle"]

from climb.table import Table
from upcard.core.position import Cards, Counts, Number, Place, SeatNumber


def places(table: Table) -> dict[str, Place]:
    """Return the places of a table by name."""
    found: dict[str, Place] = {f"@{seat + 1} hand": Cards(table.hands[seat]) for seat in range(table.players)}
    found["played"] = Counts(table.played)
    found["deck"] = Cards(table.deck, drawn=True)
    found["run"] = Number(table, "height")
    found["passes"] = Number(table, "passes")
    found["turn"] = SeatNumber(table, "to_move", table.players)
    return found


def settle(table: Table) -> None:
    """Nothing else follows from the places."""
