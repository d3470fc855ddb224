"""What looks best at first sight in Stacks, to one seat, from its view alone."""

from __future__ import annotations

__all__ = ["worth"]

from typing import Any

from upcard.core.piles import count_of, top
from upcard.core.rule import rule
from upcard.games.stacks.deck import (
    BLOCK,
    CARD,
    CHIP,
    HIGHEST,
    NUMBERED,
    SKIP,
    WILD_NUMBER,
    colour_of,
    number_of,
)
from upcard.games.stacks.moves import (
    ALLOW,
    END,
    FROM_TOP,
    TOP_OF,
    card_in,
    half_in,
    is_discard,
    is_play_on_pile,
    pile_in,
    source_in,
    special_in,
    target_in,
)
from upcard.games.stacks.rules import PILES_OF_A_COLOUR, has_won
from upcard.games.stacks.table import ASK, Hand, Table
from upcard.games.stacks.view import View

# A move worth less than any discard is not made.
NEVER = -10_000


def _hand_seen(view: View) -> Hand:
    return view.hand


@rule(in_view=_hand_seen)
def own_hand(position: Any) -> Hand:
    """Return the hand of the player whose turn it is."""
    hand: Hand = position.seats[position.player].hand
    return hand


@rule
def worth(view: Table | View, move: int) -> int:
    """Finish what can be finished, get cards off, open nothing for the next player, keep wilds.

    Discards are worth less than nothing, so that every play worth making comes first.
    """
    if view.step == ASK:
        return worth_of_answer(view, move)
    if move == END:
        return -50
    if is_discard(move):
        return -100 - keeping(view, card_in(move))
    if is_play_on_pile(move):
        return worth_on_pile(view, move)
    return worth_of_special(view, move)


@rule
def worth_of_answer(view: Table | View, move: int) -> int:
    """Block a pile that brings a chip, once the player has enough of them to be feared."""
    if move == ALLOW:
        return 0
    colour = view.asked_pile // PILES_OF_A_COLOUR
    chips = view.seats[view.player].chips
    finished = view.piles[view.asked_pile].height == HIGHEST
    if not finished or view.bank[colour] == 0:
        return -1
    if has_won(chips[0] + int(colour == 0), chips[1] + int(colour == 1)):
        return 1000
    return 10 if chips[0] + chips[1] >= 2 else -1


@rule
def worth_on_pile(view: Table | View, move: int) -> int:
    """A finished pile is best; a pile left at three or four is a present for the next player."""
    pile = pile_in(move)
    colour = pile // PILES_OF_A_COLOUR
    reached = view.piles[pile].height + 1
    me = view.seats[view.player]
    from_top = source_in(move) == FROM_TOP
    card = top(me.discards) if from_top else card_in(move)
    wild = number_of(card) == WILD_NUMBER
    if view.bank[colour] == 0:
        return NEVER
    chips = me.chips
    if reached == HIGHEST:
        if has_won(chips[0] + int(colour == 0), chips[1] + int(colour == 1)):
            return 9000
        return 3000 - (200 if wild else 0)
    steps = steps_in_hand(view, colour, reached)
    if reached + steps >= HIGHEST:
        return 2000 + reached - (50 if wild else 0)
    value = 300 if from_top else 200
    if reached + steps >= HIGHEST - 1:
        value -= 350  # leaves the last card to somebody else
    if wild:
        value -= 400
    return value


@rule
def steps_in_hand(view: Table | View, colour: int, reached: int) -> int:
    """Return how many more cards of a run the own hand (and discard top) could add from here."""
    steps = 0
    wilds = count_number(view, colour, WILD_NUMBER)
    for number in range(reached + 1, HIGHEST + 1):
        if count_number(view, colour, number) == 0:
            if wilds == 0:
                return steps
            wilds -= 1
        steps += 1
    return steps


@rule
def count_number(view: Table | View, colour: int, number: int) -> int:
    """Return how many cards of a colour and number the player could play now."""
    found = 0
    hand = own_hand(view)
    for place in range(hand.count):
        found += int(is_card(hand.cards[place], colour, number))
    discards = view.seats[view.player].discards
    if discards.count > 0:
        found += int(is_card(top(discards), colour, number))
    return found


@rule
def is_card(card: int, colour: int, number: int) -> bool:
    """Tell whether a card has this colour and number."""
    return card < NUMBERED and colour_of(card) == colour and number_of(card) == number


@rule
def worth_of_special(view: Table | View, move: int) -> int:
    """Skip and reverse cost nothing; steal chips where it hurts, and cards that are of use."""
    special = special_in(move)
    if special == CHIP:
        victim = view.seats[target_in(move)].chips
        mine = view.seats[view.player].chips[half_in(move)]
        return 600 + 40 * (victim[0] + victim[1]) - 60 * mine - far_round(view, target_in(move))
    if special == CARD:
        if half_in(move) == TOP_OF:
            card = top(view.seats[target_in(move)].discards)
            return 150 + keeping(view, card) - far_round(view, target_in(move))
        return 260 - far_round(view, target_in(move))
    if special == SKIP:
        return 100
    return 50


@rule
def far_round(view: Table | View, seat: int) -> int:
    """Return how far round the table a seat is: of equal victims, the next one is chosen."""
    return (seat - view.player) * view.direction % view.players


@rule
def keeping(view: Table | View, card: int) -> int:
    """Return how much one would like to keep a card in the hand."""
    if card == BLOCK:
        return 90
    if card in (CARD, CHIP):
        return 60
    if card >= NUMBERED:
        return 50
    if number_of(card) == WILD_NUMBER:
        return 95
    # A card that one has twice is the first to go; then those that no pile will want for long.
    return 30 - 15 * int(count_of(own_hand(view), card) > 1) - far_away(view, card)


@rule
def far_away(view: Table | View, card: int) -> int:
    """Return how many cards the nearest pile of its colour lacks before this one fits."""
    first = colour_of(card) * PILES_OF_A_COLOUR
    nearest = HIGHEST
    for pile in range(first, first + PILES_OF_A_COLOUR):
        nearest = min(nearest, (number_of(card) - 1 - view.piles[pile].height) % HIGHEST)
    return nearest
