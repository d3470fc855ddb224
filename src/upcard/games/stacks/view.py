"""The view of one viewer of a table of Stacks, and tables that would look the same."""

from __future__ import annotations

__all__ = ["UNKNOWN_SEAT", "SeatView", "View", "determinize", "observe"]

from typing import Annotated

from upcard.core import table as core
from upcard.core.chance import Chance, randint, rekey, shuffle, shuffle_top
from upcard.core.events import only, sees
from upcard.core.piles import copy_cards, count_of, has, pop, push
from upcard.core.rule import rule
from upcard.core.struct import Struct, assign
from upcard.core.table import copy_head
from upcard.games.stacks.deck import BLOCK, COLOURS, KINDS
from upcard.games.stacks.memory import clear_memories, memory_of
from upcard.games.stacks.rules import copies
from upcard.games.stacks.table import (
    ASK,
    PILES,
    SEATS,
    Discards,
    Hand,
    Memory,
    Public,
    Table,
)

# K5.4 Only the seat that is asked knows that it is asked.
UNKNOWN_SEAT = -1
TRIES = 50


class SeatView(Struct):
    """A seat as everyone sees it."""

    hand_count: int
    discards: Discards
    chips: Annotated[list[int], len(COLOURS)]
    last_turn: int


class View(core.View, Public):
    """The knowledge of one viewer: the public fields, the viewer's own hand, and the cards seen in other
    hands."""

    hand: Hand
    memory: Memory
    seats: Annotated[list[SeatView], SEATS]
    deck_count: int


@rule
def copy_public(target: Table | View, source: Table | View) -> None:
    """K2.4 Copy what lies open, discard piles and buried cards too, from a table to a view or back."""
    copy_head(target, source)
    assign(target.options, source.options)
    target.dealer = source.dealer
    target.player = source.player
    target.step = source.step
    target.asked_pile = source.asked_pile
    target.direction = source.direction
    target.skips = source.skips
    target.turn = source.turn
    target.stirred = source.stirred
    target.plays = source.plays
    target.owed = source.owed
    for seat in range(source.players):
        copy_cards(target.seats[seat].discards, source.seats[seat].discards)
        target.seats[seat].last_turn = source.seats[seat].last_turn
        for colour in range(len(COLOURS)):
            target.seats[seat].chips[colour] = source.seats[seat].chips[colour]
    for pile in range(PILES):
        assign(target.piles[pile], source.piles[pile])
    for colour in range(len(COLOURS)):
        target.bank[colour] = source.bank[colour]
    for card in range(KINDS):
        target.finished[card] = source.finished[card]
        target.spent[card] = source.spent[card]
        target.drawable[card] = source.drawable[card]


@rule
def copy_memory(target: Memory, source: Memory) -> None:
    """Copy what is remembered, and nothing that was forgotten."""
    target.count = source.count
    for place in range(source.count):
        assign(target.sightings[place], source.sightings[place])


@rule
def observe(table: Table, viewer: int, view: View) -> None:
    """K2.4 A hand is seen by its owner only, the draw deck by no one; everything else lies open."""
    view.viewer = viewer
    copy_public(view, table)
    view.to_move = seen_to_move(table, viewer)
    for seat in range(table.players):
        if sees(viewer, only(seat)):
            copy_cards(view.hand, table.seats[seat].hand)
        view.seats[seat].hand_count = table.seats[seat].hand.count
    copy_memory(view.memory, memory_of(table, viewer))
    view.deck_count = table.deck.count


@rule
def seen_to_move(table: Table, viewer: int) -> int:
    """K5.4 Seats that are not asked do not learn which one is, since that one may hold a block."""
    if table.step == ASK and not sees(viewer, only(table.to_move)):
        return UNKNOWN_SEAT
    return table.to_move


@rule
def determinize(view: View, table: Table, chance: Chance) -> None:
    """K2.4 Fill in at random what the viewer does not know: other hands and the draw deck."""
    copy_public(table, view)
    rekey(table.chance, chance)
    clear_memories(table)
    copy_memory(memory_of(table, view.viewer), view.memory)
    place_known_cards(view, table, chance)
    deal_unseen(view, table, chance)


@rule
def place_known_cards(view: View, table: Table, chance: Chance) -> None:
    """Put the cards that the viewer remembers into hands where they may be.

    Usually the first attempt fits. If memories only say "one of these hands", cards are placed at random, and
    an attempt that leaves no room for another card is repeated.
    """
    for _ in range(TRIES):
        if try_to_place(view, table, chance):
            return
    # They cannot be placed in a reasonable time: keep only what is certain.
    clear_hands(view, table)
    for place in range(view.memory.count):
        sighting = view.memory.sightings[place]
        for seat in range(view.players):
            if sighting.holders == only(seat):
                push(table.seats[seat].hand, sighting.card)
    ask_someone(view, table, chance)


@rule
def try_to_place(view: View, table: Table, chance: Chance) -> bool:
    """Place every remembered card at random; return whether all of them found room."""
    clear_hands(view, table)
    for place in range(view.memory.count):
        sighting = view.memory.sightings[place]
        holder = someone_among(view, table, sighting.holders, chance)
        if holder == UNKNOWN_SEAT:
            return False
        push(table.seats[holder].hand, sighting.card)
    return ask_someone(view, table, chance)


@rule
def clear_hands(view: View, table: Table) -> None:
    """Every hand is empty but the viewer's own."""
    for seat in range(view.players):
        table.seats[seat].hand.count = 0
        if seat == view.viewer:
            copy_cards(table.seats[seat].hand, view.hand)


@rule
def someone_among(view: View, table: Table, seats: int, chance: Chance) -> int:
    """Return at random one of a set of seats whose hand has room left, or UNKNOWN_SEAT."""
    found = 0
    chosen = UNKNOWN_SEAT
    for seat in range(view.players):
        room = view.seats[seat].hand_count - table.seats[seat].hand.count
        if seat != view.viewer and sees(seat, seats) and room > 0:
            found += 1
            if randint(chance, found) == 0:
                chosen = seat
    return chosen


@rule
def ask_someone(view: View, table: Table, chance: Chance) -> bool:
    """K5.2 While an unknown seat is asked, an opponent of the player must hold a block."""
    if view.step != ASK or view.to_move != UNKNOWN_SEAT:
        return True
    opponents = 0
    for seat in range(view.players):
        if seat != view.player and seat != view.viewer:
            opponents += only(seat)
            if has(table.seats[seat].hand, BLOCK):
                table.to_move = seat
    if table.to_move == UNKNOWN_SEAT:
        holder = someone_among(view, table, opponents, chance)
        if holder == UNKNOWN_SEAT or unseen(view, table, BLOCK) == 0:
            return False
        push(table.seats[holder].hand, BLOCK)
        table.to_move = holder
    return True


@rule
def deal_unseen(view: View, table: Table, chance: Chance) -> None:
    """Deal the rest: cards that cannot be in the draw deck go into hands, the others at random."""
    table.deck.count = 0
    for card in range(KINDS):
        for _ in range(min(unseen(view, table, card), view.drawable[card])):
            push(table.deck, card)
    shuffle(chance, table.deck)
    for card in range(KINDS):
        for _ in range(unseen(view, table, card) - view.drawable[card]):
            push(table.deck, card)
    shuffle_top(chance, table.deck, table.deck.count - view.deck_count)
    for seat in range(view.players):
        hand = table.seats[seat].hand
        while hand.count < view.seats[seat].hand_count:
            push(hand, pop(table.deck))


@rule
def unseen(view: View, table: Table, card: int) -> int:
    """Return the number of cards of a kind that are neither seen nor already placed in a hand."""
    count = copies(card, view.players, view.options.two_player_deck)
    count -= view.finished[card] + view.spent[card]
    for pile in range(PILES):
        for number in range(view.piles[pile].height):
            count -= int(view.piles[pile].cards[number] == card)
    for seat in range(view.players):
        count -= count_of(view.seats[seat].discards, card) + count_of(table.seats[seat].hand, card)
    return count
