"""L1.1 Which cards there are: 1 to 12 once in each colour."""

from __future__ import annotations

__all__ = ["COLOURS", "DECK", "VALUES", "colour_of", "read_card", "value_of", "write_card"]

from upcard.core.errors import NotationError
from upcard.core.rule import rule
from upcard.core.text import quoted

COLOURS = "rbgypo"
VALUES = 12
# The maximum number of cards, with six colours.
DECK = len(COLOURS) * VALUES

NAMES = tuple(f"{colour}{value}" for colour in COLOURS for value in range(1, VALUES + 1))


@rule
def colour_of(card: int) -> int:
    """L1.1 Every card has one of the colours in play."""
    return card // VALUES


@rule
def value_of(card: int) -> int:
    """L1.1 Every card has a value from 1 to 12."""
    return card % VALUES + 1


def write_card(card: int) -> str:
    return NAMES[card]


def read_card(text: str) -> int:
    if text in NAMES:
        return NAMES.index(text)
    raise NotationError(f"{quoted(text)} is not a card of Lines: they look like r7, b12 or o1")
