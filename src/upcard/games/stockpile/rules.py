"""The rules of Stockpile, in the order of its rulebook."""

from __future__ import annotations

__all__ = ["apply", "card_from", "deal", "fits", "legal", "outcome"]

from collections.abc import MutableSequence

from upcard.core.chance import shuffle
from upcard.core.events import EVERYONE, EventKind, emit, emit_shuffle
from upcard.core.piles import NO_CARD, build, clear, pop, push, top
from upcard.core.rule import rule
from upcard.core.seats import along, left_of, resolve_seat
from upcard.core.table import PLAYING, Reason, Result
from upcard.games.stockpile.deck import COPIES, FACES, HIGHEST, WILD, WILDS
from upcard.games.stockpile.events import StockpileEvent
from upcard.games.stockpile.moves import PASS, STOCK, pile_of, play, source_of
from upcard.games.stockpile.options import RECYCLE_UNDER, REFILL_EMPTY
from upcard.games.stockpile.table import PILES, STACKS, Seat, Table

# S1 Contents


@rule
def open_box(table: Table) -> None:
    """S1.1 The fresh cards are eight each of 1 to 10 and sixteen wilds."""
    table.deck.count = 0
    for face in range(FACES):
        table.completed[face] = 0
        for _ in range(WILDS if face == WILD else COPIES):
            push(table.deck, face)
    table.reshuffled = 0


# S2 Setting up


@rule
def deal(table: Table) -> None:
    """S2.1 The option says who starts; the stockpiles are dealt and the first turn begins."""
    table.over = PLAYING
    table.idle_turns = 0
    for pile in range(PILES):
        clear(table.piles[pile])
    table.first = resolve_seat(table.options.first, table.players, table.chance)
    table.options.first = table.first
    open_box(table)
    shuffle(table.chance, table.deck)
    emit_shuffle(table, table.deck.cards, table.deck.count)
    deal_stockpiles(table)
    table.to_move = table.first
    begin_turn(table)
    advance_to_decision(table)


@rule
def deal_stockpiles(table: Table) -> None:
    """S2.2 Cards go round the table one at a time, beginning with the player who starts."""
    for seat in range(table.players):
        table.seats[seat].stock.count = 0
        for stack in range(STACKS):
            table.seats[seat].stacks[stack].count = 0
    for _ in range(table.options.stock):
        for step in range(table.players):
            seat = along(table.first, step, table.players)
            push(table.seats[seat].stock, pop(table.deck))
    for seat in range(table.players):
        turn_up(table, seat)


@rule
def turn_up(table: Table, seat: int) -> None:
    """S2.3 S3.6 The top card of a stockpile is face up, the next one as soon as it is played."""
    card = top(table.seats[seat].stock)
    if card != NO_CARD:
        emit(table, EventKind.DEALT, seat, card, STOCK, 0, EVERYONE)


# S3 A turn


@rule
def begin_turn(table: Table) -> None:
    """S3.1 The player whose turn begins is dealt a hand of three."""
    table.idle = 1
    emit(table, EventKind.TURN, table.to_move, NO_CARD, 0, 0, EVERYONE)
    deal_hand(table)


@rule
def deal_hand(table: Table) -> None:
    """S3.1 One card onto each stack, A, B, C, on top of what is left; S4.3 until none is left."""
    for stack in range(STACKS):
        if table.deck.count == 0:
            recycle(table)
        if table.deck.count == 0:
            return
        card = pop(table.deck)
        push(table.seats[table.to_move].stacks[stack], card)
        table.idle = 0
        emit(table, EventKind.DEALT, table.to_move, card, stack + 1, 0, EVERYONE)


@rule
def card_from(seat: Seat, source: int) -> int:
    """S3.2 Of the stockpile and of each stack, only the top card can be played; S3.7 then the next."""
    if source == STOCK:
        return top(seat.stock)
    return top(seat.stacks[source - 1])


@rule
def fits(card: int, height: int) -> bool:
    """S3.4 A pile starts with 1 or a wild, each card is the next number up, a wild is any number."""
    return card == WILD or card == height + 1


@rule
def legal(table: Table, moves: MutableSequence[int]) -> int:
    """S3.3 A play puts one of your own top cards on a pile of your choice; S3.8 `pass` if allowed."""
    if table.over != PLAYING:
        return 0
    count = 0
    seat = table.seats[table.to_move]
    for source in range(STACKS + 1):
        card = card_from(seat, source)
        if card != NO_CARD:
            for pile in range(PILES):
                # Written first, and kept only if it fits: faster than checking first.
                moves[count] = play(source, pile)
                count += int(fits(card, table.piles[pile].height))
    if not table.options.must_play:
        moves[count] = PASS
        count += 1
    return count


@rule
def can_play(table: Table) -> bool:
    """S3.8 A turn continues as long as something can be played."""
    seat = table.seats[table.to_move]
    for source in range(STACKS + 1):
        card = card_from(seat, source)
        if card != NO_CARD:
            for pile in range(PILES):
                if fits(card, table.piles[pile].height):
                    return True
    return False


@rule
def apply(table: Table, move: int) -> None:
    """S3.3 Make a play (or pass), with everything that follows automatically."""
    if move == PASS:
        emit(table, EventKind.PASSED, table.to_move, NO_CARD, 0, 0, EVERYONE)
        end_turn(table)
    else:
        put_card(table, source_of(move), pile_of(move))
    advance_to_decision(table)


@rule
def put_card(table: Table, source: int, pile: int) -> None:
    """S3.3 A top card of your own goes onto a building pile."""
    seat = table.seats[table.to_move]
    card = pop(seat.stock) if source == STOCK else pop(seat.stacks[source - 1])
    table.idle = 0
    emit(table, EventKind.PLAYED, table.to_move, card, pile, source, EVERYONE)
    building = table.piles[pile]
    build(building, card)
    if building.height == HIGHEST:
        complete(table, pile)
    if source == STOCK:
        if seat.stock.count == 0:
            end_game(table, Reason.WON)
        turn_up(table, table.to_move)
    if table.options.refill == REFILL_EMPTY and table.over == PLAYING and hand_is_empty(seat):
        deal_hand(table)


@rule
def complete(table: Table, pile: int) -> None:
    """S3.5 A pile that reaches ten leaves the table, and a new one can start in its place."""
    building = table.piles[pile]
    for number in range(HIGHEST):
        if building.cards[number] != NO_CARD:
            table.completed[building.cards[number]] += 1
    clear(building)
    emit(table, EventKind.COMPLETED, table.to_move, NO_CARD, pile, 0, EVERYONE)


@rule
def hand_is_empty(seat: Seat) -> bool:
    """S3.7 No new cards come in mid-turn, unless the option deals them when all stacks are empty."""
    for stack in range(STACKS):
        if seat.stacks[stack].count > 0:
            return False
    return True


@rule
def advance_to_decision(table: Table) -> None:
    """S3.8 A turn ends automatically when nothing can be played, and not before."""
    while table.over == PLAYING and not can_play(table):
        emit(table, StockpileEvent.STOPPED, table.to_move, NO_CARD, 0, 0, EVERYONE)
        end_turn(table)


@rule
def end_turn(table: Table) -> None:
    """S3.9 Then it is the next player's turn, to the left; S4.4 unless a whole round was idle."""
    table.idle_turns = table.idle_turns + 1 if table.idle else 0
    if table.idle_turns == table.players:
        end_game(table, Reason.STUCK)
        return
    table.to_move = left_of(table.to_move, table.players)
    begin_turn(table)


# S4 When the fresh cards run out


@rule
def recycle(table: Table) -> None:
    """S4.1 The completed piles are reshuffled and become the fresh cards."""
    for face in range(FACES):
        for _ in range(table.completed[face]):
            push(table.deck, face)
        table.completed[face] = 0
    if table.deck.count == 0 and table.options.recycle == RECYCLE_UNDER:
        take_from_under(table)
    if table.deck.count > 0:
        shuffle(table.chance, table.deck)
        table.reshuffled = 1
        emit_shuffle(table, table.deck.cards, table.deck.count)


@rule
def take_from_under(table: Table) -> None:
    """S4.2 With no completed pile, the cards under the top of each building pile are taken."""
    for pile in range(PILES):
        building = table.piles[pile]
        for number in range(building.height - 1):
            if building.cards[number] != NO_CARD:
                push(table.deck, building.cards[number])
                building.cards[number] = NO_CARD


# S5 Winning


@rule
def end_game(table: Table, reason: int) -> None:
    """S5.1 The first player whose stockpile is empty wins, immediately; S4.4 or no one can play any more."""
    table.over = reason
    emit(table, EventKind.OVER, table.to_move, NO_CARD, reason, 0, EVERYONE)


@rule
def outcome(table: Table, result: Result) -> None:
    """S4.4 S5.1 The fewest stockpile cards win (none at all, in a game that was won), ties share."""
    result.reason = table.over
    fewest = table.seats[0].stock.count
    for seat in range(table.players):
        result.scores[seat] = table.seats[seat].stock.count
        fewest = min(fewest, table.seats[seat].stock.count)
    for seat in range(table.players):
        result.winners[seat] = int(table.over != PLAYING and result.scores[seat] == fewest)
