"""Stockpile: empty your stockpile onto four shared piles that run from 1 to 10."""

from __future__ import annotations

__all__ = ["GAME"]

from upcard.core.game import assemble
from upcard.games.stockpile.moves import MOVE_COUNT

GAME = assemble(
    __name__,
    title="Stockpile",
    summary="Empty your stockpile onto four shared piles that run from 1 to 10.",
    turn_clause="S3.9",
    max_legal=MOVE_COUNT,
    lowest_wins=True,
)
