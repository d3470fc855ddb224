"""Fixtures of all tests of the server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.guests import HERE
from tests.server.servers import Postgres


@pytest.fixture(autouse=True)
def guests_go_home() -> Iterator[None]:
    """Close the connections of all guests of a test."""
    yield
    while HERE:
        HERE.pop().http.close()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A server that all tests on PostgreSQL share. A test that stops it starts it again."""
    with Postgres(tmp_path_factory.mktemp("postgresql")) as server:
        yield server


@pytest.fixture
def postgresql(postgres: Postgres) -> str:
    """The URL of that server."""
    return postgres.url
