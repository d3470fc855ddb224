"""When to look for garbage among all that has been in memory for a while.

Hardly any is there, and to look for it takes a moment for every thousand tables, in which nobody is
answered. So it is looked for when hardly anyone would notice.
"""

from __future__ import annotations

__all__ = ["IdleCollector"]

import gc
import time
from collections.abc import Callable

# It takes at most so much of the time, and is done no oftener than every few seconds; and where there is
# never a quiet moment, at the latest after so many more.
SHARE = 0.001
SECONDS = 5.0
LATEST = 3600.0
# So many seconds may it take for each table; then it is known better.
A_TABLE = 0.0005


class IdleCollector:
    """Looks for garbage at the right time."""

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
        """Look for it if it is time, with so many tables in memory, and so many entries written until now."""
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
