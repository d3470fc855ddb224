"""The kinds of events that only Stacks has."""

from __future__ import annotations

__all__ = ["KINDS", "StacksEvent"]

from upcard.core.events import Kind


class StacksEvent(Kind):
    """The kinds of events that other games do not have."""

    STOLE = 100  # seat takes card from other, out of place (hand or discard pile)
    STOLE_CHIP = 101  # seat takes a chip of colour place from other
    EARNED = 102  # seat gets a chip of colour place
    BLOCKED = 103  # seat blocks the pile at place
    REVERSED = 104  # seat turns the direction round

    @property
    def takes_card(self) -> bool:
        """K4.3 A card stolen from a hand is drawn blind."""
        return self is StacksEvent.STOLE


KINDS = StacksEvent
