"""Measured figures, and what all measurements share."""

from __future__ import annotations

__all__ = ["ROUNDS", "Figure", "best_of", "now", "progress", "quantile"]

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

ROUNDS = 7

now = time.perf_counter


@dataclass(frozen=True)
class Figure:
    """A measured figure. `wanted` is the promised value: a minimum, or with `at_most` a maximum."""

    name: str
    value: float
    unit: str
    wanted: float | None = None
    at_most: bool = False

    @property
    def reached(self) -> bool | None:
        """Whether the promise is kept; None where nothing was promised."""
        if self.wanted is None:
            return None
        return self.value <= self.wanted if self.at_most else self.value >= self.wanted


def best_of(work: Callable[[], float], rounds: int = ROUNDS) -> float:
    """Return the best of some rounds: other programs on the machine can only slow us down."""
    return max(work() for _ in range(rounds))


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that a share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def progress(text: str) -> None:
    """Say on a terminal what is being measured."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)
