"""Seats round a table, numbered from 0 internally and from 1 for people."""

from __future__ import annotations

__all__ = ["RANDOM_SEAT", "SPECTATOR", "along", "left_of", "resolve_seat", "steps_to"]

from upcard.core.chance import Chance, randint
from upcard.core.rule import rule

# The value of an option that chooses a seat at random.
RANDOM_SEAT = -1

# The viewer without a seat, who sees what is public.
SPECTATOR = -1


@rule
def along(seat: int, steps: int, players: int) -> int:
    """Return the seat a number of places to the left (to the right, if negative)."""
    return (seat + steps) % players


@rule
def left_of(seat: int, players: int) -> int:
    """Return the next seat to the left."""
    return along(seat, 1, players)


@rule
def steps_to(viewer: int, seat: int, players: int) -> int:
    """Return the number of places from the viewer to a seat, going left."""
    return along(seat, -viewer, players)


@rule
def resolve_seat(seat: int, players: int, chance: Chance) -> int:
    """Return the seat that an option names, or a random seat if it leaves that to chance."""
    return randint(chance, players) if seat == RANDOM_SEAT else seat
