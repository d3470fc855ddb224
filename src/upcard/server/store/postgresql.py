"""PostgreSQL: a server, to which many nodes write at the same time."""

from __future__ import annotations

__all__ = ["PostgreSQL"]

import contextlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from upcard.server.store.engine import Conflict, Connection, Undone, Value
from upcard.server.store.types import StoreError

# A node or a network that stands still must not stop the others. Whatever the URL says goes before.
PATIENCE = {
    "connect_timeout": 5,  # seconds
    "keepalives_idle": 10,
    "tcp_user_timeout": 10_000,  # milliseconds
}
SETTINGS = """
SET lock_timeout = '10s';
SET idle_in_transaction_session_timeout = '5s';
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
# Any number, if only all nodes take the same.
MIGRATING = 0x55504341
# What undoes all of a transaction, by the beginning of its code: a lost connection, a deadlock, a
# server that stops, and one that is a read-only copy (another may be found when connecting again).
UNDOING = ("08", "40", "57P", "25006")


class PostgreSQL:
    """A database on a server."""

    readers = 4
    writers = 4
    batch = 32  # each of their tables is locked until the batch is done

    def __init__(self, url: str) -> None:
        try:
            self._info = {**PATIENCE, **conninfo_to_dict(url)}
        except psycopg.Error:
            # Its own words may repeat a password.
            raise StoreError("the address of the database is not a PostgreSQL address") from None

    def connect(self) -> Connection:
        """Connect to the server."""
        return _Connection(self._info)


class _Connection:
    """A connection as psycopg gives it, but with errors that we know."""

    def __init__(self, info: dict[str, Any]) -> None:
        try:
            # In this mode a transaction begins where we say so.
            self._raw = psycopg.connect(autocommit=True, **info)
        except psycopg.Error as error:
            raise Undone(f"the database cannot be reached: {_line(error)}") from error
        self._cursor = self._raw.cursor()  # one for all: making one takes as long as a statement
        try:
            self.run(SETTINGS)
        except StoreError:
            self.close()
            raise

    def begin(self) -> None:
        self.run("BEGIN ISOLATION LEVEL READ COMMITTED")

    def begin_alone(self) -> None:
        self.begin()
        self.ask("SELECT pg_advisory_xact_lock(?)", (MIGRATING,))

    def commit(self) -> None:
        try:
            status = self._cursor.execute("COMMIT").statusmessage
        except psycopg.Error as error:
            raise StoreError(f"the database may or may not have written it: {_line(error)}") from error
        # What a server says that had to undo everything.
        if status != "COMMIT":
            raise StoreError("the database did not write it")

    @property
    def in_transaction(self) -> bool:
        return self._raw.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR)

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        return self._execute(sql, values).rowcount

    def ask(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        if any(isinstance(value, str) and not _is_text(value) for value in values):
            return []  # it is in no row
        return self._execute(sql, values).fetchall()

    def close(self) -> None:
        with contextlib.suppress(psycopg.Error):
            self._raw.close()

    def _execute(self, sql: str, values: Sequence[Value]) -> psycopg.Cursor[tuple[Any, ...]]:
        try:
            return self._cursor.execute(_in_its_words(sql), values)
        except errors.UniqueViolation as error:
            raise Conflict from error
        except (psycopg.Error, UnicodeError) as error:
            undone = self._raw.closed or (getattr(error, "sqlstate", None) or "").startswith(UNDOING)
            raise (Undone if undone else StoreError)(f"the database: {_line(error)}") from error


def _is_text(value: str) -> bool:
    """Whether PostgreSQL takes it: neither half a character nor the one with the number 0."""
    try:
        return b"\0" not in value.encode()
    except UnicodeError:
        return False


@cache
def _in_its_words(sql: str) -> Any:
    return sql.replace("?", "%s")


def _line(error: Exception) -> str:
    """What went wrong, without the position in the SQL and other details."""
    return next(iter(str(error).splitlines()), type(error).__name__)
