"""Reasons for moves: the question why a move is made, and its strongest answer."""

from __future__ import annotations

__all__ = ["MoveQuestion", "Reason", "strongest"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.core.messages import SeatMessage
from upcard.i18n import Message

Reason = Callable[[Any], Message | None]


@dataclass(frozen=True)
class MoveQuestion:
    """The question why a move is made, asked by the viewer of a view. A game adds what its reasons need."""

    view: Any
    move: int
    names: Sequence[str]

    @property
    def seat(self) -> int:
        """The seat whose turn it is."""
        return int(self.view.to_move)

    @property
    def knows_hand(self) -> bool:
        """Whether the player is the one who asks. Only then may a reason mention the hand."""
        return int(self.view.viewer) == self.seat

    def about_me(self, code: str, **parameters: str | int) -> Message:
        """Return a reason that concerns what the player has."""
        return SeatMessage(code, {"name": self.names[self.seat], **parameters}, self.seat)

    def about(self, other: int, code: str, **parameters: str | int) -> Message:
        """Return a reason that concerns another player."""
        return SeatMessage(code, {"other": self.names[other], **parameters}, other=other)


def strongest(asked: MoveQuestion, reasons: Sequence[Reason]) -> Message:
    """Return the first reason that applies; the last of them always does."""
    answers = (reason(asked) for reason in reasons)
    return next(message for message in answers if message is not None)
