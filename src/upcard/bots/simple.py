"""Bots that decide without searching."""

from __future__ import annotations

__all__ = ["Easy", "Greedy", "Random", "best_place"]

from collections.abc import Sequence
from typing import Any

from upcard.bots.bot import Turn
from upcard.core.chance import chance_of, randint
from upcard.core.errors import ArgumentError
from upcard.core.game import heuristic
from upcard.core.rule import rule


@rule
def best_place(view: Any, moves: Sequence[int], count: int) -> int:
    """Return the index of the move with the best heuristic; of equals, the first."""
    best = 0
    most = heuristic(view, moves[0])
    for place in range(1, count):
        value = heuristic(view, moves[place])
        if value > most:
            best = place
            most = value
    return best


def no_options(name: str, options: str) -> None:
    """Refuse options for a bot without options."""
    if options:
        raise ArgumentError(f"{name} has no options, so leave out {options!r:.40}")


class Random:
    """Chooses any legal move."""

    def __init__(self, seed: bytes, options: str = "") -> None:
        no_options("random", options)
        self.chance = chance_of(seed)

    def choose(self, turn: Turn) -> int:
        return turn.moves[randint(self.chance, len(turn.moves))]


class Greedy:
    """Chooses the best move by the heuristic."""

    def __init__(self, seed: bytes = b"", options: str = "") -> None:
        no_options("greedy", options)

    def choose(self, turn: Turn) -> int:
        return turn.moves[best_place(turn.view, turn.moves, len(turn.moves))]


class Easy:
    """Chooses the best move by the heuristic among those that it notices. Like a person who talks while
    playing, it overlooks some possibilities at random, but judges the others sensibly."""

    # Percentage of moves that are overlooked.
    OVERLOOKED = 35

    def __init__(self, seed: bytes, options: str = "") -> None:
        no_options("easy", options)
        self.chance = chance_of(seed)

    def choose(self, turn: Turn) -> int:
        noticed = [move for move in turn.moves if randint(self.chance, 100) >= self.OVERLOOKED]
        seen = noticed or turn.moves
        return seen[best_place(turn.view, seen, len(seen))]
