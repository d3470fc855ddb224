"""What is promised of the table server: load, crashes, bad requests, start.

The lab does not know the server. It starts `upcard serve` as anybody would, and speaks HTTP to it.
"""

from __future__ import annotations

__all__ = ["measure"]

from collections.abc import Iterator

from upcard.lab.bench.figures import Figure
from upcard.lab.bench.server import bad, crash, load, start
from upcard.lab.bench.server.measuring import Say, run, workplace


def measure(quick: bool = False, say: Say = lambda _: None) -> Iterator[Figure]:
    """Measure everything, one part after another; `quick` takes minutes instead of hours."""
    for part in (load, start, crash, bad):
        with workplace() as folder:
            yield from run(part.measure(part.QUICK if quick else part.FULL, folder, say))
