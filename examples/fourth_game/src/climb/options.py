"""The rulings of Climb that a table may change."""

from __future__ import annotations

__all__ = ["OPTIONS", "Settings"]

from upcard.core.options import Flag, Number, SeatChoice, players_option
from upcard.core.struct import Struct


class Settings(Struct):
    """The options as the rules read them, in the order of OPTIONS."""

    players: int
    first: int
    hand: int
    equal: int


OPTIONS = (
    players_option("C1.2", 2, 4),
    SeatChoice("first", "C2.1"),
    Number("hand", "C2.2", 5, 2, 8),
    Flag("equal", "C3.2", True),
)
