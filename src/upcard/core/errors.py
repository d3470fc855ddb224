"""The errors of Upcard, as one tree: `UpcardError` is the base of them all.

They are also the built-in errors that Python programs expect: `ValueError`, `LookupError`, `ImportError`.
"""

from __future__ import annotations

__all__ = [
    "ArgumentError",
    "BotError",
    "BotTimeout",
    "FieldError",
    "GameOver",
    "MissingPackage",
    "NotFound",
    "NotationError",
    "OptionError",
    "RecordError",
    "Refused",
    "UnknownGame",
    "UpcardError",
    "message_of",
    "one_line",
]

from typing import TYPE_CHECKING

from upcard.errors import UpcardError

if TYPE_CHECKING:
    from upcard.core.messages import Refusal

# Length at which the text of a foreign exception is cut off.
MAX_LETTERS = 200


class FieldError(UpcardError, TypeError):
    """A struct was declared with a field that cannot be compiled safely."""


class ArgumentError(UpcardError, ValueError):
    """An argument has a value that cannot be used here."""


class NotFound(UpcardError, LookupError):
    """Nothing with that name or number exists."""


class UnknownGame(NotFound):
    """No game of that name is registered."""


class OptionError(UpcardError, ValueError):
    """An option is unknown, out of range, or makes a deal that cannot be dealt."""


class NotationError(UpcardError, ValueError):
    """The text is not a move of this game at all."""


class GameOver(UpcardError, ValueError):
    """A move was made after the game had ended."""


class Refused(UpcardError, ValueError):
    """The move exists, but a clause of the rules forbids it now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text())
        self.refusal = refusal


class BotError(UpcardError):
    """A bot chose a move that is not legal, raised an exception, or took too long.

    `seat` and `move` count from 1; `move` and `seed` are None where they are not known or must stay secret.
    """

    def __init__(
        self, bot: str, seat: int, game: str, what: str, move: int | None = None, seed: bytes | None = None
    ) -> None:
        super().__init__(bot, seat, game, what, move, seed)
        self.bot = bot
        self.seat = seat
        self.game = game
        self.what = what
        self.move = move
        self.seed = seed

    def __str__(self) -> str:
        where = [] if self.move is None else [f"move {self.move}"]
        where += [] if self.seed is None else [f"seed {self.seed.hex()}"]
        text = f"{self.bot} at seat {self.seat} of {self.game} {self.what}"
        return f"{text} ({', '.join(where)})" if where else text


class BotTimeout(BotError):
    """A bot took too long."""


class MissingPackage(UpcardError, ImportError):
    """An optional package is not installed; the message says how to install it."""


class RecordError(UpcardError, ValueError):
    """A record is damaged, edited, or not a record at all; `entry` is the number of the log entry, from 1."""

    def __init__(self, reason: str, entry: int | None = None) -> None:
        super().__init__(reason if entry is None else f"entry {entry}: {reason}")
        self.reason = reason
        self.entry = entry


def one_line(error: BaseException) -> str:
    """Return a foreign exception as one printable line of limited length."""
    said = message_of(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def message_of(error: BaseException) -> str:
    """Return the message of a foreign exception, as one printable line of limited length."""
    try:
        text = str(error)
    except Exception:
        text = ""
    words = "".join(letter if letter.isprintable() else " " for letter in text).split()
    return " ".join(words)[:MAX_LETTERS]
