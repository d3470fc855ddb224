"""Climb as numbers: version 1 of its observations and actions."""

from __future__ import annotations

__all__ = ["ACTIONS", "KINDS", "OBSERVATION", "VERSION", "action_of", "encode", "move_of"]

from collections.abc import MutableSequence
from typing import Any

from climb.deck import COPIES, DECK, HIGHEST, KINDS
from climb.moves import MOVE_COUNT
from climb.table import SEATS, Cards, Table
from climb.view import View
from upcard.core.layout import Layout
from upcard.core.rule import rule
from upcard.core.seats import along, steps_to

VERSION = 1

OBSERVATION = Layout()
PLAYERS = OBSERVATION.add("players", 1, SEATS, "how many play")
HAND_OPTION = OBSERVATION.add("option hand", 1, 8, "cards dealt to each player")
EQUAL = OBSERVATION.add("option equal", 1, 1, "1: yes")
OVER = OBSERVATION.add("over", 1, 4, "0 while the game continues; then 1 won")
TO_MOVE = OBSERVATION.add("to move", SEATS, 1, "1 at the seat that is to move, counted from you")
FIRST = OBSERVATION.add("first", SEATS, 1, "1 at the seat that began, counted from you")
HEIGHT = OBSERVATION.add("height", KINDS, 1, "1 at the card to follow; at 0 where a run begins")
PASSES = OBSERVATION.add("passes", 1, SEATS, "how many have passed since a card was played")
PLAYED = OBSERVATION.add("played", KINDS, COPIES, "how many of each card have been played: none, 1, …, 10")
HAND = OBSERVATION.add("hand", KINDS, COPIES, "how many of each card you hold: none, 1, …, 10")
HAND_COUNTS = OBSERVATION.add("hand counts", SEATS, DECK, "cards in each hand, counted from you")
DECK_COUNT = OBSERVATION.add("deck count", 1, DECK, "cards in the draw pile")

ACTIONS = Layout()
ACTIONS.add("pass", 1, 1, "pass")
ACTIONS.add("play", HIGHEST, 1, "play a 1, …, a 10")

assert ACTIONS.size == MOVE_COUNT, "actions are moves"


@rule
def action_of(position: Table | View, move: int) -> int:
    """Return the action of a move."""
    return move


@rule
def move_of(position: Table | View, action: int) -> int:
    """Return the move of an action."""
    return action


def _hand_seen(view: View, viewer: int) -> Cards:
    return view.hand


@rule(in_view=_hand_seen)
def hand_of(position: Any, viewer: int) -> Cards:
    """Return the hand of the viewer."""
    hand: Cards = position.hands[viewer]
    return hand


def _hand_count_seen(view: View, seat: int) -> int:
    return view.hand_counts[seat]


@rule(in_view=_hand_count_seen)
def hand_count(position: Any, seat: int) -> int:
    """Return how many cards a hand has."""
    count: int = position.hands[seat].count
    return count


def _deck_count_seen(view: View) -> int:
    return view.deck_count


@rule(in_view=_deck_count_seen)
def deck_count(position: Any) -> int:
    """Return how many cards are left to draw."""
    count: int = position.deck.count
    return count


@rule
def encode(position: Table | View, viewer: int, out: MutableSequence[int]) -> None:
    """Write everything that the viewer knows into `out`, which is filled with zeros."""
    players = position.players
    out[PLAYERS] = players
    out[HAND_OPTION] = position.options.hand
    out[EQUAL] = position.options.equal
    out[OVER] = position.over
    out[TO_MOVE + steps_to(viewer, position.to_move, players)] = 1
    out[FIRST + steps_to(viewer, position.first, players)] = 1
    out[HEIGHT + position.height] = 1
    out[PASSES] = position.passes
    for card in range(KINDS):
        out[PLAYED + card] = position.played[card]
    hand = hand_of(position, viewer)
    for place in range(hand.count):
        out[HAND + hand.cards[place]] += 1
    for step in range(players):
        out[HAND_COUNTS + step] = hand_count(position, along(viewer, step, players))
    out[DECK_COUNT] = deck_count(position)
