"""Reasons for moves in Stockpile: the strongest one, as a message code.

Nothing is private in Stockpile, so a move is explained to everyone in the same way.
"""

from __future__ import annotations

__all__ = ["why"]

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from upcard.core.piles import NO_CARD
from upcard.core.reasons import MoveQuestion, strongest
from upcard.core.seats import along
from upcard.games.stockpile.deck import HIGHEST, WILD, write_card
from upcard.games.stockpile.moves import PASS, SOURCES, STOCK, pile_of, play, source_of
from upcard.games.stockpile.rules import fits
from upcard.games.stockpile.view import View
from upcard.i18n import Message

# Maximum number of plays to look ahead within a turn.
SIGHT = 8
# A pile is on the way to the stockpile card if it needs at most this number of cards before it.
NEAR = 3

Heights = tuple[int, ...]
Stacks = tuple[tuple[int, ...], ...]


def why(view: View, move: int, names: Sequence[str]) -> Message:
    """Return the strongest reason for a legal move that can be seen from a view."""
    return strongest(Question(view, move, names), PASSES if move == PASS else PLAYS)


@dataclass(frozen=True)
class Question(MoveQuestion):
    """The question why a move is made, asked by the viewer of a view."""

    view: View

    @property
    def source(self) -> int:
        return source_of(self.move)

    @property
    def pile(self) -> int:
        return pile_of(self.move)

    @property
    def wanted(self) -> int:
        """The top card of the player's stockpile."""
        return self.view.seats[self.seat].stock_top

    @property
    def before(self) -> Heights:
        """The numbers that the piles have reached."""
        return tuple(pile.height for pile in self.view.piles)

    @property
    def after(self) -> Heights:
        """The numbers that they reach with the move."""
        return _grown(self.before, self.pile)

    @property
    def stacks(self) -> Stacks:
        """The player's stacks, their tops last."""
        return tuple(tuple(stack.cards[: stack.count]) for stack in self.view.seats[self.seat].stacks)

    @property
    def beneath(self) -> int:
        """The card that the move uncovers on a stack, NO_CARD if there is none."""
        stack = self.stacks[self.source - 1]
        return stack[-2] if len(stack) > 1 else NO_CARD

    @property
    def other_plays(self) -> list[Heights]:
        """The heights of the piles after every other play."""
        tops = (self.wanted, *(stack[-1] if stack else NO_CARD for stack in self.stacks))
        return [
            _grown(self.before, pile)
            for source, card in enumerate(tops)
            for pile, height in enumerate(self.before)
            if fits(card, height) and play(source, pile) != self.move
        ]

    def opponents(self) -> Iterator[tuple[int, int]]:
        """Yield the opponents, from the next one on, with the numbers that their stockpiles need."""
        for step in range(1, self.view.players):
            seat = along(self.seat, step, self.view.players)
            if self.view.seats[seat].stock_top not in (WILD, NO_CARD):
                yield seat, self.view.seats[seat].stock_top


# Piles, and the plays of a turn


def _takes(heights: Heights, card: int) -> bool:
    """Whether one of the piles takes a card."""
    return any(fits(card, height) for height in heights)


def _opens(before: Heights, after: Heights, card: int) -> bool:
    """Whether a move lets the piles take a card that they did not take before."""
    return _takes(after, card) and not _takes(before, card)


def _grown(heights: Heights, pile: int) -> Heights:
    reached = (heights[pile] + 1) % HIGHEST
    return (*heights[:pile], reached, *heights[pile + 1 :])


def _plays_until(wanted: int, heights: Heights, stacks: Stacks) -> int | None:
    """Return the minimum number of plays from the stacks until a pile takes the wanted card; None if no way
    is found."""
    positions = {(heights, stacks)}
    for plays in range(SIGHT):
        if any(_takes(heights, wanted) for heights, _ in positions):
            return plays
        positions = {later for heights, stacks in positions for later in _followers(heights, stacks)}
    return None


def _followers(heights: Heights, stacks: Stacks) -> Iterator[tuple[Heights, Stacks]]:
    """Yield the situations after one more play from a stack; piles of equal height are equivalent."""
    for place, stack in enumerate(stacks):
        for pile, height in enumerate(heights):
            if stack and fits(stack[-1], height):
                rest = (*stacks[:place], stack[:-1], *stacks[place + 1 :])
                yield tuple(sorted(_grown(heights, pile))), rest


def _lacking(wanted: int, height: int) -> int:
    """Return the number of cards that a pile needs before it takes the wanted one."""
    return (wanted - 1 - height) % HIGHEST


# Reasons for a play, the strongest first


def wins(asked: Question) -> Message | None:
    if asked.source == STOCK and asked.view.seats[asked.seat].stock_count == 1:
        return asked.about_me("stockpile.why_wins")
    return None


def plays_stock(asked: Question) -> Message | None:
    if asked.source == STOCK:
        return asked.about_me("stockpile.why_stock", left=asked.view.seats[asked.seat].stock_count - 1)
    return None


def opens_for_stock(asked: Question) -> Message | None:
    if not _opens(asked.before, asked.after, asked.wanted):
        return None
    last = asked.view.seats[asked.seat].stock_count == 1
    return asked.about_me("stockpile.why_opens_last" if last else "stockpile.why_opens", number=asked.wanted)


def leads_to_stock(asked: Question) -> Message | None:
    """The play is one of the fewest after which the stockpile can be played in the same turn."""
    place = asked.source - 1
    rest = (*asked.stacks[:place], asked.stacks[place][:-1], *asked.stacks[place + 1 :])
    left = _plays_until(asked.wanted, asked.after, rest)
    if left is None or _plays_until(asked.wanted, asked.before, asked.stacks) != left + 1:
        return None
    return asked.about_me("stockpile.why_leads", number=asked.wanted, plays=left)


def blocks(asked: Question) -> Message | None:
    for other, number in asked.opponents():
        if _opens(asked.after, asked.before, number):
            return asked.about(other, "stockpile.why_blocks", number=number)
    return None


def frees_a_card(asked: Question) -> Message | None:
    if asked.beneath != NO_CARD and _takes(asked.after, asked.beneath):
        return Message("stockpile.why_frees", {"card": write_card(asked.beneath)})
    return None


def comes_nearer(asked: Question) -> Message | None:
    """The pile that needs the fewest cards before the stockpile fits now needs one less."""
    if asked.wanted == WILD:
        return None
    lacking = [_lacking(asked.wanted, height) for height in asked.after]
    mine = lacking.pop(asked.pile)
    if not 0 < mine <= NEAR or mine >= min(lacking):
        return None
    return asked.about_me(
        "stockpile.why_nearer", pile=asked.pile + 1, reached=asked.after[asked.pile], number=asked.wanted
    )


def completes_a_pile(asked: Question) -> Message | None:
    if asked.after[asked.pile] == 0:
        return Message("stockpile.why_completes", {"pile": asked.pile + 1})
    return None


def keeps_closed(asked: Question) -> Message | None:
    """Another play would have made a number playable for another player."""
    for other, number in asked.opponents():
        would_open = any(_opens(asked.before, heights, number) for heights in asked.other_plays)
        if would_open and not _takes(asked.after, number):
            return asked.about(other, "stockpile.why_avoids", number=number)
    return None


def empties_a_stack(asked: Question) -> Message | None:
    if asked.beneath == NO_CARD:
        return Message("stockpile.why_empties", {"stack": SOURCES[asked.source]})
    return None


def only_play(asked: Question) -> Message | None:
    return None if asked.other_plays else Message("stockpile.why_only")


def uncovers_a_card(asked: Question) -> Message:
    parameters: dict[str, str | int] = {"card": write_card(asked.beneath), "stack": SOURCES[asked.source]}
    return Message("stockpile.why_uncovers", parameters)


PLAYS = (
    *(wins, plays_stock, opens_for_stock, leads_to_stock, blocks, frees_a_card, comes_nearer),
    *(completes_a_pile, keeps_closed, empties_a_stack, only_play, uncovers_a_card),
)


# Reasons to pass, the strongest first


def ends_the_game(asked: Question) -> Message | None:
    """S4.4 A round in which nothing happened is over, and nobody has fewer cards left."""
    view = asked.view
    if not view.idle or view.idle_turns + 1 < view.players:
        return None
    left = [seat.stock_count for seat in view.seats[: view.players]]
    if left[asked.seat] > min(left):
        return None
    return asked.about_me("stockpile.why_pass_ends", left=left[asked.seat])


def opens_nothing(asked: Question) -> Message | None:
    for other, number in asked.opponents():
        if all(_opens(asked.before, heights, number) for heights in asked.other_plays):
            return asked.about(other, "stockpile.why_pass_blocks", number=number)
    return None


def keeps_the_cards(asked: Question) -> Message | None:
    if any(_takes(heights, asked.wanted) for heights in (asked.before, *asked.other_plays)):
        return None
    return asked.about_me("stockpile.why_pass_keeps", number=asked.wanted)


def stops(asked: Question) -> Message:
    return Message("stockpile.why_pass")


PASSES = (ends_the_game, opens_nothing, keeps_the_cards, stops)
