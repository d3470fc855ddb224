"""Positions of Lines as text: `@1 zone: r3 r5 | b7 | g2; @1 hand: r6 r7; deck: p1 p2; turn: 1; step: give`.

A zone is written from its top line to its bottom one, with all cards of the two active lines and the highest
card of the lines between them.
"""

from __future__ import annotations

__all__ = ["places", "settle"]

from collections.abc import Sequence
from dataclasses import dataclass

from upcard.core.errors import NotationError
from upcard.core.game import Game
from upcard.core.position import Cards, Number, Place, SeatNumber, Word
from upcard.games.lines.deck import DECK, colour_of
from upcard.games.lines.table import GIVE, HOME, LINES, OPENING, Line, Table, Zone


@dataclass(frozen=True)
class ZonePlace(Place):
    """A zone: lines with bars between them."""

    zone: Zone

    def read(self, game: Game, words: Sequence[str]) -> None:
        texts = " ".join(words).split("|") if words else []
        lines = [[game.read_card(word) for word in text.split()] for text in texts]
        if len(lines) > LINES or not all(lines) or any(len(line) > 1 for line in lines[1:-1]):
            raise NotationError("a line has at least one card, and a line between two others exactly one")
        if any(cards != sorted(cards) or len({*map(colour_of, cards)}) > 1 for cards in lines):
            raise NotationError("the cards of a line have one colour and lie in order (L3.4)")
        zone = self.zone
        zone.count = len(lines)
        zone.highest[: zone.count] = [cards[-1] for cards in lines]
        _fill(zone.upper, lines[0] if lines else [])
        _fill(zone.lower, lines[-1] if len(lines) > 1 else [])

    def write(self, game: Game) -> str:
        return " | ".join(" ".join(map(game.write_card, cards)) for cards in self._lines())

    def cards(self) -> list[int]:
        return [card for line in self._lines() for card in line]

    def _lines(self) -> list[list[int]]:
        zone = self.zone
        lines = [[card] for card in zone.highest[: zone.count]]
        if lines:
            lines[0] = zone.upper.cards[: zone.upper.count]
        if len(lines) > 1:
            lines[-1] = zone.lower.cards[: zone.lower.count]
        return lines


def _fill(line: Line, cards: list[int]) -> None:
    line.count = len(cards)
    line.cards[: line.count] = cards


def places(table: Table) -> dict[str, Place]:
    """Return the places of a table by name."""
    found: dict[str, Place] = {}
    for seat in range(table.players):
        found[f"@{seat + 1} zone"] = ZonePlace(table.zones[seat])
        found[f"@{seat + 1} hand"] = Cards(table.hands[seat])
    found["deck"] = Cards(table.deck, drawn=True)
    found["discards"] = Cards(table.discards)
    found["turn"] = SeatNumber(table, "to_move", table.players)
    found["step"] = Word(table, "step", {"give": GIVE, "home": HOME, "opening": OPENING})
    found["turns"] = Number(table, "turn")
    found["idle turns"] = Number(table, "idle_turns")
    found["last turns"] = Number(table, "closing")
    return found


def settle(table: Table) -> None:
    """Check what follows from the places: without a zone, a player is still to open (L4.1)."""
    opened = sum(zone.count > 0 for zone in table.zones[: table.players])
    if table.zones[table.to_move].count == 0:
        table.step = OPENING
    table.turn = max(table.turn, opened + 1)
    cards = [card for place in places(table).values() for card in place.cards()]
    if len(set(cards)) < len(cards):
        raise NotationError("every card is there once (L1.1)")
    table.drawable[:] = [1] * DECK
