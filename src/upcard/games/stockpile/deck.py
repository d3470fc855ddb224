"""S1.1 Which cards there are: eight each of 1 to 10, and sixteen wilds."""

from __future__ import annotations

__all__ = ["DECK", "FACES", "HIGHEST", "WILD", "read_card", "write_card"]

from upcard.core.errors import NotationError

# A card is its number; a wild is 0.
WILD = 0
HIGHEST = 10
FACES = HIGHEST + 1
COPIES = 8
WILDS = 16
DECK = COPIES * HIGHEST + WILDS


def write_card(card: int) -> str:
    return "?" if card == WILD else str(card)


def read_card(text: str) -> int:
    for card in range(FACES):
        if write_card(card) == text:
            return card
    raise NotationError(f"{text!r} is not a card of Stockpile: they are 1 to 10 and ?")
