"""The nouns of Stacks."""

from __future__ import annotations

__all__ = [
    "ASK",
    "CHIPS",
    "HAND",
    "PILES",
    "PLAY",
    "SEATS",
    "SIGHTINGS",
    "Building",
    "Deck",
    "Discards",
    "Hand",
    "Memory",
    "Public",
    "Seat",
    "Sighting",
    "Table",
]

from typing import Annotated

from upcard.core import piles, table
from upcard.core.piles import Pile
from upcard.core.struct import Struct
from upcard.games.stacks.deck import COLOURS, DECK, HIGHEST, KINDS
from upcard.games.stacks.options import Settings

SEATS = 6
HAND = 5
# Two piles of each colour: R1 R2 B1 B2.
PILES = 4
CHIPS = 20

# The steps: the player whose turn it is plays, or an opponent is asked whether to block (K5.2).
PLAY = 0
ASK = 1


class Hand(Pile):
    """K2.3 A hand: five cards, and up to three more, stolen by steals played off the discard pile."""

    cards: Annotated[list[int], 12]


class Discards(Pile):
    """K3.6 A personal discard pile."""

    cards: Annotated[list[int], DECK]


class Deck(Pile):
    """The draw deck."""

    cards: Annotated[list[int], DECK]


class Building(piles.Building):
    """K3.2 A pile of one colour."""

    cards: Annotated[list[int], HIGHEST]


class Seat(Struct):
    """The cards and chips of one player."""

    hand: Hand
    discards: Discards
    chips: Annotated[list[int], len(COLOURS)]
    # The number of the last turn that this seat has ended.
    last_turn: int


SIGHTINGS = 12


class Sighting(Struct):
    """A card seen on its way into a hand; `holders` is the set of seats whose hand it may be in."""

    card: int
    holders: int


class Memory(Struct):
    """The cards that one viewer saw go into other hands."""

    count: int
    sightings: Annotated[list[Sighting], SIGHTINGS]


class Public(Struct):
    """The public fields, at a table and in every view of it; seats have their own."""

    options: Settings
    dealer: int
    # The seat whose turn it is; `to_move` is another seat while that one is asked.
    player: int
    step: int
    # The pile that a block would take away, while opponents are asked.
    asked_pile: int
    # 1 to the left, -1 to the right; and the turns that are still to be missed.
    direction: int
    skips: int
    # Turns begun so far; the last one in which a card was played or drawn; cards played in this one.
    turn: int
    stirred: int
    plays: int
    # Whether the player has played out the hand and has not had five new cards for it yet.
    owed: int
    piles: Annotated[list[Building], PILES]
    bank: Annotated[list[int], len(COLOURS)]
    # The out-of-play pile by kind: cards of finished or blocked piles, and specials.
    finished: Annotated[list[int], KINDS]
    spent: Annotated[list[int], KINDS]
    # How many of each kind were in the draw deck when it was last shuffled: there cannot be more.
    drawable: Annotated[list[int], KINDS]


class Table(table.Table, Public):
    """A table of Stacks."""

    seats: Annotated[list[Seat], SEATS]
    # The memory of those who only watch comes first; memory.memory_of finds the right one.
    memories: Annotated[list[Memory], SEATS + 1]
    deck: Deck
