"""The view of one viewer of a table of Lines, and tables that would look the same."""

from __future__ import annotations

__all__ = ["View", "determinize", "observe"]

from typing import Annotated

from upcard.core import table as core
from upcard.core.chance import Chance, rekey, shuffle, shuffle_top
from upcard.core.events import only, sees
from upcard.core.piles import copy_cards, has, pop, push
from upcard.core.rule import rule
from upcard.core.struct import assign
from upcard.core.table import copy_head
from upcard.games.lines.deck import DECK, VALUES
from upcard.games.lines.table import SEATS, Hand, Public, Table, Zone


class View(core.View, Public):
    """The knowledge of one viewer: the public fields, the sizes of the other hands, and the viewer's own
    hand."""

    hand: Hand
    hand_counts: Annotated[list[int], SEATS]
    deck_count: int
    # Per card, whether it lies among the discards.
    discarded: Annotated[list[int], DECK]


@rule
def copy_public(target: Table | View, source: Table | View) -> None:
    """L3.1 Copy what lies open, from a table to a view or back."""
    copy_head(target, source)
    assign(target.options, source.options)
    target.step = source.step
    target.turn = source.turn
    target.idle_turns = source.idle_turns
    target.closing = source.closing
    for seat in range(source.players):
        copy_zone(target.zones[seat], source.zones[seat])
    for card in range(DECK):
        target.drawable[card] = source.drawable[card]


@rule
def observe(table: Table, viewer: int, view: View) -> None:
    """L2.1 A hand is seen by its owner only, the draw pile by no one; everything else lies open."""
    view.viewer = viewer
    copy_public(view, table)
    for seat in range(table.players):
        if sees(viewer, only(seat)):
            copy_cards(view.hand, table.hands[seat])
        view.hand_counts[seat] = table.hands[seat].count
    view.deck_count = table.deck.count
    for place in range(table.discards.count):
        view.discarded[table.discards.cards[place]] = 1


@rule
def copy_zone(target: Zone, source: Zone) -> None:
    """Copy the lines of a zone, without anything that once lay there."""
    target.count = source.count
    for line in range(source.count):
        target.highest[line] = source.highest[line]
    copy_cards(target.upper, source.upper)
    copy_cards(target.lower, source.lower)


@rule
def determinize(view: View, table: Table, chance: Chance) -> None:
    """L2.1 Fill in at random what the viewer does not know: other hands and the draw pile."""
    copy_public(table, view)
    rekey(table.chance, chance)
    deal_unseen(view, table, chance)
    table.discards.count = 0
    for card in range(DECK):
        if view.discarded[card]:
            push(table.discards, card)


@rule
def deal_unseen(view: View, table: Table, chance: Chance) -> None:
    """Deal the unseen cards: those that cannot be in the draw pile into hands, the rest at random."""
    table.deck.count = 0
    for card in range(view.options.colours * VALUES):
        if is_unseen(view, card) and view.drawable[card]:
            push(table.deck, card)
    shuffle(chance, table.deck)
    for card in range(view.options.colours * VALUES):
        if is_unseen(view, card) and not view.drawable[card]:
            push(table.deck, card)
    shuffle_top(chance, table.deck, table.deck.count - view.deck_count)
    for seat in range(view.players):
        hand = table.hands[seat]
        hand.count = 0
        if seat == view.viewer:
            copy_cards(hand, view.hand)
        else:
            for _ in range(view.hand_counts[seat]):
                push(hand, pop(table.deck))


@rule
def is_unseen(view: View, card: int) -> bool:
    """Whether the viewer cannot see where a card is."""
    if view.discarded[card] or has(view.hand, card):
        return False
    for seat in range(view.players):
        if lies_in(view.zones[seat], card):
            return False
    return True


@rule
def lies_in(zone: Zone, card: int) -> bool:
    """Whether a card lies in a zone."""
    for line in range(zone.count):
        if zone.highest[line] == card:
            return True
    return has(zone.upper, card) or has(zone.lower, card)
