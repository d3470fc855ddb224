"""Stockpile: empty your stockpile onto four shared piles that run from 1 to 10."""

from __future__ import annotations

__all__ = ["GAME"]

from upcard.core.game import assemble
from upcard.games.stockpile.moves import ALL_MOVES

GAME = assemble(
    __name__,
    title="Stockpile",
    summary="Empty your stockpile onto four shared piles that run from 1 to 10.",
    turn_clause="S3.9",
    most_moves=ALL_MOVES,
)
