"""The nouns of Climb."""

from __future__ import annotations

__all__ = ["SEATS", "Cards", "Public", "Table"]

from typing import Annotated

from climb.deck import DECK, KINDS
from climb.options import Settings
from upcard.core import table
from upcard.core.piles import Pile
from upcard.core.struct import Struct

SEATS = 4


class Cards(Pile):
    """A hand or the draw pile."""

    cards: Annotated[list[int], DECK]


class Public(Struct):
    """The public fields, at a table and in every view of it."""

    options: Settings
    # The card to follow, 0 at the beginning of a run.
    height: int
    # How many have passed since a card was played.
    passes: int
    # How many of each card have been played.
    played: Annotated[list[int], KINDS]


class Table(table.Table, Public):
    """A table of Climb."""

    deck: Cards
    hands: Annotated[list[Cards], SEATS]
