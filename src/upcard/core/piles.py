"""Piles of cards. A card is a small number that its game gives a meaning; the top comes last."""

from __future__ import annotations

__all__ = [
    "NO_CARD",
    "Building",
    "Pile",
    "Place",
    "build",
    "clear",
    "copy_cards",
    "count_of",
    "drop",
    "has",
    "places_of",
    "pop",
    "push",
    "take",
    "tally",
    "tally_building",
    "top",
]

from collections.abc import MutableSequence
from typing import Annotated

from upcard.core.rule import rule
from upcard.core.struct import Struct

NO_CARD = -1


class Pile(Struct):
    """Cards in order, the top one last. A game's own piles say how many cards they can hold."""

    count: int
    cards: Annotated[list[int], 0]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.cards[: self.count]})"


class Building(Struct):
    """A pile that is built up from 1: the number it has reached, and the card that stands for each
    number, NO_CARD if there is none (any more). A game's own say how high they can be."""

    height: int
    cards: Annotated[list[int], 0]


@rule
def build(building: Building, card: int) -> None:
    """Put the next card on a building pile."""
    building.cards[building.height] = card
    building.height += 1


@rule
def clear(building: Building) -> None:
    """Make room for a new building pile."""
    building.height = 0
    for number in range(len(building.cards)):
        building.cards[number] = NO_CARD


@rule
def push(pile: Pile, card: int) -> None:
    """Put a card on top."""
    pile.cards[pile.count] = card
    pile.count += 1


@rule
def pop(pile: Pile) -> int:
    """Take the top card off."""
    pile.count -= 1
    return pile.cards[pile.count]


@rule
def top(pile: Pile) -> int:
    """Return the top card, or NO_CARD."""
    if pile.count == 0:
        return NO_CARD
    return pile.cards[pile.count - 1]


@rule
def has(pile: Pile, card: int) -> bool:
    """Whether the pile contains such a card."""
    for place in range(pile.count):
        if pile.cards[place] == card:
            return True
    return False


@rule
def count_of(pile: Pile, card: int) -> int:
    """Return how many such cards are in the pile."""
    count = 0
    for place in range(pile.count):
        count += int(pile.cards[place] == card)
    return count


@rule
def take(pile: Pile, place: int) -> int:
    """Take out the card at an index; the top card fills the gap (for hands, whose order is irrelevant)."""
    card = pile.cards[place]
    pile.count -= 1
    pile.cards[place] = pile.cards[pile.count]
    return card


@rule
def drop(pile: Pile, card: int) -> None:
    """Take one such card out of a hand that has one."""
    for place in range(pile.count):
        if pile.cards[place] == card:
            take(pile, place)
            return


@rule
def copy_cards(target: Pile, source: Pile) -> None:
    """Copy the cards of another pile into a new one, without anything that once lay there."""
    target.count = source.count
    for place in range(source.count):
        target.cards[place] = source.cards[place]


@rule
def tally(pile: Pile, counts: MutableSequence[int]) -> None:
    """Add the cards of a pile to the counts of each card."""
    for place in range(pile.count):
        counts[pile.cards[place]] += 1


@rule
def tally_building(building: Building, counts: MutableSequence[int]) -> None:
    """Add the cards of a building pile to the counts of each card."""
    for number in range(len(building.cards)):
        if building.cards[number] != NO_CARD:
            counts[building.cards[number]] += 1


# A place where a card lies: a list of cards, and the number in it.
Place = tuple[list[int], int]


def places_of(pile: Pile, count: int | None = None) -> list[Place]:
    """Return the places of all cards of a plain pile, or of the lowest `count`."""
    return [(pile.cards, place) for place in range(pile.count if count is None else count)]
