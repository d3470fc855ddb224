"""Messages with clauses and seats: why a move is refused, and what a seat did."""

from __future__ import annotations

__all__ = ["Refusal", "SeatMessage"]

from dataclasses import dataclass

from upcard.core.seats import SPECTATOR
from upcard.i18n import DEFAULT, Message


@dataclass(frozen=True)
class Refusal(Message):
    """Why something is refused, and the clause that forbids it, if the rules do."""

    clause: str = ""

    def text(self, language: str = DEFAULT) -> str:
        text = super().text(language)
        return f"{text} ({self.clause})" if self.clause else text


@dataclass(frozen=True)
class SeatMessage(Message):
    """A message about what a seat did, possibly to another seat."""

    seat: int = SPECTATOR
    other: int = SPECTATOR

    def to(self, listener: int) -> Message:
        """Return the message for the seat that acted (code ending in _you) or the other seat (_yours)."""
        if listener == SPECTATOR or listener not in (self.seat, self.other):
            return self
        return Message(self.code + ("_you" if listener == self.seat else "_yours"), self.parameters)
