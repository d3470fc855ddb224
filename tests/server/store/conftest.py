"""Every test of the store runs on SQLite and on PostgreSQL, in an empty database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.server.servers import postgres
from tests.server.store.databases import ON_POSTGRESQL, empty
from upcard.server.store import Store, open_store


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server."""
    with postgres(tmp_path_factory.mktemp("postgresql")) as url:
        yield url


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
