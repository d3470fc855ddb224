"""When to run a full garbage collection.

It finds very little, and takes time for every thousand tables, during which no request is answered. So it
runs when hardly anyone will notice.
"""

from __future__ import annotations

__all__ = ["IdleCollector"]

import gc
import time
from collections.abc import Callable

# The maximum share of time that collections take, the minimum interval between them in seconds, and the
# interval after which one runs even on a busy server.
SHARE = 0.001
SECONDS = 5.0
LATEST = 3600.0
# The assumed seconds per table, until a collection has been measured.
A_TABLE = 0.0005


class IdleCollector:
    """Runs full garbage collections at quiet moments."""

    def __init__(
        self, now: Callable[[], float] = time.monotonic, collect: Callable[[], object] = gc.collect
    ) -> None:
        self._now = now
        self._collect = collect
        self._a_table = A_TABLE
        self._written = 0
        self._looked = now()
        self._next = self._looked + SECONDS

    def run_if_due(self, tables: int, written: int) -> None:
        """Run a collection if it is due, given the tables in memory and the entries written so far."""
        started = self._now()
        a_second = (written - self._written) / max(started - self._looked, 0.001)
        self._written, self._looked = written, started
        waiting = a_second * self._a_table * tables
        if started < self._next or (waiting >= 1 and started < self._next + LATEST):
            return
        self._collect()
        took = self._now() - started
        self._a_table = took / max(tables, 1)
        self._next = started + took + max(SECONDS, took / SHARE)
