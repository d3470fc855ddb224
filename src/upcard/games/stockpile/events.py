"""The kinds of events that only Stockpile has."""

from __future__ import annotations

__all__ = ["KINDS", "StockpileEvent"]

from upcard.core.events import Kind


class StockpileEvent(Kind):
    """The kinds of events that other games do not have."""

    STOPPED = 100  # seat has nothing left to play, so the turn ends


KINDS = StockpileEvent
