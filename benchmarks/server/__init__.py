"""The table server: load, start, crashes, bad requests, and windows on two nodes.

The server is started by `upcard serve`, and addressed over HTTP.
"""

from __future__ import annotations

__all__ = ["measure"]

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from benchmarks.figures import Figure
from benchmarks.server import bad, crash, load, start, windows
from benchmarks.server.process import event_loop


def measure(quick: bool = False) -> Iterator[Figure]:
    """Measure one part after another; `quick` takes minutes instead of hours.

    The server's files lie in the user's cache folder: the temporary folder of many systems is in memory,
    where writing durably takes no time.
    """
    home = Path(platformdirs.user_cache_dir("upcard", False))
    home.mkdir(parents=True, exist_ok=True)
    for part in (load, start, crash, bad, windows):
        with (
            tempfile.TemporaryDirectory(prefix="bench-", dir=home) as folder,
            asyncio.Runner(loop_factory=event_loop()) as runner,
        ):
            yield from runner.run(part.measure(part.QUICK if quick else part.FULL, Path(folder)))
