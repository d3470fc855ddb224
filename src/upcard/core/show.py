"""Cards, piles and events for programs: ready for JSON, in the notation of records, seats from 1."""

from __future__ import annotations

__all__ = ["Shown", "cards_in", "counts_of", "over_or_none", "seat_or_none", "show_event"]

from collections.abc import Callable, Sequence
from typing import Any

from upcard.core.events import HIDDEN, Event, EventKind
from upcard.core.piles import NO_CARD, Building, Pile
from upcard.core.table import PLAYING, Reason

Shown = dict[str, Any]
Write = Callable[[int], str]


def cards_in(pile: Pile | Building, write: Write) -> list[str]:
    """Return the cards of a pile, the top one last."""
    count = pile.height if isinstance(pile, Building) else pile.count
    return [write(card) for card in pile.cards[:count] if card != NO_CARD]


def counts_of(counts: Sequence[int], write: Write) -> dict[str, int]:
    """Return the number of each card that occurs at all."""
    return {write(card): count for card, count in enumerate(counts) if count}


def seat_or_none(seat: int) -> int | None:
    """Return a seat with the number that people use."""
    return seat + 1 if seat >= 0 else None


def over_or_none(over: int) -> str | None:
    """Return why a game is over, None before its end."""
    return None if over == PLAYING else Reason(over).name.lower()


def show_event(event: Event, write: Write, **where: object) -> Shown:
    """Return an event: its kind, its seat, and its card, if there is one (None if it is hidden)."""
    shown: Shown = {"kind": event.kind.name.lower()}
    if event.seat >= 0:
        shown["seat"] = event.seat + 1
    if event.kind == EventKind.SHUFFLED:
        shown["count"] = len(event.cards)
    elif event.kind == EventKind.OVER:
        shown["reason"] = over_or_none(event.place)
    elif event.card != NO_CARD:
        shown["card"] = None if event.card == HIDDEN else write(event.card)
    return shown | where
