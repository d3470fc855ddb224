"""Counting the cards (and chips) of a table, plain or compiled: none is ever lost or doubled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from upcard.core.game import Game
from upcard.core.piles import Pile
from upcard.core.rule import rule
from upcard.games.lines.table import Table as LinesTable
from upcard.games.stacks.table import Table as StacksTable
from upcard.games.stockpile.table import Table as StockpileTable

KINDS = 72
CHIPS = KINDS
COUNTED = KINDS + 2


@rule
def count_pile(pile: Pile, counts: Any) -> None:
    for place in range(pile.count):
        counts[pile.cards[place]] += 1


@rule
def count_building(cards: Any, counts: Any) -> None:
    for place in range(len(cards)):
        if cards[place] >= 0:
            counts[cards[place]] += 1


@rule
def stockpile_census(table: StockpileTable, counts: Any) -> None:
    count_pile(table.deck, counts)
    for face in range(len(table.completed)):
        counts[face] += table.completed[face]
    for pile in range(len(table.piles)):
        count_building(table.piles[pile].cards, counts)
    for seat in range(table.players):
        count_pile(table.seats[seat].stock, counts)
        for stack in range(3):
            count_pile(table.seats[seat].stacks[stack], counts)


@rule
def lines_census(table: LinesTable, counts: Any) -> None:
    count_pile(table.deck, counts)
    count_pile(table.discards, counts)
    for seat in range(table.players):
        count_pile(table.hands[seat], counts)
        zone = table.zones[seat]
        count_pile(zone.upper, counts)
        count_pile(zone.lower, counts)
        for line in range(1, zone.count - 1):
            counts[zone.highest[line]] += 1


@rule
def stacks_census(table: StacksTable, counts: Any) -> None:
    count_pile(table.deck, counts)
    for card in range(len(table.finished)):
        counts[card] += table.finished[card] + table.spent[card]
    for pile in range(len(table.piles)):
        count_building(table.piles[pile].cards, counts)
    for seat in range(table.players):
        count_pile(table.seats[seat].hand, counts)
        count_pile(table.seats[seat].discards, counts)
    for colour in range(2):
        counts[CHIPS + colour] += table.bank[colour]
        for seat in range(table.players):
            counts[CHIPS + colour] += table.seats[seat].chips[colour]


CENSUS: dict[str, Callable[[Any, Any], None]] = {
    "stockpile": stockpile_census,
    "lines": lines_census,
    "stacks": stacks_census,
}


def census(game: Game, table: Any) -> list[int]:
    """Return how many there are of each card, and of each colour of chips, at a plain table."""
    counts = [0] * COUNTED
    CENSUS[game.id](table, counts)
    return counts
