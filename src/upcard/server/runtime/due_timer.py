"""A timer for the next deadline of a table."""

from __future__ import annotations

__all__ = ["DueTimer"]

import asyncio
from collections.abc import Callable

# Accuracy, in seconds.
TICK = 0.001


class DueTimer:
    """Calls a function at a time that can be changed.

    Most deadlines move to a later time with every move and never pass. So a timer of the event loop that
    fires too early is kept, and renewed when it fires: cancelled timers would stay in the loop's queue.
    """

    def __init__(self) -> None:
        self._at: float | None = None
        self._ring: Callable[[], None] | None = None
        self._handle: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether the function will be called."""
        return self._at is not None

    def set(self, delay: float, ring: Callable[[], None]) -> None:
        """Call a function after a delay in seconds, instead of any earlier request."""
        self._ring = ring
        self._at = asyncio.get_running_loop().time() + max(0.0, delay)
        self._arm()

    def unset(self) -> None:
        """Do not call the function."""
        self._at = None

    def cancel(self) -> None:
        """Do not call the function, and free the timer."""
        self._at = self._ring = None
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _arm(self) -> None:
        assert self._at is not None
        if self._handle is not None:
            if self._handle.when() <= self._at:
                return
            self._handle.cancel()
        self._handle = asyncio.get_running_loop().call_at(self._at, self._on_time)

    def _on_time(self) -> None:
        self._handle = None
        if self._at is None:
            return
        if self._at > asyncio.get_running_loop().time() + TICK:
            self._arm()
        else:
            self._at = None
            assert self._ring is not None
            self._ring()
