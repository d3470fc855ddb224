"""The view of a table of Stockpile, and tables that would look the same.

Nothing is private here: hidden cards (the fresh cards, and the stockpiles beneath their tops) are hidden from
everyone, so all viewers see the same.
"""

from __future__ import annotations

__all__ = ["SeatView", "View", "determinize", "observe"]

from typing import Annotated

from upcard.core import table as core
from upcard.core.chance import Chance, rekey, shuffle
from upcard.core.piles import copy_cards, pop, push, top
from upcard.core.rule import rule
from upcard.core.struct import Struct, assign
from upcard.core.table import copy_head
from upcard.games.stockpile.deck import COPIES, FACES, WILD, WILDS
from upcard.games.stockpile.table import PILES, SEATS, STACKS, Public, Stack, Table


class SeatView(Struct):
    """A seat as everyone sees it: how high its stockpile is, the top of it, and the stacks."""

    stock_count: int
    stock_top: int
    stacks: Annotated[list[Stack], STACKS]


class View(core.View, Public):
    """Everything that anyone knows of a table."""

    seats: Annotated[list[SeatView], SEATS]
    fresh_count: int
    # Once the fresh cards have been reshuffled, everyone knows which they are, although not their order;
    # before that, `fresh` stays empty.
    fresh: Annotated[list[int], FACES]


@rule
def copy_public(target: Table | View, source: Table | View) -> None:
    """S3.2 Copy what lies open, from a table to a view or back."""
    copy_head(target, source)
    assign(target.options, source.options)
    target.idle_turns = source.idle_turns
    target.idle = source.idle
    for seat in range(source.players):
        for stack in range(STACKS):
            copy_cards(target.seats[seat].stacks[stack], source.seats[seat].stacks[stack])
    for pile in range(PILES):
        assign(target.piles[pile], source.piles[pile])
    for face in range(FACES):
        target.completed[face] = source.completed[face]
    target.reshuffled = source.reshuffled


@rule
def observe(table: Table, viewer: int, view: View) -> None:
    """S2.3 Besides what lies open, the tops of stockpiles are seen, and nothing else."""
    view.viewer = viewer
    copy_public(view, table)
    for seat in range(table.players):
        view.seats[seat].stock_count = table.seats[seat].stock.count
        view.seats[seat].stock_top = top(table.seats[seat].stock)
    view.fresh_count = table.deck.count
    if table.reshuffled:
        for place in range(table.deck.count):
            view.fresh[table.deck.cards[place]] += 1


@rule
def determinize(view: View, table: Table, chance: Chance) -> None:
    """S2.3 Fill in at random what nobody knows: the fresh cards and the stockpiles."""
    copy_public(table, view)
    rekey(table.chance, chance)
    bury(view, table, chance)
    if view.reshuffled:
        table.deck.count = 0
        for face in range(FACES):
            for _ in range(view.fresh[face]):
                push(table.deck, face)
        shuffle(chance, table.deck)


@rule
def bury(view: View, table: Table, chance: Chance) -> None:
    """Shuffle all cards that nobody sees, and put them under the tops of the stockpiles."""
    table.deck.count = 0
    for face in range(FACES):
        for _ in range(unseen(view, face)):
            push(table.deck, face)
    shuffle(chance, table.deck)
    for seat in range(view.players):
        stock = table.seats[seat].stock
        stock.count = 0
        if view.seats[seat].stock_count > 0:
            for _ in range(view.seats[seat].stock_count - 1):
                push(stock, pop(table.deck))
            push(stock, view.seats[seat].stock_top)


@rule
def unseen(view: View, face: int) -> int:
    """Return the number of hidden cards of a face."""
    count = WILDS if face == WILD else COPIES
    count -= view.completed[face] + view.fresh[face]
    for pile in range(PILES):
        for number in range(view.piles[pile].height):
            count -= int(view.piles[pile].cards[number] == face)
    for seat in range(view.players):
        count -= int(view.seats[seat].stock_top == face)
        for stack in range(STACKS):
            for place in range(view.seats[seat].stacks[stack].count):
                count -= int(view.seats[seat].stacks[stack].cards[place] == face)
    return count
