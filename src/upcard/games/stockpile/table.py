"""The nouns of Stockpile."""

from __future__ import annotations

__all__ = ["PILES", "SEATS", "STACKS", "Building", "Deck", "Public", "Seat", "Stack", "Stockpile", "Table"]

from typing import Annotated

from upcard.core import piles, table
from upcard.core.piles import Pile
from upcard.core.struct import Struct
from upcard.games.stockpile.deck import DECK, FACES, HIGHEST
from upcard.games.stockpile.options import Settings

SEATS = 4
STACKS = 3
PILES = 4


class Stockpile(Pile):
    """S2.2 A stockpile, its last card on top."""

    cards: Annotated[list[int], 30]


class Stack(Pile):
    """S3.1 One of the stacks A, B, C."""

    cards: Annotated[list[int], DECK]


class Deck(Pile):
    """The fresh cards."""

    cards: Annotated[list[int], DECK]


class Building(piles.Building):
    """S3.3 A building pile. After S4.2 the cards under its top are gone, and its number stays."""

    cards: Annotated[list[int], HIGHEST]


class Seat(Struct):
    """The cards in front of one player."""

    stock: Stockpile
    stacks: Annotated[list[Stack], STACKS]


class Public(Struct):
    """The public fields, at a table and in every view of it."""

    options: Settings
    # Turns in a row in which nobody was dealt or played a card (S4.4), and whether this one is so.
    idle_turns: int
    idle: int
    piles: Annotated[list[Building], PILES]
    # Whether the fresh cards come from completed piles, which everyone has seen (S4.1).
    reshuffled: int
    # How many of each face lie in completed piles: their order no longer matters.
    completed: Annotated[list[int], FACES]


class Table(table.Table, Public):
    """A table of Stockpile."""

    seats: Annotated[list[Seat], SEATS]
    deck: Deck
