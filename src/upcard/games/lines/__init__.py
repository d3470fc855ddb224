"""Lines: grow lines of one colour in your own zone, and give someone else a card on every turn."""

from __future__ import annotations

__all__ = ["GAME"]

from upcard.core.game import assemble
from upcard.games.lines.table import HAND, LINES

GAME = assemble(
    __name__,
    title="Lines",
    summary="Grow lines of one colour in your own zone, and give someone else a card on every turn.",
    turn_clause="L2.1",
    # Every card on every line, at the top, at the bottom, or discarded.
    max_legal=HAND * (LINES + 3),
    solo_seats=3,
    # Five players need six colours (L1.2).
    presets={5: {"colours": 6}},
    colours={"r": "red", "g": "green", "y": "yellow", "b": "blue", "p": "purple", "o": "orange"},
)
