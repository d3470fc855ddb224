"""What a bot is, what it is told, and how much it may think."""

from __future__ import annotations

__all__ = ["Bot", "Budget", "Maker", "Thought", "Turn"]

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.core.news import Event
from upcard.core.notation import whole
from upcard.core.text import quoted

BUDGET = re.compile(r"(\d+)|(\d+(?:\.\d+)?)(ms|s)")
LONGEST = 3600.0


@dataclass(frozen=True)
class Budget:
    """How much a bot may think about one move: so many simulations, so many seconds, or both,
    whichever is used up first. A bot that does not count simulations keeps to the time.

    Only by simulations is a choice the same every time. `hurry` says that a person is waiting, so
    that nothing may be compiled first; `exhaust` that all of it is to be used up, also where the
    choice is clear before that.
    """

    simulations: int | None = None
    seconds: float | None = None
    hurry: bool = False
    exhaust: bool = False

    @classmethod
    def read(cls, text: str) -> Budget:
        """Return the budget that is written 500 (simulations), 200ms or 2s."""
        written = BUDGET.fullmatch(text)
        if written is None:
            raise UpcardError(f"a bot thinks for 500 (simulations), 200ms or 2s, not for {quoted(text)}")
        count, time, unit = written.groups()
        if count is not None:
            simulations = whole(count)
            if simulations:
                return cls(simulations=simulations)
        else:
            seconds = float(time) / (1000 if unit == "ms" else 1)
            if 0 < seconds <= LONGEST:
                return cls(seconds=seconds)
        raise UpcardError(
            f"a bot thinks for 1 to 999999999 simulations, or up to an hour, not for {quoted(text)}"
        )


@dataclass(frozen=True)
class Turn:
    """All that a bot is told when its seat is to move. There is no table here, and no seed."""

    game: Game
    # What its seat may know.
    view: Any
    # The legal moves, of which it has to choose one.
    moves: Sequence[int]
    # What its seat was told since its last move.
    news: Sequence[Event] = ()
    budget: Budget = Budget()  # cannot be changed


@dataclass(frozen=True)
class Thought:
    """What a bot that searches thinks of a move: how often it tried it, and its chance of winning
    (a shared win counts as its share)."""

    move: int
    visits: int
    chance: float


class Bot(Protocol):
    """Something that can sit at a seat."""

    def choose(self, turn: Turn) -> int:
        """Return one of the moves of the turn."""


# Makes a bot from the seed of its own dice, and from the options behind its name (`net:FILE`).
Maker = Callable[[bytes, str], Bot]
