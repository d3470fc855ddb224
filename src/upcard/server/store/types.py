"""The types of the store: its rows, and the reasons why something was not written."""

from __future__ import annotations

__all__ = [
    "AlreadyDone",
    "Attendee",
    "CodeTaken",
    "CodeUsed",
    "CommandIdReused",
    "CommandKey",
    "Handover",
    "Overloaded",
    "Row",
    "SequenceConflict",
    "StoreError",
    "TableSummary",
    "WindowNotes",
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
class TableSummary:
    """The columns by which tables are found, updated with every append.

    `code` is the short code of a table that can be joined, None for others; `due` is the next deadline.
    """

    game: str
    code: str | None
    public: bool
    phase: str
    due: float | None
    touched: float
    # The people with a seat; None if they are those of the last append.
    people: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class CommandKey:
    """The id of a person's command, by which it is carried out once, however often it is sent.

    `request` is a digest of the request, and `handover` that of the code that the command uses up.
    """

    person: str
    id: str
    request: bytes = b""
    handover: bytes | None = None


@dataclass(frozen=True, slots=True)
class WindowNotes:
    """The notes of a window, by seat, from which the entry that closes it was made."""

    window: int
    notes: dict[int, str]


@dataclass(frozen=True, slots=True)
class Handover:
    """A seat that a code hands over: its previous owner and, once the code has been used, its new one."""

    table: str
    seat: int
    giver: str
    taken_by: str


@dataclass(frozen=True, slots=True)
class Attendee:
    """A person at a table that waits for players, with a digest of the address, and until when."""

    table: str
    person: str
    address: bytes
    until: float


# The exceptions down to CommandIdReused have no message for people: the caller of the store handles them.


class SequenceConflict(Exception):
    """Someone else has appended to this table in the meantime; nothing was written."""


class AlreadyDone(Exception):
    """This command was carried out before, and its last entry was `seq`; nothing was written."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class CodeTaken(Exception):
    """Another table has this short code; nothing was written."""


class CodeUsed(Exception):
    """Another person has used this code, or it was never stored; nothing was written."""


class CommandIdReused(Exception):
    """This person has sent this command id with another request; nothing was written."""


class StoreError(UpcardError):
    """The database cannot be opened, read or written. The data may have been written or not, so the command
    is repeated with the same id."""


class Overloaded(UpcardError):
    """Too many writes are waiting; nothing was written."""
