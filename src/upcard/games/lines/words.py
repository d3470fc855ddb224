"""Lines in words: refusals and events, as message codes."""

from __future__ import annotations

__all__ = ["describe", "explain"]

from collections.abc import Sequence

from upcard.core.events import HIDDEN, Event, EventKind
from upcard.core.messages import Refusal, SeatMessage
from upcard.core.piles import has
from upcard.core.table import PLAYING, Reason
from upcard.games.lines.deck import colour_of, value_of, write_card
from upcard.games.lines.events import LinesEvent
from upcard.games.lines.moves import BOTTOM, DISCARD, LINE, TOP, card_in, place_in, spot_in, zone_in
from upcard.games.lines.options import EXTEND_NEXT
from upcard.games.lines.rules import (
    TOO_HIGH_TO_COVER,
    all_hands_are_empty,
    can_cover,
    can_extend,
    can_give,
    is_active,
    no_gift_fits,
)
from upcard.games.lines.table import GIVE, OPENING, Table, Zone
from upcard.i18n import Message


def explain(table: Table, move: int) -> Refusal | None:
    """Return why a move is not legal, None for a legal one."""
    card = card_in(move)
    if table.over != PLAYING:
        return Refusal("table.over", {}, _ended_by(table))
    if not has(table.hands[table.to_move], card):
        return Refusal("table.not_in_hand", {"card": write_card(card)}, "L2.1")
    if place_in(move) == DISCARD:
        return _explain_discard(table)
    if table.step == OPENING:
        opens = zone_in(move) == table.to_move and spot_in(move) == TOP
        return None if opens else Refusal("lines.opening", {"card": write_card(card)}, "L4.1")
    if table.step == GIVE:
        return _explain_gift(table, card, zone_in(move), spot_in(move))
    return _explain_home(table, card, zone_in(move), spot_in(move))


def _ended_by(table: Table) -> str:
    if table.over == Reason.STUCK:
        return "L6.3"
    return "L6.2" if all_hands_are_empty(table) else "L5.1"


def _explain_discard(table: Table) -> Refusal | None:
    if table.step == OPENING:
        return Refusal("lines.no_discard_yet", {}, "L4.1")
    if table.step == GIVE and not no_gift_fits(table):
        return Refusal("lines.must_give", {}, "L4.2")
    return None


def _explain_gift(table: Table, card: int, seat: int, spot: int) -> Refusal | None:
    if seat == table.to_move:
        return Refusal("lines.give_first", {}, "L4.2")
    if seat >= table.players:
        return Refusal("table.no_such_seat", {"seat": seat + 1}, "L1.2")
    zone = table.zones[seat]
    if spot < LINE:
        return None if can_give(table, zone, spot, card) else _explain_cover(zone, card, spot)
    if spot - LINE < zone.count and not is_active(zone, spot - LINE):
        return Refusal("lines.not_active", {"line": spot - LINE + 1}, "L3.1")
    return _explain_extend(table, zone, card, spot - LINE)


def _explain_home(table: Table, card: int, seat: int, spot: int) -> Refusal | None:
    if seat != table.to_move:
        return Refusal("lines.home_now", {}, "L4.3")
    zone = table.zones[seat]
    if spot < LINE:
        return None if can_cover(zone, spot, card) else _explain_cover(zone, card, spot)
    return _explain_extend(table, zone, card, spot - LINE)


def _explain_cover(zone: Zone, card: int, spot: int) -> Refusal:
    parameters: dict[str, str | int] = {"card": write_card(card), "value": value_of(card)}
    if value_of(card) >= TOO_HIGH_TO_COVER:
        return Refusal("lines.too_high", parameters, "L4.4")
    line = 1 if spot == TOP else zone.count
    return Refusal("lines.no_match", {**parameters, "line": line}, "L4.4")


def _explain_extend(table: Table, zone: Zone, card: int, line: int) -> Refusal | None:
    if line >= zone.count:
        return Refusal("lines.no_such_line", {"line": line + 1, "count": zone.count}, "L3.1")
    if can_extend(table, zone, line, card):
        return None
    highest = zone.highest[line]
    parameters: dict[str, str | int] = {
        "card": write_card(card),
        "line": line + 1,
        "highest": write_card(highest),
    }
    if colour_of(card) != colour_of(highest):
        return Refusal("lines.other_colour", parameters, "L3.3")
    code = "lines.not_next" if table.options.extend == EXTEND_NEXT else "lines.not_higher"
    return Refusal(code, parameters, "L3.5")


def describe(event: Event, names: Sequence[str]) -> Message | None:
    """Return an event as a message."""
    card = "" if event.card < 0 else write_card(event.card)
    parameters: dict[str, str | int] = {"name": names[event.seat], "card": card}
    match event:
        case Event(kind=EventKind.TURN):
            return SeatMessage("lines.turn", parameters, event.seat)
        case Event(kind=EventKind.PLAYED, place=spot, other=zone):
            how = {TOP: "top", BOTTOM: "bottom"}.get(spot, "extended")
            where = "home" if zone == event.seat else "given"
            parameters |= {"other": names[zone], "line": spot - LINE + 1}
            return SeatMessage(f"lines.{how}_{where}", parameters, event.seat, zone)
        case Event(kind=EventKind.DISCARDED):
            return SeatMessage("lines.discarded", parameters, event.seat)
        case Event(kind=EventKind.DREW) if event.card != HIDDEN:
            return SeatMessage("lines.drew", parameters, event.seat)
        case Event(kind=LinesEvent.LAST_TURNS):
            return SeatMessage("lines.last_turns", parameters, event.seat)
        case Event(kind=EventKind.PASSED):
            return SeatMessage("lines.passed", parameters, event.seat)
        case Event(kind=EventKind.SHUFFLED):
            return Message("lines.shuffled", {"count": len(event.cards)})
    return None
