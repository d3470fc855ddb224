"""What looks best at first sight in Stockpile, to one seat, from its view alone."""

from __future__ import annotations

__all__ = ["worth"]

from typing import Any

from upcard.core.piles import top
from upcard.core.rule import rule
from upcard.games.stockpile.deck import HIGHEST, WILD
from upcard.games.stockpile.moves import PASS, STOCK, pile_of, source_of
from upcard.games.stockpile.table import PILES, Table
from upcard.games.stockpile.view import View


def _stock_top_seen(view: View, seat: int) -> int:
    return view.seats[seat].stock_top


@rule(in_view=_stock_top_seen)
def stock_top(position: Any, seat: int) -> int:
    """Return the top card of a stockpile."""
    return top(position.seats[seat].stock)


@rule
def worth(view: Table | View, move: int) -> int:
    """The stockpile whenever it fits; else towards it, and away from what the others need."""
    if move == PASS:
        return 0
    source = source_of(move)
    pile = pile_of(move)
    me = view.seats[view.to_move]
    wanted = stock_top(view, view.to_move)
    reached = view.piles[pile].height + 1
    if source == STOCK:
        # A wild goes where it helps others least: onto the highest pile.
        return 1000 + (reached if wanted == WILD else 0)
    value = closer_to_stock(view, wanted, pile, reached)
    value -= helps_others(view, reached)
    if top(me.stacks[source - 1]) == WILD:
        value -= 25  # a wild is worth keeping
    # Short stacks are emptied first: what lies under them comes free.
    return value + 10 - min(10, me.stacks[source - 1].count)


@rule
def closer_to_stock(view: Table | View, wanted: int, pile: int, reached: int) -> int:
    """Return how much a pile's growing helps the own stockpile's top card to be played."""
    if wanted == WILD:
        return 0
    gap = (wanted - 1 - reached) % HIGHEST
    for other in range(PILES):
        if other != pile and (wanted - 1 - view.piles[other].height) % HIGHEST <= gap:
            return 20
    return 100 - 8 * gap


@rule
def helps_others(view: Table | View, reached: int) -> int:
    """Return how many opponents could put their stockpile's top card on a pile that reached this."""
    harm = 0
    for seat in range(view.players):
        if seat != view.to_move and stock_top(view, seat) == reached % HIGHEST + 1:
            harm += 40
    return harm
