"""The heuristic and the evaluation of Climb."""

from __future__ import annotations

__all__ = ["HORIZON", "evaluate", "heuristic"]

from climb.deck import HIGHEST
from climb.moves import PASS
from climb.table import Table
from climb.view import View
from upcard.core.rule import rule

# Moves of each player that a search plays quickly before it evaluates the table.
HORIZON = 4


@rule
def heuristic(position: Table | View, move: int) -> int:
    """Play rather than pass, and the lowest card first: high ones fit later too."""
    return 0 if move == PASS else 1 + HIGHEST - move


@rule
def evaluate(table: Table, seat: int) -> int:
    """The fewer cards a seat holds, the better."""
    return -40 * table.hands[seat].count
