"""Seats as a viewer counts them: oneself first, then to the left.

The same as `core.seats.along`, but with no division: this is asked some ten times in every observation.
"""

from __future__ import annotations

__all__ = ["seat_after", "steps_to"]

from upcard.core.rule import rule


@rule
def seat_after(viewer: int, steps: int, players: int) -> int:
    """Return the seat so many steps to the viewer's left, less than once round the table."""
    seat = viewer + steps
    return seat - players if seat >= players else seat


@rule
def steps_to(viewer: int, seat: int, players: int) -> int:
    """Return how many steps to the viewer's left a seat is."""
    steps = seat - viewer
    return steps + players if steps < 0 else steps
