"""Moves of Stockpile as numbers and as text: `stock 2`, `A 3`, `pass`."""

from __future__ import annotations

__all__ = ["MOVE_COUNT", "PASS", "STOCK", "pile_of", "play", "read_move", "source_of", "write_move"]

from upcard.core.errors import NotationError
from upcard.core.rule import rule
from upcard.core.text import quoted
from upcard.games.stockpile.table import PILES, Table

SOURCES = ("stock", "A", "B", "C")
STOCK = 0
PASS = len(SOURCES) * PILES
MOVE_COUNT = PASS + 1
NAMES = (*(f"{source} {pile}" for source in SOURCES for pile in range(1, PILES + 1)), "pass")
READ = {name.lower(): move for move, name in enumerate(NAMES)}


@rule
def play(source: int, pile: int) -> int:
    """Return the move that plays a source's top card onto a pile."""
    return source * PILES + pile


@rule
def source_of(move: int) -> int:
    """Return where a play takes its card: STOCK, or 1, 2, 3 for the stacks."""
    return move // PILES


@rule
def pile_of(move: int) -> int:
    """Return the pile that a play goes to."""
    return move % PILES


def write_move(table: Table, move: int) -> str:
    return NAMES[move]


def read_move(table: Table, text: str) -> int:
    move = READ.get(" ".join(text.split()).lower())
    if move is not None:
        return move
    raise NotationError(
        f"{quoted(text)} is not a move of Stockpile: write stock, A, B or C and a pile "
        "from 1 to 4, as in 'stock 2'"
    )
