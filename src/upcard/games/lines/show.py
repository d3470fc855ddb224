"""Lines for programs: a view and its events, ready for JSON."""

from __future__ import annotations

__all__ = ["show", "show_event"]

from upcard.core import show as core
from upcard.core.events import Event, EventKind
from upcard.core.show import Shown, cards_in, counts_of, over_or_none, seat_or_none
from upcard.games.lines.deck import write_card
from upcard.games.lines.events import LinesEvent
from upcard.games.lines.moves import BOTTOM, LINE, TOP
from upcard.games.lines.rules import points
from upcard.games.lines.table import GIVE, HOME, OPENING, Zone
from upcard.games.lines.view import View

STEPS = {OPENING: "opening", GIVE: "give", HOME: "home"}


def show(view: View) -> Shown:
    """Return the table as the viewer knows it.

    `lines` of a zone run from its top line to its bottom one; of those put aside, only the highest card
    remains. `closing` is the number of turns left once the end is near.
    """
    return {
        "first": view.first + 1,
        "turn": view.to_move + 1,
        "to_move": seat_or_none(view.to_move),
        "over": over_or_none(view.over),
        "step": STEPS[view.step],
        "closing": view.closing,
        "deck": view.deck_count,
        "discarded": list(counts_of(view.discarded, write_card)),
        "seats": [
            {"hand": view.hand_counts[seat], "points": points(zone), "lines": _lines(zone)}
            for seat, zone in enumerate(view.zones[: view.players])
        ],
        "hand": sorted(cards_in(view.hand, write_card)),
    }


def _lines(zone: Zone) -> list[Shown]:
    lines: list[Shown] = [{"aside": True, "cards": [write_card(card)]} for card in zone.highest[: zone.count]]
    if zone.count:
        lines[0] = {"aside": False, "cards": cards_in(zone.upper, write_card)}
    if zone.count > 1:
        lines[-1] = {"aside": False, "cards": cards_in(zone.lower, write_card)}
    return lines


def show_event(event: Event) -> Shown:
    """Return an event as its viewer may know it."""
    match event:
        case Event(kind=EventKind.PLAYED, place=spot, other=zone):
            place = {TOP: "top", BOTTOM: "bottom"}.get(spot, f"+{spot - LINE + 1}")
            return core.show_event(event, write_card, zone=zone + 1, place=place)
        case Event(kind=LinesEvent.SET_ASIDE, place=line):
            return core.show_event(event, write_card, line=line + 1)
    return core.show_event(event, write_card)
