"""Direct access to the databases under a store."""

from __future__ import annotations

__all__ = [
    "ON_POSTGRESQL",
    "OPEN",
    "connected",
    "database_in",
    "empty",
    "hang_up_on_everyone",
    "locked",
    "on_postgresql",
    "rows",
    "script",
]

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from upcard.core.entropy import random_bytes
from upcard.server.store import TableSummary

# One process runs all tests on PostgreSQL, and starts one server.
on_postgresql = pytest.mark.xdist_group("postgresql")
ON_POSTGRESQL = pytest.param("postgresql", marks=on_postgresql)

OPEN = TableSummary("stacks", code=None, public=False, phase="open", due=None, touched=1.0)


def rows(count: int, start: int = 1) -> list[tuple[float, bytes]]:
    """Return entries that contain their own numbers."""
    return [(float(number), b'{"entry": %d}' % number) for number in range(start, start + count)]


@contextlib.contextmanager
def connected(url: str) -> Iterator[Any]:
    """Connect to a database in autocommit mode."""
    if url.startswith("sqlite:"):
        with contextlib.closing(sqlite3.connect(url.removeprefix("sqlite://"), isolation_level=None)) as link:
            yield link
    else:
        with psycopg.connect(url, autocommit=True) as link:
            yield link


def script(url: str, sql: str) -> None:
    """Run a script of SQL."""
    with connected(url) as link:
        if isinstance(link, sqlite3.Connection):
            link.executescript(sql)
        else:
            link.execute(sql)


@contextlib.contextmanager
def locked(url: str) -> Iterator[None]:
    """Lock the database against other writers."""
    with connected(url) as link:
        if isinstance(link, sqlite3.Connection):
            link.execute("BEGIN IMMEDIATE")
        else:
            link.execute("BEGIN")
            link.execute("LOCK TABLE tables IN EXCLUSIVE MODE")
        yield
        link.execute("ROLLBACK")


def hang_up_on_everyone(url: str) -> None:
    """End all other connections to a database of PostgreSQL."""
    script(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


def empty(url: str) -> None:
    """Empty a database of PostgreSQL, which takes a tenth of the time of creating one."""
    hang_up_on_everyone(url)
    script(url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")


@contextlib.contextmanager
def database_in(server: str) -> Iterator[str]:
    """Create a database on a PostgreSQL server, and drop it afterwards."""
    name = f"upcard_{random_bytes('database', 8).hex()}"
    with connected(server) as link:
        # Not the default strategy, but faster if nothing has to reach the disk.
        link.execute(f"CREATE DATABASE {name} STRATEGY file_copy")
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            link.execute(f"DROP DATABASE {name} WITH (FORCE)")
