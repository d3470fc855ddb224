"""A view of Stockpile as lines of text, in the order in which one reads them aloud."""

from __future__ import annotations

__all__ = ["draw"]

from collections.abc import Sequence

from upcard.core.piles import NO_CARD
from upcard.core.table import PLAYING
from upcard.core.words import counted
from upcard.games.stockpile.deck import write_card
from upcard.games.stockpile.moves import SOURCES
from upcard.games.stockpile.table import PILES, Building, Stack
from upcard.games.stockpile.view import SeatView, View


def draw(view: View, names: Sequence[str]) -> str:
    """Return the table as text: the piles, then each seat."""
    lines = ["Piles   " + "   ".join(f"{pile + 1}: {_pile(view.piles[pile])}" for pile in range(PILES))]
    lines.append(f"Fresh   {counted(view.fresh_count, 'card')}, {sum(view.completed)} in completed piles")
    for seat in range(view.players):
        turn = view.over == PLAYING and seat == view.to_move
        lines.append(f"{'>' if turn else ' '} {names[seat]}")
        lines.append("    " + _seat(view.seats[seat]))
    return "\n".join(lines)


def _pile(pile: Building) -> str:
    if pile.height == 0:
        return "empty"
    wild = " (?)" if pile.cards[pile.height - 1] == 0 else ""
    return f"{pile.height}{wild}"


def _seat(seat: SeatView) -> str:
    stock = "none" if seat.stock_top == NO_CARD else f"{write_card(seat.stock_top)} of {seat.stock_count}"
    stacks = "   ".join(
        f"{name}: {_stack(stack)}" for name, stack in zip(SOURCES[1:], seat.stacks, strict=True)
    )
    return f"stock: {stock}   {stacks}"


def _stack(stack: Stack) -> str:
    """The top card first, what is buried behind a bar."""
    cards = [write_card(card) for card in stack.cards[: stack.count]]
    if not cards:
        return "empty"
    return cards[-1] if len(cards) == 1 else f"{cards[-1]} | {' '.join(reversed(cards[:-1]))}"
