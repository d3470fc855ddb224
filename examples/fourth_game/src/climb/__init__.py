"""Climb: get rid of your hand, each card at least as high as the one before."""

from __future__ import annotations

__all__ = ["GAME"]

from climb.moves import MOVE_COUNT
from upcard.core.game import assemble

GAME = assemble(
    __name__,
    title="Climb",
    summary="Get rid of your hand, each card at least as high as the one before.",
    turn_clause="C3.1",
    max_legal=MOVE_COUNT,
)
