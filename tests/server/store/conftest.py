"""Every test of the store runs on SQLite and on PostgreSQL, in an empty database."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.store.databases import ON_POSTGRESQL, empty
from upcard.server.store import Store, open_store, sqlite
from upcard.server.store import postgresql as pg


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def patient_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not let a database give up waiting for a lock because the machine is busy."""
    monkeypatch.setattr(sqlite, "PATIENCE", 3600.0)
    monkeypatch.setattr(pg, "PATIENCE", {})
    monkeypatch.setattr(pg, "SETTINGS", re.sub(r"_timeout = '\d+s'", "_timeout = 0", pg.SETTINGS))


@pytest.fixture(params=["sqlite", ON_POSTGRESQL])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite://{tmp_path}/tables.db"
    server: str = request.getfixturevalue("postgresql")
    empty(server)
    return server


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    store = open_store(url)
    yield store
    await store.close()
