"""Stacks: complete red and blue piles from 1 to 5 to earn chips, with skips, thefts and blocks."""

from __future__ import annotations

__all__ = ["GAME"]

from upcard.core.game import assemble
from upcard.games.stacks.moves import MOVE_COUNT

GAME = assemble(
    __name__,
    title="Stacks",
    summary="Complete red and blue piles from 1 to 5 to earn chips, with skips, thefts and blocks.",
    turn_clause="K2.1",
    max_legal=MOVE_COUNT,
    solo_seats=3,
    colours={"r": "red", "b": "blue", "R": "red", "B": "blue"},
)
