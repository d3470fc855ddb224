"""Tests that compile the same game run in the same process, which then compiles it only once; those that need
a browser run by themselves (`make browser`)."""

from __future__ import annotations

import pytest

from upcard.games import GAMES

BROWSER = ("test_house.py", "test_table.py")


# Before xdist looks at the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name in BROWSER:
            item.add_marker(pytest.mark.browser)
        if item.get_closest_marker("compiled"):
            game = next((name for name in GAMES if name in item.name), "stockpile")
            item.add_marker(pytest.mark.xdist_group(f"compiled {game}"))
