"""What one viewer may see of a table of Stacks, and tables that would look the same."""

from __future__ import annotations

__all__ = ["NOBODY_KNOWN", "SeatView", "View", "look", "redeal"]

from typing import Annotated

from upcard.core import table as core
from upcard.core.chance import Chance, draw, rekey, shuffle
from upcard.core.news import only, sees
from upcard.core.piles import copy_cards, count_of, has, pop, push
from upcard.core.record import Record, assign
from upcard.core.rule import rule
from upcard.games.stacks.deck import BLOCK, COLOURS, KINDS
from upcard.games.stacks.memory import clear_memories, memory_of
from upcard.games.stacks.options import Settings
from upcard.games.stacks.rules import copies
from upcard.games.stacks.table import (
    ASK,
    PILES,
    SEATS,
    Building,
    Discards,
    Hand,
    Memory,
    Table,
)

# K5.4 Who is being asked is known to nobody else.
NOBODY_KNOWN = -1
TRIES = 50


class SeatView(Record):
    """A seat as everybody sees it."""

    hand_count: int
    discards: Discards
    chips: Annotated[list[int], len(COLOURS)]
    last_turn: int


class View(core.View):
    """What one viewer knows: all that is public, the own hand, and the cards seen in other hands."""

    options: Settings
    dealer: int
    player: int
    step: int
    asked_pile: int
    direction: int
    skips: int
    turn: int
    stirred: int
    plays: int
    owed: int
    hand: Hand
    memory: Memory
    seats: Annotated[list[SeatView], SEATS]
    piles: Annotated[list[Building], PILES]
    bank: Annotated[list[int], len(COLOURS)]
    deck_count: int
    finished: Annotated[list[int], KINDS]
    spent: Annotated[list[int], KINDS]
    drawable: Annotated[list[int], KINDS]


@rule
def look(table: Table, viewer: int, view: View) -> None:
    """K2.4 Hands are seen by their owner only; discard piles, buried cards too, by everybody."""
    view.viewer = viewer
    view.players = table.players
    view.first = table.first
    view.over = table.over
    view.to_move = seen_to_move(table, viewer)
    assign(view.options, table.options)
    view.dealer = table.dealer
    view.player = table.player
    view.step = table.step
    view.asked_pile = table.asked_pile if table.step == ASK else 0
    view.direction = table.direction
    view.skips = table.skips
    view.turn = table.turn
    view.stirred = table.stirred
    view.plays = table.plays
    view.owed = table.owed
    for seat in range(table.players):
        look_at_seat(table, seat, viewer, view)
    memory = memory_of(table, viewer)
    view.memory.count = memory.count
    for place in range(memory.count):
        assign(view.memory.sightings[place], memory.sightings[place])
    for pile in range(PILES):
        assign(view.piles[pile], table.piles[pile])
    for colour in range(len(COLOURS)):
        view.bank[colour] = table.bank[colour]
    view.deck_count = table.deck.count
    for card in range(KINDS):
        view.finished[card] = table.finished[card]
        view.spent[card] = table.spent[card]
        view.drawable[card] = table.drawable[card]


@rule
def look_at_seat(table: Table, seat: int, viewer: int, view: View) -> None:
    """K2.4 See what is public of a seat, and its hand if it is one's own."""
    source = table.seats[seat]
    target = view.seats[seat]
    if sees(viewer, only(seat)):
        copy_cards(view.hand, source.hand)
    target.hand_count = source.hand.count
    copy_cards(target.discards, source.discards)
    for colour in range(len(COLOURS)):
        target.chips[colour] = source.chips[colour]
    target.last_turn = source.last_turn


@rule
def seen_to_move(table: Table, viewer: int) -> int:
    """K5.4 Nobody learns who holds a block from who is being asked."""
    if table.step == ASK and not sees(viewer, only(table.to_move)):
        return NOBODY_KNOWN
    return table.to_move


@rule
def redeal(view: View, table: Table, chance: Chance) -> None:
    """K2.4 Fill in at random what the viewer does not know: other hands and the draw deck."""
    table.players = view.players
    table.first = view.first
    table.over = view.over
    table.to_move = view.to_move
    assign(table.options, view.options)
    rekey(table.chance, chance)
    table.dealer = view.dealer
    table.player = view.player
    table.step = view.step
    table.asked_pile = view.asked_pile
    table.direction = view.direction
    table.skips = view.skips
    table.turn = view.turn
    table.stirred = view.stirred
    table.plays = view.plays
    table.owed = view.owed
    place_known_cards(view, table, chance)
    deal_unseen(view, table, chance)
    for seat in range(view.players):
        copy_cards(table.seats[seat].discards, view.seats[seat].discards)
        table.seats[seat].last_turn = view.seats[seat].last_turn
        for colour in range(len(COLOURS)):
            table.seats[seat].chips[colour] = view.seats[seat].chips[colour]
    clear_memories(table)
    memory = memory_of(table, view.viewer)
    memory.count = view.memory.count
    for place in range(view.memory.count):
        assign(memory.sightings[place], view.memory.sightings[place])
    for pile in range(PILES):
        assign(table.piles[pile], view.piles[pile])
    for colour in range(len(COLOURS)):
        table.bank[colour] = view.bank[colour]
    for card in range(KINDS):
        table.finished[card] = view.finished[card]
        table.spent[card] = view.spent[card]
        table.drawable[card] = view.drawable[card]


@rule
def place_known_cards(view: View, table: Table, chance: Chance) -> None:
    """Put the cards that the viewer remembers into hands where they may be.

    Most often the first try fits; where memories only say "one of these hands", cards are put by
    lot, and a lot that leaves no room for another card is drawn again.
    """
    for _ in range(TRIES):
        if try_to_place(view, table, chance):
            return
    # Cannot be placed in a reasonable time: keep what is certain.
    clear_hands(view, table)
    for place in range(view.memory.count):
        sighting = view.memory.sightings[place]
        for seat in range(view.players):
            if sighting.holders == only(seat):
                push(table.seats[seat].hand, sighting.card)
    ask_somebody(view, table, chance)


@rule
def try_to_place(view: View, table: Table, chance: Chance) -> bool:
    """Place every remembered card by lot; tell whether all of them found room."""
    clear_hands(view, table)
    for place in range(view.memory.count):
        sighting = view.memory.sightings[place]
        holder = someone_among(view, table, sighting.holders, chance)
        if holder == NOBODY_KNOWN:
            return False
        push(table.seats[holder].hand, sighting.card)
    return ask_somebody(view, table, chance)


@rule
def clear_hands(view: View, table: Table) -> None:
    """Every hand is empty but the viewer's own."""
    for seat in range(view.players):
        table.seats[seat].hand.count = 0
        if seat == view.viewer:
            copy_cards(table.seats[seat].hand, view.hand)


@rule
def someone_among(view: View, table: Table, seats: int, chance: Chance) -> int:
    """Return by lot one of a set of seats whose hand has room left, or NOBODY_KNOWN."""
    found = 0
    chosen = NOBODY_KNOWN
    for seat in range(view.players):
        room = view.seats[seat].hand_count - table.seats[seat].hand.count
        if seat != view.viewer and sees(seat, seats) and room > 0:
            found += 1
            if draw(chance, found) == 0:
                chosen = seat
    return chosen


@rule
def ask_somebody(view: View, table: Table, chance: Chance) -> bool:
    """K5.2 While somebody unknown is asked, an opponent of the player must hold a block."""
    if view.step != ASK or view.to_move != NOBODY_KNOWN:
        return True
    opponents = 0
    for seat in range(view.players):
        if seat != view.player and seat != view.viewer:
            opponents += only(seat)
            if has(table.seats[seat].hand, BLOCK):
                table.to_move = seat
    if table.to_move == NOBODY_KNOWN:
        holder = someone_among(view, table, opponents, chance)
        if holder == NOBODY_KNOWN:
            return False
        push(table.seats[holder].hand, BLOCK)
        table.to_move = holder
    return True


@rule
def deal_unseen(view: View, table: Table, chance: Chance) -> None:
    """Deal the rest: what cannot be in the draw deck goes into hands, the other cards by lot."""
    held = table.seats[0].discards  # a place to gather the cards for the hands; filled afterwards
    held.count = 0
    table.deck.count = 0
    for card in range(KINDS):
        rest = unseen(view, table, card)
        for _ in range(min(rest, view.drawable[card])):
            push(table.deck, card)
        for _ in range(rest - view.drawable[card]):
            push(held, card)
    shuffle(chance, table.deck)
    while table.deck.count > view.deck_count:
        push(held, pop(table.deck))
    shuffle(chance, held)
    for seat in range(view.players):
        hand = table.seats[seat].hand
        while hand.count < view.seats[seat].hand_count:
            push(hand, pop(held))


@rule
def unseen(view: View, table: Table, card: int) -> int:
    """Return how many cards of a kind are neither seen nor already placed in a hand."""
    count = copies(card, view.players, view.options.two_player_deck)
    count -= view.finished[card] + view.spent[card]
    for pile in range(PILES):
        for number in range(view.piles[pile].height):
            count -= int(view.piles[pile].cards[number] == card)
    for seat in range(view.players):
        count -= count_of(view.seats[seat].discards, card) + count_of(table.seats[seat].hand, card)
    return count
