"""SQLite: a file that one thread writes while others read it."""

from __future__ import annotations

__all__ = ["SQLite"]

import contextlib
import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from upcard.server.store.engine import Conflict, Connection, Value
from upcard.server.store.types import StoreError

# How many seconds to wait for another program that writes to the same file.
PATIENCE = 10.0

WHAT_IS_WRONG = {
    sqlite3.SQLITE_BUSY: "another program keeps it locked",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_CORRUPT: "it is damaged",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk does not read or write it",
    sqlite3.SQLITE_NOTADB: "it is not a database",
    sqlite3.SQLITE_READONLY: "it is read-only",
}
UNIQUE = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)


class SQLite:
    """A database in a file, which is created if it does not exist."""

    readers = 2
    writers = 1
    batch = 256

    def __init__(self, path: Path) -> None:
        self._path = path
        self._make_file()
        self._log_ahead()

    def connect(self) -> Connection:
        """Connect to the file. A missing one is not created again, since deleting it should be noticed."""
        return _Connection(self._path)

    def _make_file(self) -> None:
        # It contains hidden cards, so no other user of this machine may read it.
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise StoreError(f"the database {self._path} cannot be opened: {error.strerror}") from error

    def _log_ahead(self) -> None:
        """Let the file be read while it is written. If another program is doing the same, SQLite does not
        wait on its own."""
        link = _Connection(self._path)
        end = time.monotonic() + PATIENCE
        try:
            while not link.log_ahead():
                if time.monotonic() > end:
                    raise StoreError(f"the database {self._path}: {WHAT_IS_WRONG[sqlite3.SQLITE_BUSY]}")
                time.sleep(0.01)
        finally:
            link.close()


class _Connection:
    """A connection of sqlite3 that raises our own errors."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._raw = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,  # transactions begin only explicitly
                check_same_thread=False,  # another thread than the one that used it may close it
            )
        except sqlite3.Error as error:
            raise self._explain(error) from error
        try:
            self.run("PRAGMA synchronous = FULL")
            self.run(
                "PRAGMA fullfsync = ON"
            )  # on macOS, a plain fsync leaves the time of writing to the disk
        except StoreError:
            self.close()
            raise

    def log_ahead(self) -> bool:
        """Switch to the write-ahead log, or return False while another program is in the way."""
        try:
            self._raw.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error as error:
            if _code(error) == sqlite3.SQLITE_BUSY:
                return False
            raise self._explain(error) from error
        return True

    def begin(self) -> None:
        self.run("BEGIN IMMEDIATE")

    def begin_alone(self) -> None:
        self.run("BEGIN EXCLUSIVE")

    def commit(self) -> None:
        self.run("COMMIT")

    @property
    def in_transaction(self) -> bool:
        return self._raw.in_transaction

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        try:
            return self._raw.execute(sql, values).rowcount
        except (sqlite3.Error, UnicodeError, OverflowError) as error:
            raise self._explain(error) from error

    def ask(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._raw.execute(sql, values).fetchall()
        except UnicodeError:
            return []  # no row contains a lone surrogate
        except (sqlite3.Error, OverflowError) as error:
            raise self._explain(error) from error

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._raw.close()

    def _explain(self, error: Exception) -> Exception:
        if isinstance(error, sqlite3.IntegrityError) and error.sqlite_errorcode in UNIQUE:
            return Conflict()
        return StoreError(f"the database {self._path}: {WHAT_IS_WRONG.get(_code(error), str(error))}")


def _code(error: Exception) -> int:
    """The kind of an error, without its details; 0 if SQLite was not asked."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
