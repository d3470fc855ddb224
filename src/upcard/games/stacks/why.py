"""Reasons for moves in Stacks: the strongest one, as a message code.

Only its owner knows a hand, and everyone else gets a public reason: reasons are derived from the view of the
viewer who asks, so they cannot reveal a secret.
"""

from __future__ import annotations

__all__ = ["why"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from upcard.core.messages import SeatMessage
from upcard.core.piles import copy_cards, count_of, top
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
    FROM_TOP,
    HAND_OF,
    MOVE_COUNT,
    PILE_NAMES,
    card_in,
    half_in,
    is_discard,
    is_play_on_pile,
    pile_in,
    source_in,
    special_in,
    target_in,
)
from upcard.games.stacks.options import RECYCLE_ALL
from upcard.games.stacks.rules import (
    CHIPS_OF_EACH,
    CHIPS_TO_WIN,
    PILES_OF_A_COLOUR,
    copies,
    fits,
    has_won,
    legal,
    next_player,
    source_card,
    use_special,
)
from upcard.games.stacks.table import HAND, Table
from upcard.games.stacks.view import View, copy_public
from upcard.i18n import Message

Heights = tuple[int, ...]


def why(view: View, move: int, names: Sequence[str]) -> Message:
    """Return the strongest reason for a legal move that can be seen from a view."""
    asked = Question(view, move, names)
    reasons = (reason(asked) for reason in _to_think_of(asked))
    return next(message for message in reasons if message is not None)


def _to_think_of(asked: Question) -> Sequence[Callable[[Question], Message | None]]:
    """Return the possible reasons, the strongest first."""
    if asked.move in (BLOCK_IT, ALLOW, END):
        return {BLOCK_IT: BLOCKS, ALLOW: ALLOWS, END: ENDS}[asked.move]
    if is_discard(asked.move):
        return DISCARDS
    if is_play_on_pile(asked.move):
        return FINISHING if asked.reached == HIGHEST else BUILDING
    return {SKIP: TURNS, REVERSE: TURNS, CARD: CARD_THEFTS, CHIP: CHIP_THEFTS}[special_in(asked.move)]


@dataclass(frozen=True)
class Question:
    """The question why a move is made, asked by the viewer of a view."""

    view: View
    move: int
    names: Sequence[str]

    # The player and the card

    @property
    def seat(self) -> int:
        """The seat whose turn it is. (To block or to allow is the answer of another seat.)"""
        return self.view.player

    @property
    def knows_hand(self) -> bool:
        """Whether the player asks. Only then may a reason mention the hand."""
        return self.view.viewer == self.seat

    @cached_property
    def table(self) -> Table:
        """A table with everything that is known, for use with the rules; cards in other hands have no
        faces."""
        table = Table()
        copy_public(table, self.view)
        for seat in range(self.view.players):
            table.seats[seat].hand.count = self.view.seats[seat].hand_count
        if self.knows_hand:
            copy_cards(table.seats[self.seat].hand, self.view.hand)
        return table

    @property
    def card(self) -> int:
        return card_in(self.move) if is_discard(self.move) else source_card(self.table, self.move)

    @property
    def from_hand(self) -> bool:
        return source_in(self.move) != FROM_TOP

    @property
    def left_in_hand(self) -> int:
        """The number of cards left in the hand."""
        return self.view.seats[self.seat].hand_count - int(self.from_hand)

    @property
    def rest(self) -> list[int]:
        """The cards that are left in the hand, as far as they are known."""
        if not self.knows_hand:
            return []
        cards = self.view.hand.cards[: self.view.hand.count]
        if self.from_hand:
            cards.remove(self.card)
        return cards

    @property
    def discards(self) -> list[int]:
        """The rest of the player's discard pile, the top last."""
        pile = self.view.seats[self.seat].discards
        return pile.cards[: pile.count - int(not self.from_hand)]

    @property
    def draws_a_hand(self) -> bool:
        """K3.5 Whether there are five cards to draw once the hand is empty."""
        spent = sum(self.view.spent) if self.view.options.recycle == RECYCLE_ALL else 0
        return self.view.deck_count + sum(self.view.finished) + spent >= HAND

    # Piles

    @property
    def pile(self) -> int:
        return pile_in(self.move)

    @property
    def colour(self) -> int:
        return self.pile // PILES_OF_A_COLOUR

    @property
    def reached(self) -> int:
        """The number that the pile reaches with the card."""
        return self.view.piles[self.pile].height + 1

    @property
    def before(self) -> Heights:
        """The numbers that the piles have reached."""
        return tuple(pile.height for pile in self.view.piles)

    @property
    def after(self) -> Heights:
        """The numbers that they reach with the card."""
        return _grown(self.before, self.pile)

    # Chips

    def chips(self, seat: int) -> tuple[int, int]:
        red, blue = self.view.seats[seat].chips
        return red, blue

    def chips_after(self, pile: int) -> tuple[int, int]:
        """K3.4 The chips that the player has once a pile is completed."""
        colour = pile // PILES_OF_A_COLOUR
        return _and(self.chips(self.seat), colour, int(self.view.bank[colour] > 0))

    def nobody_has_more(self, seat: int) -> bool:
        """Whether there is no player with more chips."""
        return all(sum(self.chips(other)) <= sum(self.chips(seat)) for other in range(self.view.players))

    @property
    def can_be_blocked(self) -> bool:
        """K5.2 Whether an opponent could hold a block."""
        view = self.view
        seen = view.spent[BLOCK] + self.rest.count(BLOCK)
        seen += sum(count_of(seat.discards, BLOCK) for seat in view.seats[: view.players])
        return seen < copies(BLOCK, view.players, view.options.two_player_deck)

    # Turns

    @property
    def is_skip(self) -> bool:
        """K4.2 With two players, a reverse is one too."""
        return special_in(self.move) == SKIP or self.view.players == 2

    @property
    def next_before(self) -> int:
        """The seat that would have the next turn without the move."""
        return next_player(self.table.copy())

    @property
    def next_after(self) -> int:
        """K4.1 K4.2 The seat that has it after a skip or a reverse."""
        table = self.table.copy()
        use_special(table, self.move)
        return next_player(table)

    @property
    def takes_turn_away(self) -> bool:
        """Whether an opponent loses the next turn."""
        return self.seat != self.next_before != self.next_after

    # Messages

    def about_me(self, code: str, **parameters: str | int) -> Message:
        """Return a reason that concerns the player."""
        return SeatMessage(code, {"name": self.names[self.seat], **parameters}, self.seat)

    def about(self, other: int, code: str, **parameters: str | int) -> Message:
        """Return a reason that concerns another player."""
        return SeatMessage(code, {"other": self.names[other], **parameters}, other=other)


def _and(chips: tuple[int, int], colour: int, more: int) -> tuple[int, int]:
    red, blue = chips
    return (red + more, blue) if colour == 0 else (red, blue + more)


def _short(chips: tuple[int, int]) -> int:
    """K6.1 Return the number of chips that are missing to win."""
    red, blue = chips
    return max(CHIPS_TO_WIN - red - blue, max(0, CHIPS_OF_EACH - red) + max(0, CHIPS_OF_EACH - blue))


def _grown(heights: Heights, pile: int) -> Heights:
    return (*heights[:pile], (heights[pile] + 1) % HIGHEST, *heights[pile + 1 :])


def _piles_for(heights: Heights, card: int) -> list[int]:
    """K3.2 Return the piles that take a card."""
    return [pile for pile, height in enumerate(heights) if card < NUMBERED and fits(card, height, pile)]


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


def draws_five(asked: Question) -> Message | None:
    if asked.from_hand and asked.left_in_hand == 0 and asked.draws_a_hand:
        return Message("stacks.why_refills")
    return None


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
            _grown(heights, pile),
            _and(chips, colour_of(card), int(heights[pile] + 1 == HIGHEST)),
        )
        for place, card in enumerate(hand)
        if card not in hand[:place]
        for pile in _piles_for(heights, card)
    )


def frees_a_discard(asked: Question) -> Message | None:
    if asked.from_hand or not asked.discards or not _piles_for(asked.after, asked.discards[-1]):
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


# Reasons for a skip or a reverse, the strongest first


def keeps_from_winning(asked: Question) -> Message | None:
    if asked.takes_turn_away and _short(asked.chips(asked.next_before)) == 1:
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
    piles = sorted(_piles_for(asked.before, card), key=lambda pile: -asked.before[pile])
    if not piles:
        return None
    completes = asked.before[piles[0]] == HIGHEST - 1
    parameters: dict[str, str | int] = {"card": write_card(card), "pile": PILE_NAMES[piles[0]]}
    return Message("stacks.why_card_completes" if completes else "stacks.why_card_fits", parameters)


def weakens(asked: Question) -> Message | None:
    if _short(asked.chips(target_in(asked.move))) == 1:
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
    if has_won(*_and(asked.chips(asked.seat), half_in(asked.move), 1)):
        return asked.about_me("stacks.why_theft_wins")
    return None


def keeps_from_last_chip(asked: Question) -> Message | None:
    chips = asked.chips(target_in(asked.move))
    if _short(chips) == 1 < _short(_and(chips, half_in(asked.move), -1)):
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
    short = _short(asked.chips_after(asked.view.asked_pile))
    return _blockable(asked, "stacks.why_allow_far", short=short) if short > 1 else None


def keeps_the_block(asked: Question) -> Message:
    return Message("stacks.why_allow")


ALLOWS = (is_unfinished, brings_no_chip, is_far_from_winning, keeps_the_block)
