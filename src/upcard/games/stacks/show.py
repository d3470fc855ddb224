"""Stacks for programs: a view and its events, ready for JSON."""

from __future__ import annotations

__all__ = ["show", "show_event"]

from collections.abc import Sequence

from upcard.core import show as core
from upcard.core.events import Event, EventKind
from upcard.core.show import Shown, cards_in, counts_of, over_or_none, seat_or_none
from upcard.games.stacks.deck import COLOURS, write_card
from upcard.games.stacks.events import StacksEvent
from upcard.games.stacks.moves import FROM_TOP, HAND_OF, PILE_NAMES
from upcard.games.stacks.table import ASK, PILES
from upcard.games.stacks.view import View


def show(view: View) -> Shown:
    """Return the table as the viewer knows it.

    `asking` names the pile that a block would take away, while the opponents are asked whether they block;
    `known` are the cards that the viewer saw go into hands, with the seats that may hold them.
    """
    return {
        "first": view.first + 1,
        "turn": view.player + 1,
        "to_move": seat_or_none(view.to_move),
        "over": over_or_none(view.over),
        "asking": PILE_NAMES[view.asked_pile] if view.step == ASK else None,
        "direction": "left" if view.direction == 1 else "right",
        "skips": view.skips,
        "piles": {
            name: cards_in(pile, write_card) for name, pile in zip(PILE_NAMES, view.piles, strict=True)
        },
        "bank": _chips(view.bank),
        "deck": view.deck_count,
        "out_of_play": counts_of(
            [sum(both) for both in zip(view.finished, view.spent, strict=True)], write_card
        ),
        "seats": [
            {
                "hand": seat.hand_count,
                "chips": _chips(seat.chips),
                "discards": cards_in(seat.discards, write_card),
            }
            for seat in view.seats[: view.players]
        ],
        "hand": sorted(cards_in(view.hand, write_card)),
        "known": [
            {"card": write_card(sighting.card), "seats": _seats(sighting.holders, view.players)}
            for sighting in view.memory.sightings[: view.memory.count]
        ],
    }


def _chips(counts: Sequence[int]) -> dict[str, int]:
    return dict(zip(COLOURS, counts, strict=True))


def _seats(holders: int, players: int) -> list[int]:
    return [seat + 1 for seat in range(players) if holders >> seat & 1]


def show_event(event: Event) -> Shown:
    """Return an event as its viewer may know it."""
    match event:
        case Event(kind=EventKind.PLAYED, place=pile, other=source):
            where = PILE_NAMES[pile] if pile < PILES else None
            return core.show_event(
                event, write_card, pile=where, source="top" if source == FROM_TOP else "hand"
            )
        case Event(kind=EventKind.COMPLETED | StacksEvent.BLOCKED, place=pile):
            return core.show_event(event, write_card, pile=PILE_NAMES[pile])
        case Event(kind=StacksEvent.EARNED, place=colour):
            return core.show_event(event, write_card, colour=COLOURS[colour])
        case Event(kind=StacksEvent.STOLE, place=half, other=victim):
            return core.show_event(
                event, write_card, other=victim + 1, source="hand" if half == HAND_OF else "top"
            )
        case Event(kind=StacksEvent.STOLE_CHIP, place=colour, other=victim):
            return core.show_event(event, write_card, other=victim + 1, colour=COLOURS[colour])
    return core.show_event(event, write_card)
