"""Waiting for another thread or process: for a condition, never for a time."""

from __future__ import annotations

__all__ = ["wait_until"]

import time
from collections.abc import Callable

# Seconds between two checks. The number of checks does not matter.
PAUSE = 0.005


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds. If it never does, the time limit of the test fails, which shows where it
    was waiting."""
    while not condition():
        time.sleep(PAUSE)
