"""Pictures in a rulebook: moments of real games."""

from __future__ import annotations

__all__ = ["Picture"]

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Picture:
    """A moment of a game among greedy bots, after a number of moves, as seen by the seat to move.

    `picked` is a legal move of that moment: its card is shown lifted, and the places where it may go are lit.
    """

    players: int
    seed: int
    moves: int
    picked: str | None = None
    # The parameters of the caption.
    named: Mapping[str, str | int] = field(default_factory=dict)
