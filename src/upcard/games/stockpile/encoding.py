"""Stockpile as numbers: version 1 of its observations and actions."""

from __future__ import annotations

__all__ = ["ACTIONS", "KINDS", "OBSERVATION", "VERSION", "action_of", "encode", "move_of"]

from collections.abc import MutableSequence
from typing import Any

from upcard.core.layout import Layout
from upcard.core.piles import NO_CARD, top
from upcard.core.rule import rule
from upcard.core.seats import along, steps_to
from upcard.games.stockpile.deck import COPIES, DECK, FACES, HIGHEST, WILD, WILDS
from upcard.games.stockpile.moves import SOURCES
from upcard.games.stockpile.table import PILES, SEATS, STACKS, Table
from upcard.games.stockpile.view import View

VERSION = 1
KINDS = FACES

# Cards of each stack, from the top, that have entries of their own; those beneath are listed at the end.
SHOWN = 3
# A place where a card may lie: 1 at the entry of that card, or of none.
NONE_OR_FACE = 1 + FACES

OBSERVATION = Layout()
PLAYERS = OBSERVATION.add("players", 1, SEATS, "how many play")
STOCK_OPTION = OBSERVATION.add("option stock", 1, 30, "cards dealt to each stockpile")
REFILL = OBSERVATION.add("option refill", 1, 1, "1: `empty`")
MUST_PLAY = OBSERVATION.add("option must_play", 1, 1, "1: yes")
RECYCLE = OBSERVATION.add("option recycle", 1, 1, "1: `completed`")
OVER = OBSERVATION.add("over", 1, 4, "0 during the game; then 1 won, 2 stuck")
FIRST = OBSERVATION.add("first", SEATS, 1, "1 at the seat that began, counted from you")
TO_MOVE = OBSERVATION.add("to move", SEATS, 1, "1 at the seat that is to move, counted from you")
IDLE_TURNS = OBSERVATION.add("idle turns", 1, SEATS, "turns in a row without a card dealt or played (S4.4)")
IDLE = OBSERVATION.add("idle", 1, 1, "whether this turn is one of them so far")
HEIGHTS = OBSERVATION.add("heights", PILES * HIGHEST, 1, "for each pile: 1 at its height, 0 to 9")
PILE_CARDS = OBSERVATION.add(
    "pile cards",
    PILES * HIGHEST,
    2,
    "for each pile and each number: 0 no card (any more), 1 the number itself, 2 a wild",
)
COMPLETED = OBSERVATION.add("completed", FACES, WILDS, "cards in completed piles: wilds, 1, …, 10")
UNSEEN = OBSERVATION.add(
    "unseen", FACES, WILDS, "cards that nobody sees and nobody can place: wilds, 1, …, 10"
)
FRESH_COUNT = OBSERVATION.add("fresh count", 1, DECK, "how many fresh cards are left")
RESHUFFLED = OBSERVATION.add("reshuffled", 1, 1, "whether the fresh cards come from completed piles (S4.1)")
FRESH = OBSERVATION.add("fresh", FACES, WILDS, "which ones they are then, in some order: wilds, 1, …, 10")

_seat = Layout()
STOCK_COUNT = _seat.add("stock count", 1, 30, "cards left in the stockpile")
STOCK_TOP = _seat.add("stock top", NONE_OR_FACE, 1, "1 at its top card: none, wild, 1, …, 10")
STACK_COUNTS = _seat.add("stack counts", STACKS, DECK, "cards on the stacks A, B, C")
STACK_TOPS = _seat.add(
    "stack tops",
    STACKS * SHOWN * NONE_OR_FACE,
    1,
    "for each stack, for its top card, the one beneath and the third: 1 at none, wild, 1, …, 10",
)
SEAT_SIZE = _seat.size
SEAT = OBSERVATION.repeat(SEATS, _seat, "s")
BURIED = OBSERVATION.add(
    "buried",
    DECK,
    FACES,
    "stack cards beneath the third, from the top down, A to C, your seat first: 1 wild, 2 a 1, …, 11 a 10",
)

ACTIONS = Layout()
for _source, _name in enumerate(SOURCES):
    ACTIONS.add(
        f"play {_name}",
        PILES,
        1,
        f"the top card of {'the stockpile' if not _source else 'stack ' + _name} on pile 1 to 4",
    )
ACTIONS.add("pass", 1, 1, "end the turn (only with `must_play=no`)")


@rule
def action_of(position: Table | View, move: int) -> int:
    """Return the action of a move."""
    return move


@rule
def move_of(position: Table | View, action: int) -> int:
    """Return the move of an action."""
    return action


@rule
def encode(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write everything that the viewer knows into `out`, which is filled with zeros."""
    write_public(position, viewer, out)
    write_piles(position, out)
    buried = BURIED
    for step in range(position.players):
        seat = along(viewer, step, position.players)
        write_stock(position, seat, SEAT + step * SEAT_SIZE, out)
        buried = write_stacks(position, seat, SEAT + step * SEAT_SIZE, buried, out)
    write_fresh(position, out)


@rule
def write_public(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write the options, whose turn it is, and the number of cards of each face."""
    players = position.players
    out[PLAYERS] = players
    out[STOCK_OPTION] = position.options.stock
    out[REFILL] = position.options.refill
    out[MUST_PLAY] = position.options.must_play
    out[RECYCLE] = position.options.recycle
    out[OVER] = position.over
    out[FIRST + steps_to(viewer, position.first, players)] = 1
    out[TO_MOVE + steps_to(viewer, position.to_move, players)] = 1
    out[IDLE_TURNS] = position.idle_turns
    out[IDLE] = position.idle
    for face in range(FACES):
        out[COMPLETED + face] = position.completed[face]
        out[UNSEEN + face] = (WILDS if face == WILD else COPIES) - position.completed[face]


@rule
def write_piles(position: Table | View, out: MutableSequence[int]) -> None:
    """Write the heights of the piles, and the places of their wilds.

    All places are visited, including empty ones, because a loop of fixed length is faster.
    """
    wilds = 0
    for pile in range(PILES):
        building = position.piles[pile]
        out[HEIGHTS + pile * HIGHEST + building.height] = 1
        for number in range(HIGHEST):
            card = building.cards[number]
            out[PILE_CARDS + pile * HIGHEST + number] = int(card != NO_CARD) + int(card == WILD)
            out[UNSEEN + 1 + number] -= int(card == number + 1)
            wilds += int(card == WILD)
    out[UNSEEN + WILD] -= wilds


def _write_stock_seen(view: View, seat: int, at: int, out: MutableSequence[int]) -> None:
    card = view.seats[seat].stock_top
    out[at + STOCK_COUNT] = view.seats[seat].stock_count
    out[at + STOCK_TOP + 1 + card] = 1
    if card != NO_CARD:
        out[UNSEEN + card] -= 1


@rule(in_view=_write_stock_seen)
def write_stock(position: Any, seat: int, at: int, out: MutableSequence[int]) -> None:
    """Write the size of a stockpile, and its top card."""
    card = top(position.seats[seat].stock)
    out[at + STOCK_COUNT] = position.seats[seat].stock.count
    out[at + STOCK_TOP + 1 + card] = 1
    if card != NO_CARD:
        out[UNSEEN + card] -= 1


@rule
def write_stacks(position: Table | View, seat: int, at: int, buried: int, out: MutableSequence[int]) -> int:
    """Write the stacks of a seat; deep cards go to `buried`. Return the index for the next such card."""
    for number in range(STACKS):
        stack = position.seats[seat].stacks[number]
        count = stack.count
        out[at + STACK_COUNTS + number] = count
        for depth in range(SHOWN):
            card = stack.cards[max(0, count - 1 - depth)]
            shown = NO_CARD if depth >= count else card
            out[at + STACK_TOPS + (number * SHOWN + depth) * NONE_OR_FACE + 1 + shown] = 1
        for place in range(count):
            out[UNSEEN + stack.cards[place]] -= 1
        for depth in range(SHOWN, count):
            out[buried] = stack.cards[count - 1 - depth] + 1
            buried += 1
    return buried


def _write_fresh_seen(view: View, out: MutableSequence[int]) -> None:
    out[FRESH_COUNT] = view.fresh_count
    out[RESHUFFLED] = view.reshuffled
    for face in range(FACES):
        out[FRESH + face] = view.fresh[face]
        out[UNSEEN + face] -= view.fresh[face]


@rule(in_view=_write_fresh_seen)
def write_fresh(position: Any, out: MutableSequence[int]) -> None:
    """Write the number of fresh cards, and which they are, once everyone has seen them."""
    out[FRESH_COUNT] = position.deck.count
    out[RESHUFFLED] = position.reshuffled
    if position.reshuffled:
        for place in range(position.deck.count):
            out[FRESH + position.deck.cards[place]] += 1
            out[UNSEEN + position.deck.cards[place]] -= 1
