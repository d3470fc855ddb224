"""The greedy bot: the move that looks best at first sight, to a seat's view alone."""

from __future__ import annotations

__all__ = ["Greedy", "best_place"]

from collections.abc import Sequence
from typing import Any

from upcard.core.game import worth
from upcard.core.rule import rule


@rule
def best_place(view: Any, moves: Sequence[int], count: int) -> int:
    """Return the place of the move that looks best; of equals, the first."""
    best = 0
    most = worth(view, moves[0])
    for place in range(1, count):
        value = worth(view, moves[place])
        if value > most:
            best = place
            most = value
    return best


class Greedy:
    """Chooses what looks best at first sight."""

    def __init__(self, seed: bytes) -> None:
        pass

    def choose(self, view: Any, moves: Sequence[int]) -> int:
        return moves[best_place(view, moves, len(moves))]
