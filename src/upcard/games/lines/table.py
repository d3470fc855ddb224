"""The nouns of Lines."""

from __future__ import annotations

__all__ = [
    "GIVE",
    "HAND",
    "HOME",
    "LINES",
    "OPENING",
    "SEATS",
    "Cards",
    "Hand",
    "Line",
    "Public",
    "Table",
    "Zone",
]

from typing import Annotated

from upcard.core import table
from upcard.core.piles import Pile
from upcard.core.struct import Struct
from upcard.games.lines.deck import DECK, VALUES
from upcard.games.lines.options import Settings

SEATS = 5
HAND = 4
# Three colours can fill a zone with 36 lines; the fourth ends the game within ten more.
LINES = 48

# The steps of a turn: the first turn of each player (L4.1), step one (L4.2), step two (L4.3).
OPENING = 0
GIVE = 1
HOME = 2


class Hand(Pile):
    """The cards in a player's hand."""

    cards: Annotated[list[int], HAND]


class Cards(Pile):
    """The draw pile, or the discards."""

    cards: Annotated[list[int], DECK]


class Line(Pile):
    """L3.5 An active line: cards of one colour, each higher than the one before."""

    cards: Annotated[list[int], VALUES]


class Zone(Struct):
    """L3.1 A column of lines. The highest card of each, from the top line to the bottom one;
    and all cards of the two active lines. A lone line is kept as the upper one."""

    count: int
    highest: Annotated[list[int], LINES]
    upper: Line
    lower: Line


class Public(Struct):
    """The public fields, at a table and in every view of it."""

    options: Settings
    step: int
    # Turns begun so far, and since a card was last laid (L6.3); once the end is near, turns to finish,
    # this one included (L5.1).
    turn: int
    idle_turns: int
    closing: int
    zones: Annotated[list[Zone], SEATS]
    # Per card, whether it was in the draw pile when that was last shuffled: no other can be now. (All
    # know: it was the whole box, or made of discards.)
    drawable: Annotated[list[int], DECK]


class Table(table.Table, Public):
    """A table of Lines."""

    hands: Annotated[list[Hand], SEATS]
    deck: Cards
    discards: Cards
