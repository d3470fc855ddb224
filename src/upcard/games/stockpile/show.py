"""Stockpile for programs: a view and its events, ready for JSON."""

from __future__ import annotations

__all__ = ["show", "show_event"]

from upcard.core import show as core
from upcard.core.events import Event, EventKind
from upcard.core.piles import NO_CARD
from upcard.core.show import Shown, cards_in, counts_of, over_or_none, seat_or_none
from upcard.games.stockpile.deck import write_card
from upcard.games.stockpile.moves import SOURCES
from upcard.games.stockpile.view import SeatView, View


def show(view: View) -> Shown:
    """Return the table as the viewer knows it.

    `fresh` is how many fresh cards there are; `fresh_cards` which ones, once everyone can know that.
    """
    return {
        "first": view.first + 1,
        "turn": view.to_move + 1,
        "to_move": seat_or_none(view.to_move),
        "over": over_or_none(view.over),
        "piles": [{"height": pile.height, "cards": cards_in(pile, write_card)} for pile in view.piles],
        "seats": [_seat(seat) for seat in view.seats[: view.players]],
        "fresh": view.fresh_count,
        "fresh_cards": counts_of(view.fresh, write_card) if view.reshuffled else None,
        "completed": counts_of(view.completed, write_card),
    }


def _seat(seat: SeatView) -> Shown:
    stacks = {name: cards_in(stack, write_card) for name, stack in zip(SOURCES[1:], seat.stacks, strict=True)}
    top = None if seat.stock_top == NO_CARD else write_card(seat.stock_top)
    return {"stock": seat.stock_count, "top": top, "stacks": stacks}


def show_event(event: Event) -> Shown:
    """Return an event as its viewer may know it."""
    match event:
        case Event(kind=EventKind.DEALT, place=place):
            return core.show_event(event, write_card, to=SOURCES[place])
        case Event(kind=EventKind.PLAYED, place=pile, other=source):
            return core.show_event(event, write_card, pile=pile + 1, source=SOURCES[source])
        case Event(kind=EventKind.COMPLETED, place=pile):
            return core.show_event(event, write_card, pile=pile + 1)
    return core.show_event(event, write_card)
