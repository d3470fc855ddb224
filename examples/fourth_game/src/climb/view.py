"""What one viewer may see of a table of Climb, and tables that would look the same."""

from __future__ import annotations

__all__ = ["View", "determinize", "observe"]

from typing import Annotated

from climb.deck import COPIES, HIGHEST, KINDS
from climb.table import SEATS, Cards, Public, Table
from upcard.core import table as core
from upcard.core.chance import Chance, rekey, shuffle
from upcard.core.events import only, sees
from upcard.core.piles import copy_cards, count_of, pop, push
from upcard.core.rule import rule
from upcard.core.struct import assign
from upcard.core.table import copy_head


class View(core.View, Public):
    """The knowledge of one viewer: the public fields, the sizes of the other hands, and the viewer's own
    hand."""

    hand: Cards
    hand_counts: Annotated[list[int], SEATS]
    deck_count: int


@rule
def copy_public(target: Table | View, source: Table | View) -> None:
    """Copy what lies open, from a table to a view or back."""
    copy_head(target, source)
    assign(target.options, source.options)
    target.height = source.height
    target.passes = source.passes
    for card in range(KINDS):
        target.played[card] = source.played[card]


@rule
def observe(table: Table, viewer: int, view: View) -> None:
    """C2.2 A hand is seen by its owner only, and the draw pile by nobody."""
    view.viewer = viewer
    copy_public(view, table)
    for seat in range(table.players):
        view.hand_counts[seat] = table.hands[seat].count
        if sees(viewer, only(seat)):
            copy_cards(view.hand, table.hands[seat])
    view.deck_count = table.deck.count


@rule
def determinize(view: View, table: Table, chance: Chance) -> None:
    """C2.2 Deal the cards at random that the viewer does not see."""
    copy_public(table, view)
    rekey(table.chance, chance)
    table.deck.count = 0
    for card in range(1, HIGHEST + 1):
        for _ in range(COPIES - view.played[card] - count_of(view.hand, card)):
            push(table.deck, card)
    shuffle(chance, table.deck)
    for seat in range(view.players):
        hand = table.hands[seat]
        hand.count = 0
        if seat == view.viewer:
            copy_cards(hand, view.hand)
        else:
            for _ in range(view.hand_counts[seat]):
                push(hand, pop(table.deck))
