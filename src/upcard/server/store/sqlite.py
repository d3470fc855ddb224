"""SQLite: a file, written by one thread at a time and read by others meanwhile."""

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
    """A database in a file, which is made if it is not there."""

    readers = 2
    writers = 1
    batch = 256

    def __init__(self, path: Path) -> None:
        self._path = path
        self._make_file()
        self._log_ahead()

    def connect(self) -> Connection:
        """Connect to the file; a missing one is not made, for whoever deleted it should hear of it."""
        return _Connection(self._path)

    def _make_file(self) -> None:
        # Hidden cards are in it: nobody else on this machine may read it.
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as error:
            raise StoreError(f"the database {self._path} cannot be opened: {error.strerror}") from error

    def _log_ahead(self) -> None:
        """Let the file be read while it is written. SQLite does not wait by itself if another program is
        just doing the same."""
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
    """A connection to a file, as sqlite3 gives it but with errors that we know."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._raw = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode=rw",
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,  # a transaction begins where we say so
                check_same_thread=False,  # it may be closed by another thread than used it
            )
        except sqlite3.Error as error:
            raise self._explain(error) from error
        try:
            self.run("PRAGMA synchronous = FULL")
            self.run("PRAGMA fullfsync = ON")  # macOS would leave it to the disk when to write
        except StoreError:
            self.close()
            raise

    def log_ahead(self) -> bool:
        """Switch to the write-ahead log, or say that someone is in the way."""
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
            return []  # half a character is in no row
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
