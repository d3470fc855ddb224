"""The rulings of Stockpile that a table may change."""

from __future__ import annotations

__all__ = ["OPTIONS", "RECYCLE_UNDER", "REFILL_EMPTY", "Settings", "StockpileOptions", "conflict"]

from collections.abc import Mapping
from typing import Literal, TypedDict

from upcard.core.options import Choice, Flag, Number, SeatChoice, Value, players_option
from upcard.core.struct import Struct
from upcard.games.stockpile.deck import DECK

# At least this many cards must be left to play with.
LEFT_OVER = 16


class StockpileOptions(TypedDict, total=False):
    """The options of a table, as `upcard.new` takes them."""

    players: int
    first: int | Literal["random"]
    stock: int
    refill: Literal["turn", "empty"]
    must_play: bool
    recycle: Literal["under", "completed"]


class Settings(Struct):
    """The options as the rules read them."""

    players: int
    first: int
    stock: int
    refill: int
    must_play: int
    recycle: int


OPTIONS = (
    players_option("S1.2", 2, 4),
    SeatChoice("first", "S2.1"),
    Number("stock", "S2.2", 10, 1, 30),
    Choice("refill", "S3.7", ("turn", "empty")),
    Flag("must_play", "S3.8", True),
    Choice("recycle", "S4.2", ("under", "completed")),
)

REFILL_EMPTY = 1
RECYCLE_UNDER = 0


def conflict(options: Mapping[str, Value]) -> str | None:
    """S2.2 All stockpiles together may have at most 80 cards."""
    players, stock = int(options["players"]), int(options["stock"])
    if players * stock <= DECK - LEFT_OVER:
        return None
    most = (DECK - LEFT_OVER) // players
    return f"{players} players can have at most {most} stockpile cards each, not {stock} (S2.2)"
