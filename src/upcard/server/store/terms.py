"""The words in which the store is spoken to: what is kept, and why something was not written."""

from __future__ import annotations

__all__ = [
    "Behind",
    "CodeTaken",
    "Command",
    "Facts",
    "Overloaded",
    "Repeated",
    "Row",
    "StoreError",
]

from dataclasses import dataclass

from upcard.core.errors import UpcardError


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a table's log; `body` is JSON."""

    seq: int
    at: float
    body: bytes


@dataclass(frozen=True, slots=True)
class Facts:
    """What tables are searched by; written anew with every append.

    `code` is the short code of a table that can be joined, None for others; `due` is when something
    has to happen though nobody does anything.
    """

    game: str
    code: str | None
    public: bool
    phase: str
    due: float | None
    touched: float


@dataclass(frozen=True, slots=True)
class Command:
    """The id that a person gave a command, so that it is done once however often it is sent."""

    person: str
    id: str


# The next three are no sentences for a person: whoever appends knows what to do about them.


class Behind(Exception):
    """Somebody else has appended to this table in the meantime; nothing was written."""


class Repeated(Exception):
    """This command was done before, and its last entry was `seq`; nothing was written."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class CodeTaken(Exception):
    """Another table has this short code; nothing was written."""


class StoreError(UpcardError):
    """The database cannot be opened, read or written. What was to be written may have been, so it is
    sent again with the same command id."""


class Overloaded(UpcardError):
    """More is waiting to be written than can be written soon; nothing was written."""
