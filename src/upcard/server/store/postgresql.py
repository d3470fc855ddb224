"""PostgreSQL: a database server to which many nodes write at the same time."""

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

# A node or a network that hangs must not stop the others. Parameters in the URL take precedence.
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
# Any number, as long as all nodes use the same one.
MIGRATING = 0x55504341
# Errors that roll back a whole transaction, by the beginning of their codes: a lost connection, a deadlock, a
# server that stops, and a read-only replica (reconnecting may find another server).
UNDOING = ("08", "40", "57P", "25006")


class PostgreSQL:
    """A database on a server."""

    readers = 4
    writers = 4
    batch = 32  # each table in it is locked until the batch is done

    def __init__(self, url: str) -> None:
        try:
            self._info = {**PATIENCE, **conninfo_to_dict(url)}
        except psycopg.Error:
            # Its own message may contain a password.
            raise StoreError("the address of the database is not a PostgreSQL address") from None

    def connect(self) -> Connection:
        """Connect to the server."""
        return _Connection(self._info)


class _Connection:
    """A connection of psycopg that raises our own errors."""

    def __init__(self, info: dict[str, Any]) -> None:
        try:
            # In this mode, transactions begin only explicitly.
            self._raw = psycopg.connect(autocommit=True, **info)
        except psycopg.Error as error:
            raise Undone(f"the database cannot be reached: {_line(error)}") from error
        self._cursor = self._raw.cursor()  # shared, since creating one takes as long as a statement
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
        # Errors after which the server has rolled back everything.
        if status != "COMMIT":
            raise StoreError("the database did not write it")

    @property
    def in_transaction(self) -> bool:
        return self._raw.info.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR)

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        return self._execute(sql, values).rowcount

    def ask(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        if any(isinstance(value, str) and not _is_text(value) for value in values):
            return []  # no row contains it
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
    """Whether PostgreSQL accepts a text: it has no lone surrogate and no null character."""
    try:
        return b"\0" not in value.encode()
    except UnicodeError:
        return False


@cache
def _in_its_words(sql: str) -> Any:
    return sql.replace("?", "%s")


def _line(error: Exception) -> str:
    """Return an error as one line, without the position in the SQL and other details."""
    return next(iter(str(error).splitlines()), type(error).__name__)
