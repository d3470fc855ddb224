"""Climb for programs: a view and its events, ready for JSON."""

from __future__ import annotations

__all__ = ["show", "show_event"]

from climb.deck import write_card
from climb.view import View
from upcard.core import show as core
from upcard.core.events import Event
from upcard.core.show import Shown, cards_in, counts_of, over_or_none, seat_or_none


def show(view: View) -> Shown:
    """Return the table as the viewer knows it. `height` is the card to follow, None at the beginning of a
    run."""
    return {
        "first": view.first + 1,
        "turn": view.to_move + 1,
        "to_move": seat_or_none(view.to_move),
        "over": over_or_none(view.over),
        "height": write_card(view.height) if view.height else None,
        "deck": view.deck_count,
        "played": counts_of(view.played, write_card),
        "seats": [{"hand": count} for count in view.hand_counts[: view.players]],
        "hand": sorted(cards_in(view.hand, write_card), key=int),
    }


def show_event(event: Event) -> Shown:
    """Return an event as its viewer may know it."""
    return core.show_event(event, write_card)
