"""The heuristic and the evaluation of Stacks, from the view of a seat alone."""

from __future__ import annotations

__all__ = ["HORIZON", "evaluate", "heuristic"]

from typing import Any

from upcard.core.game import DOMINATED
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


def _hand_seen(view: View) -> Hand:
    return view.hand


@rule(in_view=_hand_seen)
def own_hand(position: Any) -> Hand:
    """Return the hand of the player whose turn it is."""
    hand: Hand = position.seats[position.player].hand
    return hand


# Length of a rollout before the table is evaluated, in moves of each player.
HORIZON = 6


@rule
def heuristic(position: Table | View, move: int) -> int:
    """Complete piles, get rid of cards, do not help the next player, keep wilds.

    Discards have negative values, so that every useful play comes first.
    """
    if position.step == ASK:
        return score_answer(position, move)
    if move == END:
        return -50
    if is_discard(move):
        return -100 - keep_value(position, card_in(move))
    if is_play_on_pile(move):
        return score_play(position, move)
    return score_special(position, move)


@rule
def score_answer(position: Table | View, move: int) -> int:
    """Block a pile that brings a chip, once the player has enough of them to be feared."""
    if move == ALLOW:
        return 0
    colour = position.asked_pile // PILES_OF_A_COLOUR
    chips = position.seats[position.player].chips
    finished = position.piles[position.asked_pile].height == HIGHEST
    if not finished or position.bank[colour] == 0:
        return -1
    if has_won(chips[0] + int(colour == 0), chips[1] + int(colour == 1)):
        return 1000
    return 10 if chips[0] + chips[1] >= 2 else -1


@rule
def score_play(position: Table | View, move: int) -> int:
    """Completing a pile is best; a pile left at three or four is a present for the next player."""
    pile = pile_in(move)
    colour = pile // PILES_OF_A_COLOUR
    reached = position.piles[pile].height + 1
    me = position.seats[position.player]
    from_top = source_in(move) == FROM_TOP
    card = top(me.discards) if from_top else card_in(move)
    wild = number_of(card) == WILD_NUMBER
    if position.bank[colour] == 0 or has_lower_twin(position, pile):
        return DOMINATED
    chips = me.chips
    if reached == HIGHEST:
        if has_won(chips[0] + int(colour == 0), chips[1] + int(colour == 1)):
            return 9000
        return 3000 - (200 if wild else 0)
    steps = steps_in_hand(position, colour, reached)
    if reached + steps >= HIGHEST:
        return 2000 + reached - (50 if wild else 0)
    value = 300 if from_top else 200
    if reached + steps >= HIGHEST - 1:
        value -= 350  # leaves the last card to someone else
    if wild:
        value -= 400
    return value


@rule
def has_lower_twin(position: Table | View, pile: int) -> bool:
    """Whether the pile before this one has the same colour and height, so that it is just as good."""
    return pile % PILES_OF_A_COLOUR > 0 and position.piles[pile - 1].height == position.piles[pile].height


@rule
def steps_in_hand(position: Table | View, colour: int, reached: int) -> int:
    """Return the number of further cards that the player's hand (and top discard) could add from here."""
    steps = 0
    wilds = count_number(position, colour, WILD_NUMBER)
    for number in range(reached + 1, HIGHEST + 1):
        if count_number(position, colour, number) == 0:
            if wilds == 0:
                return steps
            wilds -= 1
        steps += 1
    return steps


@rule
def count_number(position: Table | View, colour: int, number: int) -> int:
    """Return the number of cards of a colour and number that the player could play now."""
    found = 0
    hand = own_hand(position)
    for place in range(hand.count):
        found += int(is_card(hand.cards[place], colour, number))
    discards = position.seats[position.player].discards
    if discards.count > 0:
        found += int(is_card(top(discards), colour, number))
    return found


@rule
def is_card(card: int, colour: int, number: int) -> bool:
    """Whether a card has this colour and number."""
    return card < NUMBERED and colour_of(card) == colour and number_of(card) == number


@rule
def score_special(position: Table | View, move: int) -> int:
    """Skip and reverse cost nothing; steal chips where it hurts, and useful cards."""
    special = special_in(move)
    if special == CHIP:
        victim = position.seats[target_in(move)].chips
        mine = position.seats[position.player].chips[half_in(move)]
        return 600 + 40 * (victim[0] + victim[1]) - 60 * mine - seats_away(position, target_in(move))
    if special == CARD:
        if half_in(move) == TOP_OF:
            card = top(position.seats[target_in(move)].discards)
            return 150 + keep_value(position, card) - seats_away(position, target_in(move))
        return 260 - seats_away(position, target_in(move))
    if special == SKIP:
        return 100
    return 50


@rule
def seats_away(position: Table | View, seat: int) -> int:
    """Return the distance of a seat round the table: of equal victims, the nearest is chosen."""
    return (seat - position.player) * position.direction % position.players


@rule
def keep_value(position: Table | View, card: int) -> int:
    """Return the value of keeping a card in the hand."""
    if card == BLOCK:
        return 90
    if card in (CARD, CHIP):
        return 60
    if card >= NUMBERED:
        return 50
    if number_of(card) == WILD_NUMBER:
        return 95
    # Discard duplicates first, then cards that no pile will need for a long time.
    return 30 - 15 * int(count_of(own_hand(position), card) > 1) - cards_until_playable(position, card)


@rule
def cards_until_playable(position: Table | View, card: int) -> int:
    """Return the number of cards that the nearest pile of its colour needs before this one fits."""
    first = colour_of(card) * PILES_OF_A_COLOUR
    nearest = HIGHEST
    for pile in range(first, first + PILES_OF_A_COLOUR):
        nearest = min(nearest, (number_of(card) - 1 - position.piles[pile].height) % HIGHEST)
    return nearest


@rule
def evaluate(table: Table, seat: int) -> int:
    """Value chips, more so of both colours; specials and wilds in the hand; and the turn."""
    chips = table.seats[seat].chips
    hand = table.seats[seat].hand
    value = 30 * (chips[0] + chips[1]) + 35 * min(chips[0], chips[1]) + 15 * int(table.player == seat)
    for place in range(hand.count):
        card = hand.cards[place]
        if card >= NUMBERED:
            value += 25
        elif number_of(card) == WILD_NUMBER:
            value += 20
    return value
