"""The rules of Climb, in the order of its rulebook."""

from __future__ import annotations

__all__ = ["apply", "deal", "fits", "legal", "outcome"]

from collections.abc import MutableSequence

from climb.deck import COPIES, HIGHEST
from climb.events import ClimbEvent
from climb.moves import PASS
from climb.table import Table
from upcard.core.chance import shuffle
from upcard.core.events import EVERYONE, EventKind, emit, emit_shuffle, only
from upcard.core.piles import NO_CARD, drop, has, pop, push
from upcard.core.rule import rule
from upcard.core.seats import along, left_of, resolve_seat
from upcard.core.table import PLAYING, Reason, Result

# C1 Contents


@rule
def open_box(table: Table) -> None:
    """C1.1 The draw pile is four each of 1 to 10."""
    table.deck.count = 0
    for card in range(1, HIGHEST + 1):
        table.played[card] = 0
        for _ in range(COPIES):
            push(table.deck, card)


# C2 Setting up


@rule
def deal(table: Table) -> None:
    """C2.1 The option says who begins."""
    table.over = PLAYING
    table.height = 0
    table.passes = 0
    table.first = resolve_seat(table.options.first, table.players, table.chance)
    table.options.first = table.first
    open_box(table)
    shuffle(table.chance, table.deck)
    emit_shuffle(table, table.deck.cards, table.deck.count)
    deal_hands(table)
    begin_turn(table, table.first)


@rule
def deal_hands(table: Table) -> None:
    """C2.2 Cards go round the table one at a time, beginning with the player who begins."""
    for seat in range(table.players):
        table.hands[seat].count = 0
    for _ in range(table.options.hand):
        for step in range(table.players):
            draw_card(table, along(table.first, step, table.players))


# C3 A turn


@rule
def begin_turn(table: Table, seat: int) -> None:
    """C3.1 One player after another plays a card or passes."""
    table.to_move = seat
    emit(table, EventKind.TURN, seat, NO_CARD, 0, 0, EVERYONE)


@rule
def fits(table: Table, card: int) -> bool:
    """C3.2 A card may not be lower than the one before it, or has to be higher, as the option says."""
    return card > table.height or (card == table.height and table.options.equal == 1)


@rule
def legal(table: Table, moves: MutableSequence[int]) -> int:
    """C3.1 Play a card of your hand that fits, or pass; C3.4 but do not pass where a run begins."""
    if table.over != PLAYING:
        return 0
    count = 0
    for card in range(1, HIGHEST + 1):
        if has(table.hands[table.to_move], card) and fits(table, card):
            moves[count] = card
            count += 1
    if table.height > 0:
        moves[count] = PASS
        count += 1
    return count


@rule
def apply(table: Table, move: int) -> None:
    """C3.1 Play a card or pass; then the turn passes to the left."""
    if move == PASS:
        pass_turn(table)
    else:
        play_card(table, move)
    if table.over == PLAYING:
        begin_turn(table, left_of(table.to_move, table.players))


@rule
def play_card(table: Table, card: int) -> None:
    """C3.2 The card goes face up on the run."""
    seat = table.to_move
    drop(table.hands[seat], card)
    table.played[card] += 1
    table.height = card
    table.passes = 0
    emit(table, EventKind.PLAYED, seat, card, 0, 0, EVERYONE)
    if table.hands[seat].count == 0:
        end_game(table)


@rule
def pass_turn(table: Table) -> None:
    """C3.3 A player who passes draws a card."""
    emit(table, EventKind.PASSED, table.to_move, NO_CARD, 0, 0, EVERYONE)
    draw_card(table, table.to_move)
    table.passes += 1
    if table.passes == table.players - 1:
        clear_run(table)


@rule
def draw_card(table: Table, seat: int) -> None:
    """C3.3 A card can be drawn as long as there are any."""
    if table.deck.count > 0:
        card = pop(table.deck)
        push(table.hands[seat], card)
        emit(table, EventKind.DREW, seat, card, 0, 0, only(seat))


@rule
def clear_run(table: Table) -> None:
    """C3.4 When all others have passed, the next player begins a new run."""
    table.height = 0
    table.passes = 0
    seat = left_of(table.to_move, table.players)
    emit(table, ClimbEvent.CLEARED, seat, NO_CARD, 0, 0, EVERYONE)


# C4 The end


@rule
def end_game(table: Table) -> None:
    """C4.1 The first player without cards wins."""
    table.over = Reason.WON
    emit(table, EventKind.OVER, table.to_move, NO_CARD, table.over, 0, EVERYONE)


@rule
def outcome(table: Table, result: Result) -> None:
    """C4.1 The score of a player is the number of cards left in hand."""
    result.reason = table.over
    for seat in range(table.players):
        result.scores[seat] = table.hands[seat].count
        result.winners[seat] = int(table.hands[seat].count == 0)
