"""A house: a real server with the pages of the browser table, for tests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Running, running
from tests.server.soak import let_quick_bots_play


@contextlib.contextmanager
def house(folder: Path, **settings: Any) -> Iterator[Running]:
    """Run a server with its pages, whose tables are in a folder. Nothing is compiled for its bots: fast bots
    give the hints and play for absent players."""
    with pytest.MonkeyPatch.context() as patch:
        let_quick_bots_play(patch)
        with running(folder, **settings) as server:
            yield server
