"""S1.1 Which cards there are: eight each of 1 to 10, and sixteen wilds."""

from __future__ import annotations

__all__ = ["DECK", "FACES", "HIGHEST", "WILD", "read_card", "write_card"]

from upcard.core.errors import NotationError
from upcard.core.text import quoted

# A card is its number; a wild is 0.
WILD = 0
HIGHEST = 10
FACES = HIGHEST + 1
COPIES = 8
WILDS = 16
DECK = COPIES * HIGHEST + WILDS

NAMES = ("?", *(str(number) for number in range(1, FACES)))


def write_card(card: int) -> str:
    return NAMES[card]


def read_card(text: str) -> int:
    if text in NAMES:
        return NAMES.index(text)
    raise NotationError(f"{quoted(text)} is not a card of Stockpile: they are 1 to 10 and ?")
