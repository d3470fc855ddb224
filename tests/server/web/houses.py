"""A house: a real server with the pages of the browser table, for tests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.guests import Running, running
from tests.server.soak import let_quick_bots_play
from upcard.bots import search


@contextlib.contextmanager
def house(folder: Path, **settings: Any) -> Iterator[Running]:
    """Run a server with its pages, whose tables are in a folder. Nothing is compiled for its bots: fast bots
    give the hints and play for absent players, and strong ones play as they do before they are ready."""
    with pytest.MonkeyPatch.context() as patch:
        let_quick_bots_play(patch)
        patch.setattr(search, "_compile_in_background", lambda game: None)
        with running(folder, **settings) as server:
            yield server
