"""Positions as one line of text, in the notation of cards.

    pile 1: 1 2 ?; @1 stock: 8 3; @1 A: 4; fresh: 5 6; turn: 1

Each part names a place and its contents; `@1` stands for seat 1. Places that are not named are empty, except
the draw pile, which contains all cards that are nowhere else, shuffled. A game lists its places in the module
`position` of its package: a function `places(table)` that returns them by name.
"""

from __future__ import annotations

__all__ = [
    "Cards",
    "Counts",
    "Number",
    "Numbers",
    "Place",
    "SeatNumber",
    "Word",
    "read_position",
    "write_position",
]

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.core.chance import Chance, chance_of, shuffle
from upcard.core.errors import NotationError, NotFound
from upcard.core.game import Game, deal, find_module
from upcard.core.notation import whole
from upcard.core.piles import NO_CARD, Building, Pile
from upcard.core.struct import Struct
from upcard.core.text import quoted


@dataclass(frozen=True)
class Place(ABC):
    """A place at a plain table that a position can describe."""

    @abstractmethod
    def read(self, game: Game, words: Sequence[str]) -> None:
        """Fill the place; raise a NotationError if the words do not fit. No words empty it."""

    @abstractmethod
    def write(self, game: Game) -> str:
        """Return what is there; an empty text where there is nothing."""

    def cards(self) -> list[int]:
        """Return the cards that are there."""
        return []


@dataclass(frozen=True)
class Cards(Place):
    """A pile, its top card last; with `drawn`, a draw pile, whose first card is drawn first. In a building
    pile, `-` stands for a card that has been taken from under its top."""

    pile: Pile | Building
    drawn: bool = False

    def read(self, game: Game, words: Sequence[str]) -> None:
        cards = [NO_CARD if word == "-" else game.read_card(word) for word in words]
        room = len(self.pile.cards)
        if len(cards) > room:
            raise NotationError(f"there is room for {room} cards, not for {len(cards)}")
        self.pile.cards[:] = cards[:: -1 if self.drawn else 1] + [NO_CARD] * (room - len(cards))
        if isinstance(self.pile, Building):
            self.pile.height = len(cards)
        else:
            self.pile.count = len(cards)

    def write(self, game: Game) -> str:
        return " ".join("-" if card == NO_CARD else game.write_card(card) for card in self._in_order())

    def cards(self) -> list[int]:
        return [card for card in self._in_order() if card != NO_CARD]

    def _in_order(self) -> list[int]:
        count = self.pile.height if isinstance(self.pile, Building) else self.pile.count
        return self.pile.cards[:count][:: -1 if self.drawn else 1]

    def fill(self, cards: Sequence[int], chance: Chance) -> None:
        """Shuffle these cards into the pile."""
        assert isinstance(self.pile, Pile), "a building pile is not drawn from"
        self.pile.count = len(cards)
        self.pile.cards[: len(cards)] = cards
        shuffle(chance, self.pile)


@dataclass(frozen=True)
class Counts(Place):
    """Cards that are only counted, by kind."""

    counts: MutableSequence[int]

    def read(self, game: Game, words: Sequence[str]) -> None:
        self.counts[:] = [0] * len(self.counts)
        for word in words:
            self.counts[game.read_card(word)] += 1

    def write(self, game: Game) -> str:
        return " ".join(map(game.write_card, self.cards()))

    def cards(self) -> list[int]:
        return [card for card, count in enumerate(self.counts) for _ in range(count)]


@dataclass(frozen=True)
class Numbers(Place):
    """A list of numbers, all of which are given."""

    numbers: MutableSequence[int]

    def read(self, game: Game, words: Sequence[str]) -> None:
        found = [_number(word) for word in words] or [0] * len(self.numbers)
        if len(found) != len(self.numbers):
            raise NotationError(f"{len(self.numbers)} numbers are needed, not {len(found)}")
        self.numbers[:] = found

    def write(self, game: Game) -> str:
        return " ".join(map(str, self.numbers)) if any(self.numbers) else ""


@dataclass(frozen=True)
class Number(Place):
    """A field with a number; 0 where it is not named."""

    owner: Struct
    field: str

    def read(self, game: Game, words: Sequence[str]) -> None:
        setattr(self.owner, self.field, _number(_one(words)) if words else 0)

    def write(self, game: Game) -> str:
        value = getattr(self.owner, self.field)
        return str(value) if value else ""


@dataclass(frozen=True)
class SeatNumber(Place):
    """A field with a seat; seat 1 where it is not named."""

    owner: Struct
    field: str
    players: int

    def read(self, game: Game, words: Sequence[str]) -> None:
        seat = _number(_one(words)) if words else 1
        if not 1 <= seat <= self.players:
            raise NotationError(f"there is no seat {seat}: {self.players} play")
        setattr(self.owner, self.field, seat - 1)

    def write(self, game: Game) -> str:
        return str(getattr(self.owner, self.field) + 1)


@dataclass(frozen=True)
class Word(Place):
    """A field with one of a few values, each written as a word; the first one where it is not named."""

    owner: Struct
    field: str
    values: Mapping[str, int]

    def read(self, game: Game, words: Sequence[str]) -> None:
        word = _one(words) if words else next(iter(self.values))
        if word not in self.values:
            raise NotationError(f"{quoted(word)} should be {' or '.join(self.values)}")
        setattr(self.owner, self.field, self.values[word])

    def write(self, game: Game) -> str:
        value = getattr(self.owner, self.field)
        words = [word for word, number in self.values.items() if number == value]
        return "" if words[0] == next(iter(self.values)) else words[0]


def _one(words: Sequence[str]) -> str:
    if len(words) != 1:
        raise NotationError(f"one word is needed, not {len(words)}")
    return words[0]


def _number(word: str) -> int:
    number = whole(word)
    if number is None:
        raise NotationError(f"{quoted(word)} is not a whole number")
    return number


def read_position(game: Game, text: str, options: Mapping[str, object], seed: bytes) -> Any:
    """Return a plain table in the position that a line of text describes. Later shuffles follow from the
    seed."""
    module = _module(game)
    table = game.new_table(game.complete(options), chance_of(seed))
    # The deal sets up everything that a position does not describe.
    deal(table)
    places: dict[str, Place] = module.places(table)
    described = _described(text, places)
    unused = Counter(card for place in places.values() for card in place.cards())
    for name, place in places.items():
        try:
            place.read(game, described.get(name, ()))
        except NotationError as error:
            raise NotationError(f"{name}: {error}") from None
        unused.subtract(place.cards())
    for name, place in places.items():
        if name not in described and isinstance(place, Cards) and place.drawn:
            place.fill(sorted(unused.elements()), table.chance)
    module.settle(table)
    return table


def _described(text: str, places: Collection[str]) -> dict[str, list[str]]:
    """Return the words of each place that a text names."""
    described: dict[str, list[str]] = {}
    for part in filter(str.strip, text.split(";")):
        before, colon, words = part.partition(":")
        name = " ".join(before.split())
        if not colon or name not in places:
            raise NotationError(
                f"{quoted(part.strip())} should begin with a place and a colon: {', '.join(places)}"
            )
        if name in described:
            raise NotationError(f"{name} is described twice")
        described[name] = words.split()
    return described


def write_position(game: Game, table: Any) -> str:
    """Return a plain table as one line of text."""
    parts = []
    for name, place in _module(game).places(table).items():
        text = place.write(game)
        if text or (isinstance(place, Cards) and place.drawn):
            parts.append(f"{name}: {text}".rstrip())
    return "; ".join(parts)


def _module(game: Game) -> Any:
    module = find_module(f"{game.package}.position")
    if module is None:
        raise NotFound(f"{game.title} has no notation for positions")
    return module
