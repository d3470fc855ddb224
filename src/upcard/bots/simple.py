"""Bots that decide at first sight."""

from __future__ import annotations

__all__ = ["Easy", "Greedy", "Random", "best_place"]

from collections.abc import Sequence
from typing import Any

from upcard.bots.bot import Turn
from upcard.core.chance import chance_of, draw
from upcard.core.errors import UpcardError
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


def no_options(name: str, options: str) -> None:
    """Refuse what somebody wrote behind the name of a bot that has no options."""
    if options:
        raise UpcardError(f"{name} has no options, so leave out {options!r:.40}")


class Random:
    """Chooses any legal move."""

    def __init__(self, seed: bytes, options: str = "") -> None:
        no_options("random", options)
        self.chance = chance_of(seed)

    def choose(self, turn: Turn) -> int:
        return turn.moves[draw(self.chance, len(turn.moves))]


class Greedy:
    """Chooses what looks best at first sight."""

    def __init__(self, seed: bytes = b"", options: str = "") -> None:
        no_options("greedy", options)

    def choose(self, turn: Turn) -> int:
        return turn.moves[best_place(turn.view, turn.moves, len(turn.moves))]


class Easy:
    """Chooses what looks best of what it happens to notice, as somebody does who plays along while
    talking: every so often a card or a place is overlooked, but what is seen is judged sensibly."""

    # Of a hundred moves, so many are overlooked.
    OVERLOOKED = 35

    def __init__(self, seed: bytes, options: str = "") -> None:
        no_options("easy", options)
        self.chance = chance_of(seed)

    def choose(self, turn: Turn) -> int:
        noticed = [move for move in turn.moves if draw(self.chance, 100) >= self.OVERLOOKED]
        seen = noticed or turn.moves
        return seen[best_place(turn.view, seen, len(seen))]
