"""Waiting for another thread or process: for a condition, never for a time."""

from __future__ import annotations

__all__ = ["wait_until"]

import time
from collections.abc import Callable

# Seconds between two looks. How many looks it takes decides nothing.
PAUSE = 0.005


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds. One that never does fails by the time limit of the test, which shows
    where it was waited for."""
    while not condition():
        time.sleep(PAUSE)
