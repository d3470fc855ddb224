"""A house: a real server with the pages of the browser table, for tests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.server.guests import Running, running
from upcard.server.web import PAGES


@contextlib.contextmanager
def house(folder: Path, **settings: Any) -> Iterator[Running]:
    """Run a server with its pages, whose tables are in a folder."""
    with running(folder, **settings) as server:
        if PAGES[0] not in server.app.router.routes:
            server.app.router.routes[:0] = PAGES
        yield server
