"""The rulings of Lines that a table may change."""

from __future__ import annotations

__all__ = ["EXTEND_ANY", "EXTEND_NEXT", "GIVE_MATCHING", "OPTIONS", "LinesOptions", "Settings", "conflict"]

from collections.abc import Mapping
from typing import Literal, TypedDict

from upcard.core.options import Choice, Flag, SeatChoice, Value, players_option
from upcard.core.struct import Struct


class LinesOptions(TypedDict, total=False):
    """The options of a table, as `upcard.new` takes them."""

    players: int
    first: int | Literal["random"]
    colours: Literal[5, 4, 6]
    extend: Literal["higher", "next", "any"]
    give: Literal["free", "matching"]
    reshuffle: bool


class Settings(Struct):
    """The options as the rules read them."""

    players: int
    first: int
    colours: int
    extend: int
    give: int
    reshuffle: int


OPTIONS = (
    players_option("L1.2", 2, 5),
    SeatChoice("first", "L2.1"),
    Choice("colours", "L1.1", (5, 4, 6)),
    Choice("extend", "L3.5", ("higher", "next", "any")),
    Choice("give", "L4.2", ("free", "matching")),
    Flag("reshuffle", "L6.1", True),
)

EXTEND_NEXT = 1
EXTEND_ANY = 2
GIVE_MATCHING = 1


def conflict(options: Mapping[str, Value]) -> str | None:
    """L1.2 Five play only with six colours."""
    if options["players"] == 5 and options["colours"] != 6:
        return f"5 players need 6 colours, not {options['colours']} (L1.2)"
    return None
