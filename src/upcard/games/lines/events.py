"""The kinds of events that only Lines has."""

from __future__ import annotations

__all__ = ["KINDS", "LinesEvent"]

from upcard.core.events import Kind


class LinesEvent(Kind):
    """The kinds of events that other games do not have."""

    SET_ASIDE = 100  # the line at place of seat's zone is no longer active
    LAST_TURNS = 101  # seat's zone ends the game: one last turn for everyone but other


KINDS = LinesEvent
