"""Reasons for special cards in Stacks: skips, reverses and thefts."""

from __future__ import annotations

__all__ = ["CARD_THEFTS", "CHIP_THEFTS", "TURNS", "draws_five"]


from upcard.core.piles import top
from upcard.games.stacks.deck import (
    BLOCK,
    HIGHEST,
    write_card,
)
from upcard.games.stacks.moves import (
    HAND_OF,
    PILE_NAMES,
    half_in,
    target_in,
)
from upcard.games.stacks.question import Question, chips_short, piles_for, with_chips
from upcard.games.stacks.rules import (
    CHIPS_OF_EACH,
    PILES_OF_A_COLOUR,
    has_won,
)
from upcard.i18n import Message

# Reasons for a skip or a reverse, the strongest first


def keeps_from_winning(asked: Question) -> Message | None:
    if asked.takes_turn_away and chips_short(asked.chips(asked.next_before)) == 1:
        return asked.about(asked.next_before, "stacks.why_skip_saves")
    return None


def keeps_from_a_pile(asked: Question) -> Message | None:
    for pile, height in enumerate(asked.before):
        if asked.takes_turn_away and height == HIGHEST - 1 and asked.view.bank[pile // PILES_OF_A_COLOUR]:
            return asked.about(asked.next_before, "stacks.why_skip_pile", pile=PILE_NAMES[pile])
    return None


def plays_again(asked: Question) -> Message | None:
    if asked.next_after == asked.seat != asked.next_before:
        return asked.about_me("stacks.why_again")
    return None


def draws_five(asked: Question) -> Message | None:
    if asked.from_hand and asked.left_in_hand == 0 and asked.draws_a_hand:
        return Message("stacks.why_refills")
    return None


def goes_on_later(asked: Question) -> Message | None:
    """K4.1 The count has already come round to the player, and continues after the next turn."""
    if asked.is_skip and asked.next_before == asked.seat:
        return asked.about_me("stacks.why_skip_later")
    return None


def keeps_from_a_turn(asked: Question) -> Message | None:
    if not asked.is_skip:
        return None
    leads = asked.nobody_has_more(asked.next_before) and sum(asked.chips(asked.next_before)) > 0
    return asked.about(asked.next_before, "stacks.why_skip_leader" if leads else "stacks.why_skip")


def changes_the_next(asked: Question) -> Message | None:
    return asked.about(asked.next_before, "stacks.why_reverse") if asked.takes_turn_away else None


def turns_round(asked: Question) -> Message:
    return Message("stacks.why_turns")


TURNS = (
    *(keeps_from_winning, keeps_from_a_pile, draws_five, plays_again, goes_on_later),
    *(keeps_from_a_turn, changes_the_next, turns_round),
)


# Reasons to steal a card, the strongest first


def _stolen(asked: Question) -> int:
    """K4.3 Return the card that is stolen from a discard pile."""
    return top(asked.view.seats[target_in(asked.move)].discards)


def steals_what_fits(asked: Question) -> Message | None:
    if half_in(asked.move) == HAND_OF:
        return None
    card = _stolen(asked)
    piles = sorted(piles_for(asked.before, card), key=lambda pile: -asked.before[pile])
    if not piles:
        return None
    completes = asked.before[piles[0]] == HIGHEST - 1
    parameters: dict[str, str | int] = {"card": write_card(card), "pile": PILE_NAMES[piles[0]]}
    return Message("stacks.why_card_completes" if completes else "stacks.why_card_fits", parameters)


def weakens(asked: Question) -> Message | None:
    if chips_short(asked.chips(target_in(asked.move))) == 1:
        return asked.about(target_in(asked.move), "stacks.why_card_weakens")
    return None


def steals_off_pile(asked: Question) -> Message | None:
    if half_in(asked.move) == HAND_OF:
        return None
    if _stolen(asked) == BLOCK:
        return Message("stacks.why_card_block")
    return asked.about(target_in(asked.move), "stacks.why_card_ready", card=write_card(_stolen(asked)))


def steals_from_hand(asked: Question) -> Message:
    left = asked.view.seats[target_in(asked.move)].hand_count - 1
    return asked.about(target_in(asked.move), "stacks.why_card_hand", left=left)


CARD_THEFTS = (steals_what_fits, weakens, steals_off_pile, steals_from_hand)


# Reasons to steal a chip, the strongest first


def will_win(asked: Question) -> Message | None:
    """K4.4 The option lets the win come later."""
    if has_won(*with_chips(asked.chips(asked.seat), half_in(asked.move), 1)):
        return asked.about_me("stacks.why_theft_wins")
    return None


def keeps_from_last_chip(asked: Question) -> Message | None:
    chips = asked.chips(target_in(asked.move))
    if chips_short(chips) == 1 < chips_short(with_chips(chips, half_in(asked.move), -1)):
        return asked.about(target_in(asked.move), "stacks.why_theft_saves")
    return None


def robs_the_leader(asked: Question) -> Message | None:
    victim = target_in(asked.move)
    if not asked.nobody_has_more(victim) or sum(asked.chips(victim)) == sum(asked.chips(asked.seat)):
        return None
    return asked.about(victim, "stacks.why_theft_leader")


def lacks_the_colour(asked: Question) -> Message | None:
    if asked.chips(asked.seat)[half_in(asked.move)] < CHIPS_OF_EACH:
        return asked.about_me("stacks.why_theft_colour")
    return None


def steals_a_chip(asked: Question) -> Message:
    return asked.about_me("stacks.why_theft", number=sum(asked.chips(asked.seat)) + 1)


CHIP_THEFTS = (will_win, keeps_from_last_chip, robs_the_leader, lacks_the_colour, steals_a_chip)
