"""The entries in the log of a match."""

from __future__ import annotations

__all__ = ["Moved", "Shuffled"]

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A log entry: a new draw pile, the first card to be drawn first."""

    cards: tuple[int, ...]
    forced: ClassVar[bool] = False

    def to_json(self, write_card: Callable[[int], str]) -> dict[str, Any]:
        """Return the entry as in a record."""
        return {"shuffle": [write_card(card) for card in self.cards]}


@dataclass(frozen=True, slots=True)
class Moved:
    """A log entry: the move of a seat (from 0). `took` is the card that was taken blind, if any.

    An answer out of turn without a choice is `forced`: it is requested only if players sit apart, so that the
    others do not learn which seats had a choice, and it is not part of records. `secret` says that others may
    not know of this move while the game continues. `began` is the number of the first event that it caused.
    """

    seat: int
    move: int
    text: str
    took: int | None
    forced: bool = False
    secret: bool = False
    began: int = 0

    def to_json(self, write_card: Callable[[int], str]) -> dict[str, Any]:
        """Return the entry as in a record."""
        took = {} if self.took is None else {"took": write_card(self.took)}
        return {"seat": self.seat + 1, "move": self.text, **took}
