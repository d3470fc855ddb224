"""K1.1 Which cards there are: two colours of 1 to 5 and wilds, and five kinds of specials."""

from __future__ import annotations

__all__ = [
    "BLOCK",
    "CARD",
    "CHIP",
    "COLOURS",
    "DECK",
    "FULL_DECK",
    "HIGHEST",
    "KINDS",
    "NUMBERED",
    "REVERSE",
    "SKIP",
    "TWO_PLAYER_DECK",
    "colour_of",
    "number_of",
    "read_card",
    "write_card",
]

from upcard.core.errors import NotationError
from upcard.core.rule import rule
from upcard.core.text import quoted

COLOURS = ("red", "blue")
HIGHEST = 5

# A card is its kind: 1 to 5 and the wild of red, the same of blue, then the specials.
NAMES = (
    *("r1", "r2", "r3", "r4", "r5", "r?"),
    *("b1", "b2", "b3", "b4", "b5", "b?"),
    *("skip", "reverse", "card", "chip", "block"),
)
KINDS = len(NAMES)
NUMBERED = 12
SKIP, REVERSE, CARD, CHIP, BLOCK = range(NUMBERED, KINDS)

# The number of cards of each kind; and with two players (K2.2).
FULL_DECK = (9, 9, 9, 9, 9, 7) * 2 + (3, 3, 3, 4, 3)
TWO_PLAYER_DECK = (9, 9, 9, 9, 9, 7) * 2 + (2, 0, 2, 2, 2)
DECK = sum(FULL_DECK)

WILD_NUMBER = 0
IN_A_COLOUR = HIGHEST + 1


@rule
def colour_of(card: int) -> int:
    """K1.1 A numbered card or a wild is red (0) or blue (1)."""
    return card // IN_A_COLOUR


@rule
def number_of(card: int) -> int:
    """K1.1 The number on a card of a colour; 0 for a wild."""
    return (card + 1) % IN_A_COLOUR


def write_card(card: int) -> str:
    return NAMES[card]


def read_card(text: str) -> int:
    if text in NAMES:
        return NAMES.index(text)
    raise NotationError(f"{quoted(text)} is not a card of Stacks: they are {', '.join(NAMES)}")
