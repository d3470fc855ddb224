"""Climb in words: refusals and events, as message codes."""

from __future__ import annotations

__all__ = ["describe", "explain"]

from collections.abc import Sequence

from climb.deck import write_card
from climb.events import ClimbEvent
from climb.moves import PASS
from climb.rules import fits
from climb.table import Table
from upcard.core.events import HIDDEN, Event, EventKind
from upcard.core.messages import Refusal, SeatMessage
from upcard.core.piles import has
from upcard.core.table import PLAYING
from upcard.i18n import Message


def explain(table: Table, move: int) -> Refusal | None:
    """Return why a move is not legal, None for a legal one."""
    if table.over != PLAYING:
        return Refusal("table.over", {}, "C4.1")
    if move == PASS:
        return None if table.height else Refusal("climb.must_begin", {}, "C3.4")
    if not has(table.hands[table.to_move], move):
        return Refusal("climb.not_held", {"card": write_card(move)}, "C3.2")
    if not fits(table, move):
        parameters = {"card": write_card(move), "height": write_card(table.height)}
        return Refusal("climb.too_low", parameters, "C3.2")
    return None


# The events, and the message for each.
CODES = {
    EventKind.TURN: "climb.turn",
    EventKind.PLAYED: "climb.played",
    EventKind.PASSED: "climb.passed",
    EventKind.DREW: "climb.drew",
    ClimbEvent.CLEARED: "climb.cleared",
}


def describe(event: Event, names: Sequence[str]) -> Message | None:
    """Return an event as a message."""
    if event.kind not in CODES or (event.kind == EventKind.DREW and event.card == HIDDEN):
        return None
    parameters = {"name": names[event.seat]}
    if event.card > 0:
        parameters["card"] = write_card(event.card)
    return SeatMessage(CODES[event.kind], parameters, event.seat)
