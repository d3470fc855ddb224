"""Measured figures, and the one way to measure a speed."""

from __future__ import annotations

__all__ = ["ROUNDS", "Figure", "best_of"]

from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 7


@dataclass(frozen=True)
class Figure:
    """One measured figure. `wanted` is what to reach, at least or (`at_most`) at most."""

    name: str
    value: float
    unit: str
    wanted: float | None = None
    at_most: bool = False

    @property
    def reached(self) -> bool | None:
        """Whether it is good enough; None where nothing was promised."""
        if self.wanted is None:
            return None
        return self.value <= self.wanted if self.at_most else self.value >= self.wanted


def best_of(work: Callable[[], float], rounds: int = ROUNDS) -> float:
    """Return the best of some rounds: other programs only ever make us slower."""
    return max(work() for _ in range(rounds))
