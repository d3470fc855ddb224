"""The kinds of events that only Climb has."""

from __future__ import annotations

__all__ = ["KINDS", "ClimbEvent"]

from upcard.core.events import Kind


class ClimbEvent(Kind):
    """What happens at a table of Climb, besides what happens in other games."""

    CLEARED = 100  # the run is cleared away; seat begins a new one


KINDS = ClimbEvent
