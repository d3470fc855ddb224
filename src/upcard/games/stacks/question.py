"""The question why a move is made in Stacks, with the facts of a view that the reasons need."""

from __future__ import annotations

__all__ = ["Heights", "Question", "chips_short", "grown", "piles_for", "with_chips"]

from dataclasses import dataclass
from functools import cached_property

from upcard.core.piles import copy_cards, count_of
from upcard.core.reasons import MoveQuestion
from upcard.games.stacks.deck import (
    BLOCK,
    HIGHEST,
    NUMBERED,
    SKIP,
)
from upcard.games.stacks.moves import (
    FROM_TOP,
    card_in,
    is_discard,
    pile_in,
    source_in,
    special_in,
)
from upcard.games.stacks.options import RECYCLE_ALL
from upcard.games.stacks.rules import (
    CHIPS_OF_EACH,
    CHIPS_TO_WIN,
    PILES_OF_A_COLOUR,
    copies,
    fits,
    next_player,
    source_card,
    use_special,
)
from upcard.games.stacks.table import HAND, Table
from upcard.games.stacks.view import View, copy_public

Heights = tuple[int, ...]


@dataclass(frozen=True)
class Question(MoveQuestion):
    """The question why a move is made, asked by the viewer of a view."""

    view: View

    # The player and the card

    @property
    def seat(self) -> int:
        """The seat whose turn it is. (To block or to allow is the answer of another seat.)"""
        return self.view.player

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
        return grown(self.before, self.pile)

    # Chips

    def chips(self, seat: int) -> tuple[int, int]:
        red, blue = self.view.seats[seat].chips
        return red, blue

    def chips_after(self, pile: int) -> tuple[int, int]:
        """K3.4 The chips that the player has once a pile is completed."""
        colour = pile // PILES_OF_A_COLOUR
        return with_chips(self.chips(self.seat), colour, int(self.view.bank[colour] > 0))

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


def with_chips(chips: tuple[int, int], colour: int, more: int) -> tuple[int, int]:
    red, blue = chips
    return (red + more, blue) if colour == 0 else (red, blue + more)


def chips_short(chips: tuple[int, int]) -> int:
    """K6.1 Return the number of chips that are missing to win."""
    red, blue = chips
    return max(CHIPS_TO_WIN - red - blue, max(0, CHIPS_OF_EACH - red) + max(0, CHIPS_OF_EACH - blue))


def grown(heights: Heights, pile: int) -> Heights:
    return (*heights[:pile], (heights[pile] + 1) % HIGHEST, *heights[pile + 1 :])


def piles_for(heights: Heights, card: int) -> list[int]:
    """K3.2 Return the piles that take a card."""
    return [pile for pile, height in enumerate(heights) if card < NUMBERED and fits(card, height, pile)]
