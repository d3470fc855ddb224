"""The heuristic and the evaluation of Stockpile, from the view of a seat alone."""

from __future__ import annotations

__all__ = ["HORIZON", "evaluate", "heuristic"]

from typing import Any

from upcard.core.game import DOMINATED
from upcard.core.piles import NO_CARD, top
from upcard.core.rule import rule
from upcard.games.stockpile.deck import HIGHEST, WILD
from upcard.games.stockpile.moves import PASS, STOCK, pile_of, source_of
from upcard.games.stockpile.table import PILES, STACKS, Stack, Table
from upcard.games.stockpile.view import View


def _stock_top_seen(view: View, seat: int) -> int:
    return view.seats[seat].stock_top


@rule(in_view=_stock_top_seen)
def stock_top(position: Any, seat: int) -> int:
    """Return the top card of a stockpile."""
    return top(position.seats[seat].stock)


# Length of a rollout before the table is evaluated, in moves of each player.
HORIZON = 3


@rule
def heuristic(position: Table | View, move: int) -> int:
    """Play the stockpile whenever it fits; otherwise bring it closer, and avoid what the others need."""
    if move == PASS:
        return 0
    source = source_of(move)
    pile = pile_of(move)
    if has_lower_twin(position, pile):
        return DOMINATED
    me = position.seats[position.to_move]
    wanted = stock_top(position, position.to_move)
    reached = position.piles[pile].height + 1
    if source == STOCK:
        # A wild goes where it helps others least: onto the highest pile.
        return 1000 + (reached if wanted == WILD else 0)
    value = closer_to_stock(position, wanted, pile, reached)
    value -= helps_others(position, reached)
    if top(me.stacks[source - 1]) == WILD:
        value -= 25  # a wild is worth keeping
    # Short stacks first, since that uncovers their other cards sooner.
    return value + 10 - min(10, me.stacks[source - 1].count)


@rule
def has_lower_twin(position: Table | View, pile: int) -> bool:
    """Whether an earlier pile has the same height, so that it is just as good."""
    for other in range(pile):
        if position.piles[other].height == position.piles[pile].height:
            return True
    return False


@rule
def closer_to_stock(position: Table | View, wanted: int, pile: int, reached: int) -> int:
    """Return how much closer the player's stockpile card comes to being played when a pile grows."""
    if wanted == WILD:
        return 0
    gap = (wanted - 1 - reached) % HIGHEST
    for other in range(PILES):
        if other != pile and (wanted - 1 - position.piles[other].height) % HIGHEST <= gap:
            return 20
    return 100 - 8 * gap


@rule
def helps_others(position: Table | View, reached: int) -> int:
    """Return the number of opponents who could put their stockpile's top card on a pile of this height."""
    harm = 0
    for seat in range(position.players):
        if seat != position.to_move and stock_top(position, seat) == reached % HIGHEST + 1:
            harm += 40
    return harm


@rule
def evaluate(table: Table, seat: int) -> int:
    """Value few cards in the stockpile, its top card within reach, and available wilds."""
    me = table.seats[seat]
    value = -35 * me.stock.count
    for stack in range(STACKS):
        value += 3 * me.stacks[stack].count + 12 * int(top(me.stacks[stack]) == WILD)
    missing = fewest_missing(table, seat)
    if missing > 0:
        return value - 7 * missing
    return value + (150 if me.stock.count == 1 else 30)


@rule
def fewest_missing(table: Table, seat: int) -> int:
    """Return the number of cards that are missing, besides the tops of the stacks, to play the stockpile's
    top."""
    wanted = stock_top(table, seat)
    if wanted == WILD:
        return 0
    fewest = HIGHEST
    for pile in range(PILES):
        fewest = min(fewest, missing_on(table, seat, pile, wanted))
    return fewest


@rule
def missing_on(table: Table, seat: int, pile: int, wanted: int) -> int:
    """Return the number of cards that are missing on one pile."""
    stacks = table.seats[seat].stacks
    height = table.piles[pile].height
    missing = (wanted - 1 - height) % HIGHEST
    for stack in range(STACKS):
        card = top(stacks[stack])
        if card == WILD or (
            card != NO_CARD and (card - 1 - height) % HIGHEST < (wanted - 1 - height) % HIGHEST
        ):
            missing -= int(card == WILD or is_first_such_top(stacks, stack))
    return max(0, missing)


@rule
def is_first_such_top(stacks: list[Stack], stack: int) -> bool:
    """Two equal tops fill only one gap."""
    for earlier in range(stack):
        if top(stacks[earlier]) == top(stacks[stack]):
            return False
    return True
