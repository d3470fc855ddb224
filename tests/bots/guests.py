"""Bots of other packages, most of them faulty."""

from __future__ import annotations

__all__ = ["Guest", "add_bots"]

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from upcard.bots import Budget, Turn, entrants
from upcard.core.errors import UpcardError


class Guest:
    """A bot of another package: it plays the first legal move."""

    made = 0

    def __init__(self, seed: bytes, options: str) -> None:
        type(self).made += 1
        self.options = options

    def choose(self, turn: Turn) -> Any:
        return turn.moves[0]


class Stock(Guest):
    """Always plays its stockpile onto the first pile, whatever the rules say."""

    def choose(self, turn: Turn) -> Any:
        return 0


class Answering(Guest):
    """Answers with its options, as a number if it is one."""

    def choose(self, turn: Turn) -> Any:
        return int(self.options) if self.options.lstrip("-").isdigit() else self.options


class Raising(Guest):
    """Raises an exception, with line breaks and an escape sequence in its text."""

    def choose(self, turn: Turn) -> Any:
        raise KeyError("no\nsuch\x1b[31m card")


class Leaving(Guest):
    """Tries to end the program."""

    def choose(self, turn: Turn) -> Any:
        raise SystemExit(3)


class Cancelled(Guest):
    """Raises an exception that is not an Exception, as a bot that uses asyncio can."""

    def choose(self, turn: Turn) -> Any:
        raise asyncio.CancelledError


class Huge(Guest):
    """Answers with a number of more digits than Python prints."""

    def choose(self, turn: Turn) -> Any:
        return 10**5000


class Unprintable(Guest):
    """Answers with an object that cannot be shown."""

    def __repr__(self) -> str:
        raise ZeroDivisionError

    def choose(self, turn: Turn) -> Any:
        return self


class Printing(Guest):
    """Prints what it does, as for debugging."""

    def choose(self, turn: Turn) -> Any:
        print("a bot thinks aloud")
        return turn.moves[0]


class Refusing(Guest):
    """Says that it does not play this game."""

    def choose(self, turn: Turn) -> Any:
        raise UpcardError(f"I do not play {turn.game.id}")


class Unmade(Guest):
    """Can be created only without a seed, as for checking its options."""

    def __init__(self, seed: bytes, options: str) -> None:
        super().__init__(seed, options)
        if seed:
            raise OSError("no memory left")


class Waiting(Guest):
    """Never answers."""

    never = threading.Event()

    def choose(self, turn: Turn) -> Any:
        while True:
            self.never.wait(0.01)


class Forging(Guest):
    """Adds illegal moves to its turn."""

    def choose(self, turn: Turn) -> Any:
        illegal = next(move for move in range(turn.game.move_count) if move not in turn.moves)
        object.__setattr__(turn, "moves", [*turn.moves, illegal])
        return illegal


BOTS: dict[str, Callable[[bytes, str], Any]] = {
    "first": Guest,
    "stock": Stock,
    "answer": Answering,
    "raise": Raising,
    "leave": Leaving,
    "cancel": Cancelled,
    "huge": Huge,
    "unprintable": Unprintable,
    "print": Printing,
    "refuse": Refusing,
    "unmade": Unmade,
    "wait": Waiting,
    "forge": Forging,
}


def add_bots(monkeypatch: pytest.MonkeyPatch, **more: Callable[[bytes, str], Any]) -> None:
    """Make these bots available by their names, as if packages with them were installed."""
    for name, maker in {**BOTS, **more}.items():
        monkeypatch.setitem(entrants.BOTS, name, (maker, Budget()))
