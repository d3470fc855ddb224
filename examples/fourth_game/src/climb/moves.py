"""Moves of Climb as numbers and as text: `7` plays a 7, `pass` passes."""

from __future__ import annotations

__all__ = ["MOVE_COUNT", "PASS", "read_move", "write_move"]

from climb.deck import HIGHEST, read_card, write_card
from climb.table import Table

# Another move is the number of the card that it plays.
PASS = 0
MOVE_COUNT = HIGHEST + 1


def write_move(table: Table, move: int) -> str:
    """Return a move in notation."""
    return "pass" if move == PASS else write_card(move)


def read_move(table: Table, text: str) -> int:
    """Return the move that a text names."""
    word = text.strip().lower()
    return PASS if word == "pass" else read_card(word)
