"""Stockpile in words: refusals and events, as message codes."""

from __future__ import annotations

__all__ = ["describe", "explain"]

from collections.abc import Sequence

from upcard.core.events import Event, EventKind
from upcard.core.messages import Refusal, SeatMessage
from upcard.core.piles import NO_CARD
from upcard.core.table import PLAYING, Reason
from upcard.games.stockpile.deck import write_card
from upcard.games.stockpile.events import StockpileEvent
from upcard.games.stockpile.moves import PASS, SOURCES, STOCK, pile_of, source_of
from upcard.games.stockpile.rules import card_from, fits
from upcard.games.stockpile.table import Table
from upcard.i18n import Message


def explain(table: Table, move: int) -> Refusal | None:
    """Return why a move is not legal, None for a legal one."""
    if table.over != PLAYING:
        return Refusal("table.over", {}, "S5.1" if table.over == Reason.WON else "S4.4")
    if move == PASS:
        return Refusal("stockpile.must_play", {}, "S3.8") if table.options.must_play else None
    source, pile = source_of(move), pile_of(move)
    card = card_from(table.seats[table.to_move], source)
    if card == NO_CARD:
        return Refusal("stockpile.empty_stack", {"stack": SOURCES[source]}, "S3.2")
    if not fits(card, table.piles[pile].height):
        needed = table.piles[pile].height + 1
        parameters: dict[str, str | int] = {"card": write_card(card), "pile": pile + 1, "needed": needed}
        return Refusal("stockpile.does_not_fit", parameters, "S3.4")
    return None


def describe(event: Event, names: Sequence[str]) -> Message | None:
    """Return an event as a message."""
    match event:
        case Event(kind=EventKind.TURN):
            return SeatMessage("stockpile.turn", {"name": names[event.seat]}, event.seat)
        case Event(kind=EventKind.DEALT, place=place):
            parameters = {"name": names[event.seat], "card": write_card(event.card)}
            if place == STOCK:
                return SeatMessage("stockpile.turned_up", parameters, event.seat)
            return SeatMessage("stockpile.dealt", {**parameters, "stack": SOURCES[place]}, event.seat)
        case Event(kind=EventKind.PLAYED, place=pile, other=source):
            parameters = {"name": names[event.seat], "card": write_card(event.card)}
            code = "stockpile.played_stock" if source == STOCK else "stockpile.played"
            return SeatMessage(code, {**parameters, "pile": pile + 1, "stack": SOURCES[source]}, event.seat)
        case Event(kind=EventKind.COMPLETED, place=pile):
            return Message("stockpile.completed", {"pile": pile + 1})
        case Event(kind=StockpileEvent.STOPPED):
            return SeatMessage("stockpile.stopped", {"name": names[event.seat]}, event.seat)
        case Event(kind=EventKind.PASSED):
            return SeatMessage("stockpile.passed", {"name": names[event.seat]}, event.seat)
        case Event(kind=EventKind.SHUFFLED):
            return Message("stockpile.shuffled", {"count": len(event.cards)})
    return None
