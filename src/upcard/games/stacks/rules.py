"""The rules of Stacks, in the order of its rulebook."""

from __future__ import annotations

__all__ = [
    "PILES_OF_A_COLOUR",
    "apply",
    "can_steal",
    "copies",
    "deal",
    "fits",
    "has_play",
    "has_won",
    "legal",
    "outcome",
    "seats_asked",
    "source_card",
]

from collections.abc import MutableSequence

from upcard.core.chance import next_nonce, pick, shuffle
from upcard.core.events import EVERYONE, EventKind, emit, emit_shuffle, only
from upcard.core.piles import NO_CARD, Pile, build, clear, count_of, drop, has, pop, push, take, top
from upcard.core.rule import rule
from upcard.core.seats import along, left_of, resolve_seat
from upcard.core.table import PLAYING, Reason, Result
from upcard.games.stacks.deck import (
    BLOCK,
    CARD,
    CHIP,
    COLOURS,
    FULL_DECK,
    HIGHEST,
    KINDS,
    NUMBERED,
    REVERSE,
    SKIP,
    TWO_PLAYER_DECK,
    WILD_NUMBER,
    colour_of,
    number_of,
)
from upcard.games.stacks.events import StacksEvent
from upcard.games.stacks.memory import card_left_hand, card_was_seen, card_was_stolen_blind, clear_memories
from upcard.games.stacks.moves import (
    ALLOW,
    BLOCK_IT,
    END,
    FROM_HAND,
    FROM_TOP,
    HAND_OF,
    TOP_OF,
    card_in,
    discard,
    half_in,
    is_discard,
    is_play_on_pile,
    on_pile,
    pile_in,
    plain_special,
    source_in,
    special_in,
    target_in,
    theft,
)
from upcard.games.stacks.options import BLOCK_ANYTIME, CHIP_WIN_ILLEGAL, RECYCLE_ALL, REDUCED_DECK
from upcard.games.stacks.table import ASK, CHIPS, HAND, PILES, PLAY, SEATS, Table

CHIPS_TO_WIN = 5
CHIPS_OF_EACH = 2
PILES_OF_A_COLOUR = 2
TO_THE_LEFT = 1
# K6.3 Maximum number of cards that are played in one turn.
PLAYS_LIMIT = 1_000


# K1 Contents


@rule
def open_box(table: Table) -> None:
    """K1.1 120 cards, less those that two players take out (K2.2); K1.2 twenty chips a colour."""
    table.deck.count = 0
    for card in range(KINDS):
        table.finished[card] = 0
        table.spent[card] = 0
        for _ in range(copies(card, table.players, table.options.two_player_deck)):
            push(table.deck, card)
    for colour in range(len(COLOURS)):
        table.bank[colour] = CHIPS


@rule
def copies(card: int, players: int, two_player_deck: int) -> int:
    """K2.2 With two players some specials are taken out, unless the option keeps the full deck."""
    if players == 2 and two_player_deck == REDUCED_DECK:
        return TWO_PLAYER_DECK[card]
    return FULL_DECK[card]


# K2 Setting up


@rule
def deal(table: Table) -> None:
    """K2.1 The option says who deals; the player to the dealer's left starts."""
    table.over = PLAYING
    table.dealer = resolve_seat(table.options.dealer, table.players, table.chance)
    table.options.dealer = table.dealer
    table.first = left_of(table.dealer, table.players)
    table.direction = TO_THE_LEFT
    table.skips = 0
    table.turn = 0
    table.stirred = 0
    clear_seats(table)
    open_box(table)
    shuffle_deck(table)
    deal_hands(table)
    table.player = table.first
    begin_turn(table)


@rule
def clear_seats(table: Table) -> None:
    """K2.3 There is room for two piles of each colour; nobody has anything yet."""
    for pile in range(PILES):
        clear(table.piles[pile])
    for seat in range(SEATS):
        table.seats[seat].hand.count = 0
        table.seats[seat].discards.count = 0
        table.seats[seat].last_turn = 0
        for colour in range(len(COLOURS)):
            table.seats[seat].chips[colour] = 0
    clear_memories(table)


@rule
def shuffle_deck(table: Table) -> None:
    """K2.3 The draw deck is shuffled; from now on there can be no more of a kind in it."""
    for card in range(KINDS):
        table.drawable[card] = 0
    for place in range(table.deck.count):
        table.drawable[table.deck.cards[place]] += 1
    shuffle(table.chance, table.deck)
    emit_shuffle(table, table.deck.cards, table.deck.count)


@rule
def deal_hands(table: Table) -> None:
    """K2.3 Five cards each, one at a time from the dealer's left; K2.4 seen by their owner only."""
    for _ in range(HAND):
        for step in range(1, table.players + 1):
            draw_card(table, along(table.dealer, step, table.players))


# K3 A turn


@rule
def begin_turn(table: Table) -> None:
    """K3.1 A turn begins."""
    table.turn += 1
    table.plays = 0
    table.owed = 0
    table.step = PLAY
    table.to_move = table.player
    emit(table, EventKind.TURN, table.player, NO_CARD, 0, 0, EVERYONE)


@rule
def legal(table: Table, moves: MutableSequence[int]) -> int:
    """K3.1 Play as many cards as you like; K3.6 discard one to stop; K5.2 or answer when asked."""
    if table.over != PLAYING:
        return 0
    if table.step == ASK:
        return answers(table, table.to_move, moves)
    count = plays(table, moves)
    if count == 0 or not table.options.must_play:
        count = ways_to_stop(table, moves, count)
    return count


@rule
def plays(table: Table, moves: MutableSequence[int]) -> int:
    """K3.3 The cards of the hand can be played, and the top of your own discard pile."""
    seat = table.seats[table.player]
    count = 0
    for place in range(seat.hand.count):
        if is_first_of_its_kind(seat.hand, place):
            count = plays_of(table, FROM_HAND, seat.hand.cards[place], moves, count)
    if seat.discards.count > 0:
        count = plays_of(table, FROM_TOP, top(seat.discards), moves, count)
    return count


@rule
def is_first_of_its_kind(hand: Pile, place: int) -> bool:
    """Equal cards make equal moves, which are listed once."""
    for earlier in range(place):
        if hand.cards[earlier] == hand.cards[place]:
            return False
    return True


@rule
def plays_of(table: Table, source: int, card: int, moves: MutableSequence[int], count: int) -> int:
    """K3.2 K4.1 K4.2 K4.3 K4.4 List what can be done with one card; K5.3 a block is not played so."""
    if card < NUMBERED:
        first = colour_of(card) * PILES_OF_A_COLOUR
        for pile in range(first, first + PILES_OF_A_COLOUR):
            # Written first, and kept only if it fits: faster than checking first.
            moves[count] = on_pile(source, card, pile)
            count += int(fits(card, table.piles[pile].height, pile))
    elif card in (SKIP, REVERSE):
        moves[count] = plain_special(source, card)
        count += 1
    elif card in (CARD, CHIP):
        for seat in range(table.players):
            for half in range(2):
                if can_steal(table, card, seat, half):
                    moves[count] = theft(source, card, seat, half)
                    count += 1
    return count


@rule
def fits(card: int, height: int, pile: int) -> bool:
    """K3.2 A pile grows 1 to 5 in its colour; K4.5 a wild is any number of its own colour."""
    if colour_of(card) != pile // PILES_OF_A_COLOUR:
        return False
    return number_of(card) in (WILD_NUMBER, height + 1)


@rule
def is_playable(table: Table, card: int) -> bool:
    """K3.3 Whether a player can do anything with a card on their own turn."""
    if card in (SKIP, REVERSE):
        return True
    if card < NUMBERED:
        for pile in range(PILES):
            if fits(card, table.piles[pile].height, pile):
                return True
    elif card in (CARD, CHIP):
        for seat in range(table.players):
            if can_steal(table, card, seat, 0) or can_steal(table, card, seat, 1):
                return True
    return False


@rule
def has_play(table: Table) -> bool:
    """K3.1 Whether the player can play anything at all."""
    seat = table.seats[table.player]
    for place in range(seat.hand.count):
        if is_playable(table, seat.hand.cards[place]):
            return True
    return seat.discards.count > 0 and is_playable(table, top(seat.discards))


@rule
def ways_to_stop(table: Table, moves: MutableSequence[int], count: int) -> int:
    """K3.6 Stop by discarding any card of the hand; K3.7 an empty hand stops without."""
    hand = table.seats[table.player].hand
    for place in range(hand.count):
        if is_first_of_its_kind(hand, place):
            moves[count] = discard(hand.cards[place])
            count += 1
    if hand.count == 0:
        moves[count] = END
        count += 1
    return count


@rule
def apply(table: Table, move: int) -> None:
    """K3.1 K5.2 Make a move, with everything that follows automatically."""
    if table.step == ASK:
        answer(table, move)
    elif is_discard(move):
        discard_card(table, card_in(move))
    elif move == END:
        emit(table, EventKind.PASSED, table.player, NO_CARD, 0, 0, EVERYONE)
        end_turn(table)
    else:
        play_card(table, move)
    advance_to_decision(table)


@rule
def play_card(table: Table, move: int) -> None:
    """K3.3 A card is played from the hand or off the own discard pile."""
    table.stirred = table.turn
    table.plays += 1
    source = source_in(move)
    card = take_from_source(table, move, source)
    if is_play_on_pile(move):
        put_on_pile(table, card, pile_in(move), source)
    else:
        table.spent[card] += 1
        emit(table, EventKind.PLAYED, table.player, card, PILES, source, EVERYONE)
        use_special(table, move)
        after_play(table)


@rule
def source_card(table: Table, move: int) -> int:
    """K3.3 Return the card that a play would use."""
    if source_in(move) == FROM_TOP:
        return top(table.seats[table.player].discards)
    return card_in(move) if is_play_on_pile(move) else special_in(move)


@rule
def take_from_source(table: Table, move: int, source: int) -> int:
    """K3.3 Take the card; K3.5 remember that five are owed for a hand that is played out."""
    card = source_card(table, move)
    seat = table.seats[table.player]
    if source == FROM_TOP:
        pop(seat.discards)
    else:
        drop(seat.hand, card)
        card_left_hand(table, table.player, card)
        table.owed = int(seat.hand.count == 0)
    return card


@rule
def put_on_pile(table: Table, card: int, pile: int, source: int) -> None:
    """K3.2 The card is on the pile; K5.1 what may be blocked now is asked first."""
    building = table.piles[pile]
    build(building, card)
    emit(table, EventKind.PLAYED, table.player, card, pile, source, EVERYONE)
    table.asked_pile = pile
    if building.height == HIGHEST or table.options.block == BLOCK_ANYTIME:
        ask_after(table, table.player)
    else:
        after_play(table)


@rule
def complete(table: Table, pile: int) -> None:
    """K3.4 Completing a pile earns a chip of its colour, if there is one (K1.2)."""
    colour = pile // PILES_OF_A_COLOUR
    seat = table.seats[table.player]
    emit(table, EventKind.COMPLETED, table.player, NO_CARD, pile, 0, EVERYONE)
    clear_away(table, pile)
    if table.bank[colour] > 0:
        table.bank[colour] -= 1
        seat.chips[colour] += 1
        emit(table, StacksEvent.EARNED, table.player, NO_CARD, colour, 0, EVERYONE)
    if has_won(seat.chips[0], seat.chips[1]):
        end_game(table, Reason.WON)


@rule
def clear_away(table: Table, pile: int) -> None:
    """K3.4 The cards of a pile go to the out-of-play pile, its place is free."""
    building = table.piles[pile]
    for number in range(building.height):
        table.finished[building.cards[number]] += 1
    clear(building)


@rule
def after_play(table: Table) -> None:
    """K3.5 A player who has played the whole hand draws five more and continues."""
    table.step = PLAY
    table.to_move = table.player
    hand = table.seats[table.player].hand
    if table.owed and hand.count == 0:
        for _ in range(HAND):
            draw_card(table, table.player)
    if hand.count > 0:
        table.owed = 0
    if table.plays == PLAYS_LIMIT:
        end_game(table, Reason.LIMIT)


@rule
def discard_card(table: Table, card: int) -> None:
    """K3.6 One card of the hand goes onto your own discard pile, and the turn ends."""
    seat = table.seats[table.player]
    drop(seat.hand, card)
    card_left_hand(table, table.player, card)
    push(seat.discards, card)
    emit(table, EventKind.DISCARDED, table.player, card, 0, 0, EVERYONE)
    end_turn(table)


@rule
def end_turn(table: Table) -> None:
    """K3.6 Draw back up to five; that ends the turn, and the next one begins."""
    seat = table.seats[table.player]
    while seat.hand.count < HAND and draw_card(table, table.player):
        pass
    seat.last_turn = table.turn
    if is_stuck(table):
        end_game(table, Reason.STUCK)
    elif table.turn >= table.options.turn_limit:
        end_game(table, Reason.LIMIT)
    else:
        table.player = next_player(table)
        begin_turn(table)


@rule
def advance_to_decision(table: Table) -> None:
    """K3.7 With an empty hand, nothing to draw and nothing to play, the turn ends automatically."""
    while table.over == PLAYING and table.step == PLAY and not can_act(table):
        end_turn(table)


@rule
def can_act(table: Table) -> bool:
    """K3.7 A hand can always be discarded from; without one, the own top card must be playable."""
    return table.seats[table.player].hand.count > 0 or has_play(table)


# K4 Special cards


@rule
def use_special(table: Table, move: int) -> None:
    """K4.1 K4.2 K4.3 K4.4 Let a special card act; it does not end the turn."""
    special = special_in(move)
    if special == SKIP or (special == REVERSE and table.players == 2):
        table.skips += 1
    elif special == REVERSE:
        table.direction = -table.direction
        emit(table, StacksEvent.REVERSED, table.player, NO_CARD, 0, 0, EVERYONE)
    elif special == CARD:
        steal_card(table, target_in(move), half_in(move))
    else:
        steal_chip(table, target_in(move), half_in(move))


@rule
def next_player(table: Table) -> int:
    """K4.1 Skips add up; the player's own turn is neither missed nor counted, the rest applies afterwards."""
    seat = along(table.player, table.direction, table.players)
    while table.skips > 0 and seat != table.player:
        table.skips -= 1
        emit(table, EventKind.SKIPPED, seat, NO_CARD, 0, 0, EVERYONE)
        seat = along(seat, table.direction, table.players)
    return seat


@rule
def can_steal(table: Table, special: int, seat: int, half: int) -> bool:
    """K4.3 K4.4 Tell whether there is such a thing to be stolen from that seat."""
    if seat == table.player:
        return False
    if special == CHIP:
        return can_steal_chip(table, seat, half)
    return (table.seats[seat].hand.count if half == HAND_OF else table.seats[seat].discards.count) > 0


@rule
def steal_card(table: Table, victim: int, half: int) -> None:
    """K4.3 Take the top of a discard pile, or a hand card drawn blind; it joins your hand."""
    seat = table.seats[victim]
    if half == TOP_OF:
        card = pop(seat.discards)
        audience = EVERYONE
    else:
        next_nonce(table.chance)
        card = take(seat.hand, pick(table.chance, seat.hand.cards, seat.hand.count))
        audience = only(table.player) + only(victim)
        card_was_stolen_blind(table, victim, table.player, card)
    push(table.seats[table.player].hand, card)
    card_was_seen(table, table.player, card, audience)
    emit(table, StacksEvent.STOLE, table.player, card, half, victim, audience)


@rule
def can_steal_chip(table: Table, seat: int, colour: int) -> bool:
    """K4.4 A theft that would win is not allowed, unless the option lets the win come later."""
    if table.seats[seat].chips[colour] == 0:
        return False
    return table.options.chip_win != CHIP_WIN_ILLEGAL or not theft_wins(table, colour)


@rule
def theft_wins(table: Table, colour: int) -> bool:
    """K4.4 Tell whether one more chip of a colour would meet K6.1."""
    chips = table.seats[table.player].chips
    return has_won(chips[0] + int(colour == 0), chips[1] + int(colour == 1))


@rule
def steal_chip(table: Table, victim: int, colour: int) -> None:
    """K4.4 A chip changes hands; that alone never wins."""
    table.seats[victim].chips[colour] -= 1
    table.seats[table.player].chips[colour] += 1
    emit(table, StacksEvent.STOLE_CHIP, table.player, NO_CARD, colour, victim, EVERYONE)


# K5 Block


@rule
def ask_after(table: Table, seat: int) -> None:
    """K5.2 Opponents are asked in turn order; only one who holds a block has a choice."""
    asked = along(seat, table.direction, table.players)
    while asked != table.player and not is_asked(table, asked):
        asked = along(asked, table.direction, table.players)
    if asked == table.player:
        pass_unblocked(table)
        return
    table.step = ASK
    table.to_move = asked
    emit(table, EventKind.ASKED, asked, NO_CARD, table.asked_pile, 0, only(asked))


@rule
def is_asked(table: Table, seat: int) -> bool:
    """K5.2 Who holds a block is asked; K5.4 where players sit apart, all who might hold one."""
    if table.apart:
        return table.seats[seat].hand.count > 0 and blocks_out_of_sight(table) > 0
    return has(table.seats[seat].hand, BLOCK)


@rule
def blocks_out_of_sight(table: Table) -> int:
    """K5.4 Return the number of blocks that could be in a hand, as far as anyone can see."""
    count = copies(BLOCK, table.players, table.options.two_player_deck) - table.spent[BLOCK]
    for seat in range(table.players):
        count -= count_of(table.seats[seat].discards, BLOCK)
    return count


@rule
def answers(table: Table, seat: int, moves: MutableSequence[int]) -> int:
    """K5.2 Only one who holds a block has a choice."""
    moves[0] = ALLOW
    if not has(table.seats[seat].hand, BLOCK):
        return 1
    moves[0] = BLOCK_IT
    moves[1] = ALLOW
    return 2


def seats_asked(table: Table) -> list[int]:
    """K5.2 Return the seats that are still to be asked, in turn order, if any."""
    seats: list[int] = []
    if table.over != PLAYING or table.step != ASK:
        return seats
    seat = table.to_move
    while seat != table.player:
        if is_asked(table, seat):
            seats.append(seat)
        seat = along(seat, table.direction, table.players)
    return seats


@rule
def pass_unblocked(table: Table) -> None:
    """K5.1 Nobody blocks: a finished pile earns its chip, and the turn continues."""
    if table.piles[table.asked_pile].height == HIGHEST:
        complete(table, table.asked_pile)
    if table.over == PLAYING:
        after_play(table)


@rule
def answer(table: Table, move: int) -> None:
    """K5.2 The first block ends the asking; K5.3 the blocker does not refill."""
    seat = table.to_move
    if move == ALLOW:
        emit(table, EventKind.ALLOWED, seat, NO_CARD, table.asked_pile, 0, only(seat))
        ask_after(table, seat)
        return
    drop(table.seats[seat].hand, BLOCK)
    card_left_hand(table, seat, BLOCK)
    table.spent[BLOCK] += 1
    emit(table, StacksEvent.BLOCKED, seat, BLOCK, table.asked_pile, 0, EVERYONE)
    clear_away(table, table.asked_pile)
    after_play(table)


# K6 The end


@rule
def has_won(red: int, blue: int) -> bool:
    """K6.1 Five chips or more, at least two of each colour."""
    return red + blue >= CHIPS_TO_WIN and red >= CHIPS_OF_EACH and blue >= CHIPS_OF_EACH


@rule
def is_stuck(table: Table) -> bool:
    """K6.2 Stuck: every player has had a turn since a card was last played or drawn."""
    for seat in range(table.players):
        if table.seats[seat].last_turn <= table.stirred:
            return False
    return True


@rule
def end_game(table: Table, reason: int) -> None:
    """K6.1 Won immediately; K6.2 or stuck; K6.3 or the limit of turns is reached."""
    table.over = reason
    table.step = PLAY
    table.to_move = table.player
    emit(table, EventKind.OVER, table.player, NO_CARD, reason, 0, EVERYONE)


@rule
def outcome(table: Table, result: Result) -> None:
    """K6.1 K6.2 K6.3 The one who meets the aim wins; else most chips, equal counts share."""
    result.reason = table.over
    most = 0
    for seat in range(table.players):
        result.scores[seat] = table.seats[seat].chips[0] + table.seats[seat].chips[1]
        most = max(most, result.scores[seat])
    for seat in range(table.players):
        if table.over == Reason.WON:
            result.winners[seat] = int(seat == table.player)
        else:
            result.winners[seat] = int(table.over != PLAYING and result.scores[seat] == most)


# K7 The draw deck runs out


@rule
def draw_card(table: Table, seat: int) -> bool:
    """K7.2 Draw a card if possible; return whether there was one."""
    if table.deck.count == 0:
        recycle(table)
    if table.deck.count == 0:
        return False
    card = pop(table.deck)
    push(table.seats[seat].hand, card)
    table.stirred = table.turn
    emit(table, EventKind.DREW, seat, card, 0, 0, only(seat))
    return True


@rule
def recycle(table: Table) -> None:
    """K7.1 Finished and blocked piles become the new draw deck; with the option, specials too."""
    for card in range(KINDS):
        for _ in range(table.finished[card]):
            push(table.deck, card)
        table.finished[card] = 0
        if table.options.recycle == RECYCLE_ALL:
            for _ in range(table.spent[card]):
                push(table.deck, card)
            table.spent[card] = 0
    if table.deck.count > 0:
        shuffle_deck(table)
