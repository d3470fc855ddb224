"""Tables of Stockpile for the tests of its clauses, set up and read in notation."""

from __future__ import annotations

__all__ = ["StockpileTable", "dealt", "stockpile"]

from collections.abc import Sequence
from typing import Any

from tests.positions import Position
from upcard.core.chance import key_of, set_key
from upcard.core.events import Event, EventKind
from upcard.core.game import deal
from upcard.core.piles import NO_CARD
from upcard.core.seats import SPECTATOR
from upcard.games import find


class StockpileTable(Position):
    """A table of Stockpile. When reading and writing, the top card comes last."""

    def __init__(self, **options: Any) -> None:
        super().__init__(find("stockpile"), **options)

    @property
    def piles(self) -> str:
        """The numbers that the four building piles have reached."""
        return " ".join(str(pile.height) for pile in self.table.piles)

    def stock(self, seat: int) -> str:
        """Return a stockpile."""
        return self.written(self.table.seats[seat - 1].stock)

    def stacks(self, seat: int) -> str:
        """Return the stacks A, B and C of a seat, with bars between them."""
        return " | ".join(self.written(stack) for stack in self.table.seats[seat - 1].stacks)

    @property
    def fresh(self) -> list[str]:
        """The fresh cards, the next to be dealt first."""
        return self.written(self.table.deck).split()[::-1]

    @property
    def completed(self) -> str:
        """The cards of the completed piles, wilds first and then from 1 to 10."""
        return " ".join(
            self.game.write_card(face)
            for face, count in enumerate(self.table.completed)
            for _ in range(count)
        )

    @property
    def shuffled(self) -> list[list[str]]:
        """The new fresh cards that the last move (or the deal) led to, sorted, one list a shuffle."""
        return [self.sorted(event) for event in self.happened(EventKind.SHUFFLED)]

    def sorted(self, event: Event) -> list[str]:
        """Return the cards of a shuffle: wilds first, and then from 1 to 10."""
        return [self.game.write_card(card) for card in sorted(event.cards)]

    @property
    def turns(self) -> list[int]:
        """The seats whose turns the last move (or the deal) began."""
        return [event.seat + 1 for event in self.happened(EventKind.TURN)]

    @property
    def viewers(self) -> list[int]:
        """All viewers of the table, as numbered by `game.view`: a spectator and all seats."""
        return [SPECTATOR, *range(self.table.players)]


def stockpile(
    *,
    piles: str = "",
    stocks: Sequence[str] = (),
    stacks: Sequence[str] = (),
    fresh: str = "",
    completed: str = "",
    turn: int = 1,
    **options: Any,
) -> StockpileTable:
    """Set up a table in the middle of a turn, which began with new cards for the player.

    `piles` are numbers reached, each of the cards 1, 2, 3 and so on; `stocks` are two eights each and
    `stacks` (`A | B | C`, one text a seat) empty by default; `fresh` has the next card first. There are no
    other cards at the table.
    """
    position = StockpileTable(**{"first": 1, **options})
    table = position.table
    table.to_move = turn - 1
    heights = [int(height) for height in piles.split()] + [0, 0, 0, 0]
    for pile, height in zip(table.piles, heights, strict=False):
        pile.height = height
        pile.cards = [card if card <= height else NO_CARD for card in range(1, 11)]
    all_stocks = [*stocks, "8 8", "8 8", "8 8", "8 8"]
    all_stacks = [*stacks, "||", "||", "||", "||"]
    for place, seat in enumerate(table.seats[: table.players]):
        position.fill(seat.stock, all_stocks[place])
        for stack, cards in zip(seat.stacks, all_stacks[place].split("|"), strict=True):
            position.fill(stack, cards)
    position.fill(table.deck, " ".join(reversed(fresh.split())))
    for text in completed.split():
        table.completed[position.game.read_card(text)] += 1
    return position


def dealt(*, seed: int = 0, **options: Any) -> StockpileTable:
    """Deal a whole game; `news` contains the events of the deal."""
    position = StockpileTable(**options)
    set_key(position.table.chance, key_of(bytes([seed])))
    position.table.events = position.events
    deal(position.table)
    return position
