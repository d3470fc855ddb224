"""Everything Upcard refuses, as one tree: catch `UpcardError` and you have caught them all."""

from __future__ import annotations

__all__ = [
    "FieldError",
    "GameOver",
    "NotationError",
    "OptionError",
    "RecordError",
    "Refused",
    "UnknownGame",
    "UpcardError",
]

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from upcard.core.words import Refusal


class UpcardError(Exception):
    """The text of every one of these is a sentence for a person."""


class FieldError(UpcardError):
    """A record was declared with a field that cannot be compiled safely."""


class UnknownGame(UpcardError):
    """No game of that name is registered."""


class OptionError(UpcardError):
    """An option is unknown, out of range, or makes a deal that cannot be dealt."""


class NotationError(UpcardError):
    """The text is not a move of this game at all."""


class GameOver(UpcardError):
    """A move was made after the game had ended."""


class Refused(UpcardError):
    """The move exists, but a clause of the rules forbids it now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text())
        self.refusal = refusal


class RecordError(UpcardError):
    """A record of a game is damaged, edited or not a record; `entry` counts the log from 1."""

    def __init__(self, reason: str, entry: int | None = None) -> None:
        super().__init__(reason if entry is None else f"entry {entry}: {reason}")
        self.reason = reason
        self.entry = entry
