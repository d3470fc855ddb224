"""Small tables of Lines, set up from notation and read back as notation.

A zone is written from its top line to its bottom one, all cards of the two active lines and the
highest of those put aside: `r3 r5 | b7 | g2`. Hands and discards are read back in the order of the
deck (r b g y p o, then by value); a draw pile is written with the card that is drawn first in front.
"""

from __future__ import annotations

__all__ = ["GAME", "LinesPosition", "dealt", "set_up"]

from collections.abc import Iterable, Sequence
from typing import Any

from tests.positions import Position
from upcard.core.events import EventKind
from upcard.core.game import deal, outcome
from upcard.core.piles import Pile
from upcard.core.table import Result
from upcard.games import find
from upcard.games.lines.table import GIVE, HAND, HOME, OPENING, Zone

GAME = find("lines")


class LinesPosition(Position):
    """A table of Lines, with everything on it as notation."""

    def hand(self, seat: int) -> str:
        """The hand of a seat."""
        return self._sorted(self.table.hands[seat - 1])

    def zone(self, seat: int) -> str:
        """The zone of a seat."""
        zone = self.table.zones[seat - 1]
        lines = [self.game.write_card(card) for card in zone.highest[: zone.count]]
        if zone.count:
            lines[0] = self.written(zone.upper)
        if zone.count > 1:
            lines[-1] = self.written(zone.lower)
        return " | ".join(lines)

    @property
    def deck(self) -> str:
        """The draw pile."""
        return " ".join(reversed(self.written(self.table.deck).split()))

    @property
    def discards(self) -> str:
        """The discards."""
        return self._sorted(self.table.discards)

    @property
    def scores(self) -> list[int]:
        """The score of every seat if the game ended now."""
        result = Result()
        outcome(self.table, result)
        return result.scores[: self.table.players]

    @property
    def shuffled(self) -> list[str]:
        """The draw piles that the last move had shuffled."""
        return [self._text(event.cards) for event in self.happened(EventKind.SHUFFLED)]

    def _sorted(self, pile: Pile) -> str:
        return self._text(sorted(pile.cards[: pile.count]))

    def _text(self, cards: Iterable[int]) -> str:
        return " ".join(self.game.write_card(card) for card in cards)


def dealt(**options: Any) -> LinesPosition:
    """Return a table right after the deal; its news is the deal."""
    position = LinesPosition(GAME, **options)
    position.table.events = position.events
    deal(position.table)
    return position


def set_up(
    *zones: str,
    hand: str,
    others: Sequence[str] | None = None,
    deck: str | None = None,
    discards: str = "",
    seat: int = 1,
    home: bool = False,
    **options: Any,
) -> LinesPosition:
    """Return a table with these zones, where `seat` is to move with this hand: in the opening as long
    as its own zone is empty, in step two with `home`. `others` are the other hands, to the left from
    there. By default, the others hold four cards each, and the rest is the draw pile.
    """
    position = LinesPosition(GAME, players=len(zones), **options)
    table = position.table
    unused = _unused([*zones, hand, *(others or ()), deck or "", discards], table.options.colours)
    if others is None:
        others = [" ".join(unused.pop() for _ in range(HAND)) for _ in zones[1:]]
    for number, text in enumerate([hand, *others]):
        position.fill(table.hands[(seat - 1 + number) % len(zones)], text)
    for zone, text in zip(table.zones, zones, strict=False):
        _fill_zone(position, zone, text)
    position.fill(table.deck, " ".join(reversed(unused if deck is None else deck.split())))
    position.fill(table.discards, discards)
    opened = sum(1 for zone in zones if zone)
    opening = not zones[seat - 1]
    table.to_move = seat - 1
    table.turn = opened + 1
    table.step = OPENING if opening else HOME if home else GIVE
    return position


def _unused(texts: Iterable[str], colours: int) -> list[str]:
    used = [card for text in texts for card in text.split() if card != "|"]
    assert len(used) == len(set(used)), f"a card is there twice: {sorted(used)}"
    return [text for text in map(GAME.write_card, range(12 * colours)) if text not in used]


def _fill_zone(position: Position, zone: Zone, text: str) -> None:
    lines = [line.split() for line in text.split("|")] if text else []
    assert all(len(line) == 1 for line in lines[1:-1]), f"a line put aside is one card: {text}"
    zone.count = len(lines)
    zone.highest[: zone.count] = [position.game.read_card(line[-1]) for line in lines]
    if lines:
        position.fill(zone.upper, " ".join(lines[0]))
    if len(lines) > 1:
        position.fill(zone.lower, " ".join(lines[-1]))
