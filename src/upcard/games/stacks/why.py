"""Reasons for moves in Stacks: the strongest one, as a message code.

Only its owner knows a hand, and everyone else gets a public reason: reasons are derived from the view of the
viewer who asks, so they cannot reveal a secret.
"""

from __future__ import annotations

__all__ = ["why"]

from collections.abc import Sequence

from upcard.core.reasons import Reason, strongest
from upcard.games.stacks.deck import (
    BLOCK,
    CARD,
    CHIP,
    HIGHEST,
    NUMBERED,
    REVERSE,
    SKIP,
    WILD_NUMBER,
    colour_of,
    number_of,
    write_card,
)
from upcard.games.stacks.moves import (
    ALLOW,
    BLOCK_IT,
    END,
    MOVE_COUNT,
    PILE_NAMES,
    is_discard,
    is_play_on_pile,
    special_in,
)
from upcard.games.stacks.question import Heights, Question, chips_short, grown, piles_for, with_chips
from upcard.games.stacks.rules import (
    PILES_OF_A_COLOUR,
    has_won,
    legal,
)
from upcard.games.stacks.view import View
from upcard.games.stacks.why_specials import CARD_THEFTS, CHIP_THEFTS, TURNS, draws_five
from upcard.i18n import Message


def why(view: View, move: int, names: Sequence[str]) -> Message:
    """Return the strongest reason for a legal move that can be seen from a view."""
    asked = Question(view, move, names)
    return strongest(asked, _to_think_of(asked))


def _to_think_of(asked: Question) -> Sequence[Reason]:
    """Return the possible reasons, the strongest first."""
    if asked.move in (BLOCK_IT, ALLOW, END):
        return {BLOCK_IT: BLOCKS, ALLOW: ALLOWS, END: ENDS}[asked.move]
    if is_discard(asked.move):
        return DISCARDS
    if is_play_on_pile(asked.move):
        return FINISHING if asked.reached == HIGHEST else BUILDING
    return {SKIP: TURNS, REVERSE: TURNS, CARD: CARD_THEFTS, CHIP: CHIP_THEFTS}[special_in(asked.move)]


# Reasons for the last card of a pile, the strongest first


def wins(asked: Question) -> Message | None:
    if not has_won(*asked.chips_after(asked.pile)):
        return None
    code = "stacks.why_wins_unless" if asked.can_be_blocked else "stacks.why_wins"
    return Message(code, {"pile": PILE_NAMES[asked.pile]})


def earns_a_chip(asked: Question) -> Message | None:
    if asked.view.bank[asked.colour] == 0:
        return None
    number = sum(asked.chips_after(asked.pile))
    return asked.about_me("stacks.why_chip", pile=PILE_NAMES[asked.pile], number=number)


def clears_a_place(asked: Question) -> Message:
    return Message("stacks.why_clears", {"pile": PILE_NAMES[asked.pile]})


FINISHING = (wins, earns_a_chip, clears_a_place)


# Reasons for another card on a pile, the strongest first


def can_be_finished(asked: Question) -> Message | None:
    if asked.view.bank[asked.colour] == 0 or not _has_run(asked):
        return None
    return Message("stacks.why_builds", {"pile": PILE_NAMES[asked.pile]})


def _has_run(asked: Question) -> bool:
    """Whether the hand, with the top of the player's discard pile, has all the cards that a pile still
    needs."""
    hand, discards = asked.rest, asked.discards
    wild = (asked.colour + 1) * (HIGHEST + 1) - 1
    for number in range(asked.reached, HIGHEST):
        needed = asked.colour * (HIGHEST + 1) + number
        for card in (needed, wild):
            if card in hand:
                hand.remove(card)
                break
            if card in discards[-1:]:
                discards.pop()
                break
        else:
            return False
    return asked.knows_hand


def can_be_played_out(asked: Question) -> Message | None:
    hand = tuple(sorted(asked.rest))
    if hand and asked.draws_a_hand and _goes_out(hand, asked.after, asked.chips(asked.seat)):
        return Message("stacks.why_plays_out")
    return None


def _goes_out(hand: tuple[int, ...], heights: Heights, chips: tuple[int, int]) -> bool:
    """Whether a hand (in the order of the deck) can be played to its last card, without the help of thefts
    and without winning before."""
    if not hand or hand[-1] > REVERSE or has_won(*chips):
        return not hand
    if hand[-1] in (SKIP, REVERSE):
        return _goes_out(hand[:-1], heights, chips)
    return any(
        _goes_out(
            (*hand[:place], *hand[place + 1 :]),
            grown(heights, pile),
            with_chips(chips, colour_of(card), int(heights[pile] + 1 == HIGHEST)),
        )
        for place, card in enumerate(hand)
        if card not in hand[:place]
        for pile in piles_for(heights, card)
    )


def frees_a_discard(asked: Question) -> Message | None:
    if asked.from_hand or not asked.discards or not piles_for(asked.after, asked.discards[-1]):
        return None
    return Message("stacks.why_top_frees", {"card": write_card(asked.discards[-1])})


def costs_no_card(asked: Question) -> Message | None:
    if asked.from_hand:
        return None
    return Message("stacks.why_top_free", {"card": write_card(asked.card)})


def shortens_the_hand(asked: Question) -> Message | None:
    if not asked.draws_a_hand:
        return None
    return Message("stacks.why_shortens", {"left": asked.left_in_hand})


def builds(asked: Question) -> Message:
    return Message("stacks.why_grows", {"pile": PILE_NAMES[asked.pile], "reached": asked.reached})


BUILDING = (
    *(can_be_finished, draws_five, can_be_played_out, frees_a_discard),
    *(costs_no_card, shortens_the_hand, builds),
)


# Reasons to stop, the strongest first


def ends_the_game(asked: Question) -> Message | None:
    """K6.3 The last turn is over, and nobody has more chips."""
    if asked.view.turn < asked.view.options.turn_limit or not asked.nobody_has_more(asked.seat):
        return None
    return asked.about_me("stacks.why_last_turn")


def opens_no_pile(asked: Question) -> Message | None:
    """Any card put on a pile would leave it one card short, and the player does not have that card."""
    plays = [play for play in _other_moves(asked) if is_play_on_pile(play.move)]
    if not plays or any(play.reached != HIGHEST - 1 or _has_run(play) for play in plays):
        return None
    if asked.next_before == asked.seat:
        return None
    return asked.about(asked.next_before, "stacks.why_holds_back")


def _other_moves(asked: Question) -> list[Question]:
    """Return the other moves of the player, as far as they are known."""
    moves = [0] * MOVE_COUNT
    count = legal(asked.table, moves) if asked.knows_hand else 0
    return [Question(asked.view, move, asked.names) for move in moves[:count] if move != asked.move]


def has_another(asked: Question) -> Message | None:
    if asked.card in asked.rest:
        return Message("stacks.why_twice", {"card": write_card(asked.card)})
    return None


def fits_nowhere_soon(asked: Question) -> Message | None:
    if asked.card >= NUMBERED or number_of(asked.card) == WILD_NUMBER:
        return None
    first = colour_of(asked.card) * PILES_OF_A_COLOUR
    heights = asked.before[first : first + PILES_OF_A_COLOUR]
    lacking = min((number_of(asked.card) - 1 - height) % HIGHEST for height in heights)
    if lacking < 2:
        return None
    return Message("stacks.why_far", {"card": write_card(asked.card), "lacking": lacking})


def nothing_else(asked: Question) -> Message | None:
    if asked.knows_hand and all(is_discard(other.move) for other in _other_moves(asked)):
        return Message("stacks.why_nothing")
    return None


def stays_ready(asked: Question) -> Message | None:
    """K3.3 The top of the discard pile can be played in a later turn; K5.3 a block cannot."""
    if asked.card == BLOCK:
        return None
    return asked.about_me("stacks.why_ready", card=write_card(asked.card))


def gives_up_a_block(asked: Question) -> Message:
    return Message("stacks.why_gives_up")


DISCARDS = (
    *(ends_the_game, opens_no_pile, has_another, fits_nowhere_soon),
    *(nothing_else, stays_ready, gives_up_a_block),
)


def keeps_top(asked: Question) -> Message:
    """K3.7 With an empty hand, the turn ends without a discard."""
    return asked.about_me("stacks.why_end", card=write_card(asked.discards[-1]))


ENDS = (ends_the_game, keeps_top)


# Reasons to block, and to allow, the strongest first


def _is_finished(asked: Question) -> bool:
    return asked.view.piles[asked.view.asked_pile].height == HIGHEST


def _blockable(asked: Question, code: str, **parameters: str | int) -> Message:
    """Return a reason that concerns the player whose pile it is."""
    return asked.about(asked.seat, code, pile=PILE_NAMES[asked.view.asked_pile], **parameters)


def prevents_a_win(asked: Question) -> Message | None:
    if _is_finished(asked) and has_won(*asked.chips_after(asked.view.asked_pile)):
        return _blockable(asked, "stacks.why_block_saves")
    return None


def prevents_a_chip(asked: Question) -> Message | None:
    chips = asked.chips_after(asked.view.asked_pile)
    if _is_finished(asked) and chips != asked.chips(asked.seat):
        return _blockable(asked, "stacks.why_block_chip", number=sum(chips))
    return None


def takes_pile_away(asked: Question) -> Message:
    return _blockable(asked, "stacks.why_block")


BLOCKS = (prevents_a_win, prevents_a_chip, takes_pile_away)


def is_unfinished(asked: Question) -> Message | None:
    return None if _is_finished(asked) else _blockable(asked, "stacks.why_allow_unfinished")


def brings_no_chip(asked: Question) -> Message | None:
    chips = asked.chips_after(asked.view.asked_pile)
    if chips != asked.chips(asked.seat) or has_won(*chips):
        return None
    return _blockable(asked, "stacks.why_allow_no_chip")


def is_far_from_winning(asked: Question) -> Message | None:
    short = chips_short(asked.chips_after(asked.view.asked_pile))
    return _blockable(asked, "stacks.why_allow_far", short=short) if short > 1 else None


def keeps_the_block(asked: Question) -> Message:
    return Message("stacks.why_allow")


ALLOWS = (is_unfinished, brings_no_chip, is_far_from_winning, keeps_the_block)
