"""One line of the log a second while the database fails, however many requests and tables notice it."""

from __future__ import annotations

__all__ = ["Outages", "report_outage"]

import threading
import time
from collections.abc import Callable

import structlog

# The minimum time between two lines, in seconds.
INTERVAL = 1.0


class Outages:
    """Reports failures of the database, and counts those that were not reported."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: float | None = None
        self._unreported = 0
        self._lock = threading.Lock()

    def report(self, reason: str) -> None:
        """Log a failure, unless another one was logged within the last second."""
        with self._lock:
            now = self._clock()
            if self._last is not None and now - self._last < INTERVAL:
                self._unreported += 1
                return
            self._last, unreported, self._unreported = now, self._unreported, 0
        more = {"unreported": unreported} if unreported else {}
        structlog.get_logger().warning("the database fails, trying again", reason=reason, **more)


report_outage = Outages().report
