"""What the store asks of a database, whichever it is."""

from __future__ import annotations

__all__ = ["Conflict", "Connection", "Engine", "Undone", "Value"]

from collections.abc import Sequence
from typing import Any, Protocol

from upcard.server.store.types import StoreError

Value = str | int | float | bytes | None


class Conflict(Exception):
    """A unique index refused a row."""


class Undone(StoreError):
    """The database undid the whole transaction, or is gone: all of it can be run again."""


class Connection(Protocol):
    """A connection that one thread uses at a time. Of errors it knows Conflict, Undone and StoreError.

    A `?` in SQL stands for a value.
    """

    def begin(self) -> None:
        """Begin a transaction that writes."""

    def begin_alone(self) -> None:
        """Begin a transaction in which no other connection may change the schema."""

    def commit(self) -> None:
        """Make everything since the beginning durable. Never Undone: after an error nobody can be sure."""

    @property
    def in_transaction(self) -> bool:
        """Whether what was written since the beginning can still be committed, or taken back in part."""

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run a statement, and return how many rows it changed."""

    def ask(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that a query finds."""

    def close(self) -> None:
        """Close it, and undo what was not committed."""


class Engine(Protocol):
    """A database, ready to be connected to."""

    @property
    def readers(self) -> int:
        """How many threads should read."""

    @property
    def writers(self) -> int:
        """How many threads should write."""

    @property
    def batch(self) -> int:
        """How many jobs at most should share a transaction."""

    def connect(self) -> Connection:
        """Connect again."""
