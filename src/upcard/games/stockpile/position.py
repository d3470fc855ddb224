"""Positions of Stockpile as text: `pile 1: 1 2 ?; @1 stock: 8 3; @1 A: 4; fresh: 5 6; turn: 1`."""

from __future__ import annotations

__all__ = ["places", "settle"]

from upcard.core.errors import NotationError
from upcard.core.piles import NO_CARD
from upcard.core.position import Cards, Counts, Number, Place, SeatNumber
from upcard.games.stockpile.deck import HIGHEST
from upcard.games.stockpile.moves import SOURCES
from upcard.games.stockpile.table import Table


def places(table: Table) -> dict[str, Place]:
    """Return the places of a table by name."""
    found: dict[str, Place] = {f"pile {number}": Cards(pile) for number, pile in enumerate(table.piles, 1)}
    for number, seat in enumerate(table.seats[: table.players], 1):
        found[f"@{number} stock"] = Cards(seat.stock)
        found |= {f"@{number} {SOURCES[place]}": Cards(stack) for place, stack in enumerate(seat.stacks, 1)}
    found["fresh"] = Cards(table.deck, drawn=True)
    found["completed"] = Counts(table.completed)
    found["turn"] = SeatNumber(table, "to_move", table.players)
    found["idle turns"] = Number(table, "idle_turns")
    found["reshuffled"] = Number(table, "reshuffled")
    return found


def settle(table: Table) -> None:
    """Check what follows from the places."""
    table.idle = 0
    if any(pile.height == HIGHEST for pile in table.piles):
        raise NotationError(f"a pile that reaches {HIGHEST} leaves the table (S3.5)")
    if any(pile.height and pile.cards[pile.height - 1] == NO_CARD for pile in table.piles):
        raise NotationError("the top card of a pile is never missing (S4.2)")
    if any(seat.stock.count == 0 for seat in table.seats[: table.players]):
        raise NotationError("every seat needs a card in its stockpile, or the game is over (S5.1)")
