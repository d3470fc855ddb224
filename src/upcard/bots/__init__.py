"""Bots: given what a seat may know, they choose a move. They never see a table."""

from __future__ import annotations

__all__ = ["BOTS", "Bot", "Greedy", "Random", "find"]

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from upcard.bots.greedy import Greedy
from upcard.core.chance import chance_of, draw
from upcard.core.errors import UpcardError


class Bot(Protocol):
    """Something that can sit at a seat."""

    def choose(self, view: Any, moves: Sequence[int]) -> int:
        """Return one of the legal moves, knowing only the view of the seat that is to move."""


class Random:
    """Chooses any legal move."""

    def __init__(self, seed: bytes) -> None:
        self.chance = chance_of(seed)

    def choose(self, view: Any, moves: Sequence[int]) -> int:
        return moves[draw(self.chance, len(moves))]


BOTS: dict[str, Callable[[bytes], Bot]] = {"random": Random, "greedy": Greedy}


def find(name: str) -> Callable[[bytes], Bot]:
    """Return the bot of that name; it is made from a seed for its own dice."""
    if name not in BOTS:
        raise UpcardError(f"there is no bot {name!r}: choose {', '.join(BOTS)}")
    return BOTS[name]
