"""The interface of bots: what a bot is given, and its budget."""

from __future__ import annotations

__all__ = ["Bot", "Budget", "Maker", "Thought", "Turn"]

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from upcard.core.chance import chance_of
from upcard.core.errors import ArgumentError
from upcard.core.events import Event
from upcard.core.game import Game, determinize, heuristic
from upcard.core.notation import whole
from upcard.core.text import quoted

BUDGET = re.compile(r"(\d+)|(\d+(?:\.\d+)?)(ms|s)")
MAX_SECONDS = 3600.0


@dataclass(frozen=True)
class Budget:
    """How much a bot may think about one move: a number of simulations, of seconds, or both, whichever is
    used up first. A bot that does not count simulations keeps to the time.

    Only choices by simulations can be reproduced. `hurry` means that a person is waiting, so nothing may be
    compiled first; `exhaust` means that the whole budget is used, even if the choice is clear earlier.
    """

    simulations: int | None = None
    seconds: float | None = None
    hurry: bool = False
    exhaust: bool = False

    @classmethod
    def read(cls, text: str) -> Budget:
        """Return the budget in a text such as 500 (simulations), 200ms or 2s."""
        written = BUDGET.fullmatch(text)
        if written is None:
            raise ArgumentError(f"a bot thinks for 500 (simulations), 200ms or 2s, not for {quoted(text)}")
        count, time, unit = written.groups()
        if count is not None:
            simulations = whole(count)
            if simulations:
                return cls(simulations=simulations)
        else:
            seconds = float(time) / (1000 if unit == "ms" else 1)
            if 0 < seconds <= MAX_SECONDS:
                return cls(seconds=seconds)
        raise ArgumentError(
            f"a bot thinks for 1 to 999999999 simulations, or up to an hour, not for {quoted(text)}"
        )


@dataclass(frozen=True)
class Turn:
    """Everything a bot is given when its seat is to move. It contains neither the table nor its seed."""

    game: Game
    # Everything that the seat may know.
    view: Any
    # The legal moves; the bot chooses one of them.
    moves: Sequence[int]
    # The events that the seat has seen since its last move.
    events: Sequence[Event] = ()
    budget: Budget = Budget()  # cannot be changed

    @property
    def news(self) -> Sequence[Event]:
        """The older name of `events`."""
        return self.events

    def write(self, move: int) -> str:
        """Return a move in notation."""
        return self.game.write_move(self.view, move)

    def heuristic(self, move: int) -> int:
        """Return how good a legal move looks to the greedy bot."""
        return heuristic(self.view, move)

    def determinize(self, seed: int | bytes = 0) -> Any:
        """Return a random table that agrees with everything the seat knows; the same seed gives the same
        table."""
        table = self.game.Table()
        determinize(self.view, table, chance_of(seed if isinstance(seed, bytes) else str(seed).encode()))
        return table


@dataclass(frozen=True)
class Thought:
    """The result of a search for one move: how often it was tried, and its win probability (a shared win
    counts in part)."""

    move: int
    visits: int
    win_probability: float


class Bot(Protocol):
    """A player of one seat."""

    def choose(self, turn: Turn) -> int:
        """Return one of the moves of the turn."""


# Creates a bot from the seed of its own dice and the options after the colon of its name (`net:FILE`).
Maker = Callable[[bytes, str], Bot]
