"""C1.1 Which cards there are: four each of 1 to 10."""

from __future__ import annotations

__all__ = ["COPIES", "DECK", "HIGHEST", "KINDS", "read_card", "write_card"]

from upcard.core.errors import NotationError
from upcard.core.notation import whole
from upcard.core.text import quoted

# A card is its number.
HIGHEST = 10
KINDS = HIGHEST + 1
COPIES = 4
DECK = COPIES * HIGHEST


def write_card(card: int) -> str:
    """Return a card in notation."""
    return str(card)


def read_card(text: str) -> int:
    """Return the card that a text names."""
    number = whole(text)
    if number is None or not 1 <= number <= HIGHEST:
        raise NotationError(f"{quoted(text)} is not a card of Climb: they are 1 to {HIGHEST}")
    return number
