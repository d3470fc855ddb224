"""The clock of a node: the time of day, except that it never goes back."""

from __future__ import annotations

__all__ = ["SteadyClock"]

import time
from collections.abc import Callable


class SteadyClock:
    """The time in seconds since the epoch.

    If the time of day is set back, this clock continues from where it was, so no deadline is postponed.
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = time.monotonic
    ) -> None:
        self._wall = wall
        self._elapsed = elapsed
        self._last = wall()
        self._last_elapsed = elapsed()
        # The largest step so far of the time of day against the elapsed time, forward or back, in seconds.
        self.jumped = 0.0

    def __call__(self) -> float:
        """Return the time."""
        elapsed, wall = self._elapsed(), self._wall()
        expected = self._last + (elapsed - self._last_elapsed)
        self.jumped = max(self.jumped, abs(wall - expected))
        self._last, self._last_elapsed = max(wall, expected), elapsed
        return self._last
