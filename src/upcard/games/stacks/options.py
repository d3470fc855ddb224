"""The rulings of Stacks that a table may change."""

from __future__ import annotations

__all__ = [
    "BLOCK_ANYTIME",
    "CHIP_WIN_ILLEGAL",
    "OPTIONS",
    "RECYCLE_ALL",
    "REDUCED_DECK",
    "Settings",
    "StacksOptions",
]

from typing import Literal, TypedDict

from upcard.core.options import Choice, Flag, Number, SeatChoice, players_option
from upcard.core.struct import Struct


class StacksOptions(TypedDict, total=False):
    """The options of a table, as `upcard.new` takes them."""

    players: int
    dealer: int | Literal["random"]
    two_player_deck: Literal["reduced", "full"]
    must_play: bool
    chip_win: Literal["illegal", "delayed"]
    block: Literal["completion", "anytime"]
    turn_limit: int
    recycle: Literal["sequences", "all"]


class Settings(Struct):
    """The options as the rules read them."""

    players: int
    dealer: int
    two_player_deck: int
    must_play: int
    chip_win: int
    block: int
    turn_limit: int
    recycle: int


OPTIONS = (
    players_option("K2.1", 2, 6),
    SeatChoice("dealer", "K2.1"),
    Choice("two_player_deck", "K4.2", ("reduced", "full"), players=2),
    Flag("must_play", "K3.1", False),
    Choice("chip_win", "K4.4", ("illegal", "delayed")),
    Choice("block", "K5.1", ("completion", "anytime")),
    Number("turn_limit", "K6.3", 400, 1, 10_000),
    Choice("recycle", "K7.1", ("sequences", "all")),
)

REDUCED_DECK = 0
CHIP_WIN_ILLEGAL = 0
BLOCK_ANYTIME = 1
RECYCLE_ALL = 1
