"""What all tests of the server need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.guests import HERE


@pytest.fixture(autouse=True)
def guests_go_home() -> Iterator[None]:
    """Close the connections of all guests of a test."""
    yield
    while HERE:
        HERE.pop().http.close()
