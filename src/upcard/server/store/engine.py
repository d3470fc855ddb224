"""The interface between the store and any database."""

from __future__ import annotations

__all__ = ["Conflict", "Connection", "Engine", "Undone", "Value"]

from collections.abc import Sequence
from typing import Any, Protocol

from upcard.server.store.types import StoreError

Value = str | int | float | bytes | None


class Conflict(Exception):
    """A unique index refused a row."""


class Undone(StoreError):
    """The database rolled back the whole transaction, or is gone: the transaction can be run again."""


class Connection(Protocol):
    """A connection for one thread at a time. It raises Conflict, Undone and StoreError only.

    A `?` in SQL stands for a value.
    """

    def begin(self) -> None:
        """Begin a transaction that writes."""

    def begin_alone(self) -> None:
        """Begin a transaction in which no other connection may change the schema."""

    def commit(self) -> None:
        """Make the transaction durable. Never raises Undone: after an error, the result is unknown."""

    @property
    def in_transaction(self) -> bool:
        """Whether the transaction can still be committed, or rolled back in part."""

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Run a statement, and return how many rows it changed."""

    def ask(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that a query finds."""

    def close(self) -> None:
        """Close the connection, and roll back what was not committed."""


class Engine(Protocol):
    """A database that can be connected to."""

    @property
    def readers(self) -> int:
        """How many threads should read."""

    @property
    def writers(self) -> int:
        """How many threads should write."""

    @property
    def batch(self) -> int:
        """The maximum number of jobs that share a transaction."""

    def connect(self) -> Connection:
        """Open a new connection."""
