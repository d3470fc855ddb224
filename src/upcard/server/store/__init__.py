"""The store: every table's log in a database, SQLite or PostgreSQL. Entries are durable before anyone sees
them."""

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
    "Policy",
    "Report",
    "Row",
    "SequenceConflict",
    "Store",
    "StoreError",
    "Subscription",
    "TableSummary",
    "WindowNotes",
    "deadline",
    "file_of",
    "open_operator",
    "open_store",
]

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from upcard.server.store.engine import Connection, Engine
from upcard.server.store.operators import Policy, Report
from upcard.server.store.pushes import Subscription
from upcard.server.store.store import Store
from upcard.server.store.threads import deadline
from upcard.server.store.types import (
    AlreadyDone,
    Attendee,
    CodeTaken,
    CodeUsed,
    CommandIdReused,
    CommandKey,
    Handover,
    Overloaded,
    Row,
    SequenceConflict,
    StoreError,
    TableSummary,
    WindowNotes,
)
from upcard.server.store.versions import migrate

# About as many as are written in a second.
MAX_WAITING = 4096


def open_store(url: str, *, max_waiting: int = MAX_WAITING) -> Store:
    """Open the database at `sqlite:///path/to/file.db` (from the root of the disk) or `postgresql://...`,
    creating or migrating its tables if needed. This blocks until the database answers, so do it before the
    event loop has other work."""
    engine = _engine(url)
    link = engine.connect()
    try:
        migrate(link)
    finally:
        link.close()
    return Store(engine, max_waiting)


@contextlib.contextmanager
def open_operator(url: str) -> Iterator[Connection]:
    """Open the database for an operator: one transaction, beside running servers, in which other operators
    wait."""
    file = file_of(url)
    if file is not None and not file.exists():
        raise StoreError(f"there is no database {file}")
    link = _engine(url).connect()
    try:
        migrate(link)
        link.begin_alone()
        yield link
        link.commit()
    finally:
        link.close()


def file_of(url: str) -> Path | None:
    """Return the file of a database, None for one on a server."""
    kind, _, path = url.partition(":")
    if kind != "sqlite" or not path.strip("/"):
        return None
    root = "" if os.name == "nt" else "/"
    return Path(root + path.lstrip("/"))


def _engine(url: str) -> Engine:
    kind, file = url.partition(":")[0], file_of(url)
    if file is not None:
        from upcard.server.store.sqlite import SQLite

        return SQLite(file)
    if kind in ("postgresql", "postgres"):
        return _postgresql(url)
    # The rest of an address may contain a password, so it is not repeated.
    raise StoreError(
        f"a database of the kind {kind!r} is not known: use sqlite:///path/to/file.db or postgresql://..."
    )


def _postgresql(url: str) -> Engine:
    try:
        from upcard.server.store.postgresql import PostgreSQL
    except ImportError:
        raise StoreError("PostgreSQL needs more packages: pip install 'upcard[cluster]'") from None
    return PostgreSQL(url)
