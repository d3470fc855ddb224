"""Stacks in words: refusals and events, as message codes."""

from __future__ import annotations

__all__ = ["describe", "explain"]

from collections.abc import Sequence

from upcard.core.events import HIDDEN, Event, EventKind
from upcard.core.messages import Refusal, SeatMessage
from upcard.core.piles import NO_CARD, has, top
from upcard.core.table import PLAYING, Reason
from upcard.games.stacks.deck import BLOCK, CARD, CHIP, COLOURS, NUMBERED, colour_of, write_card
from upcard.games.stacks.events import StacksEvent
from upcard.games.stacks.moves import (
    BLOCK_IT,
    END,
    FROM_TOP,
    HAND_OF,
    PILE_NAMES,
    card_in,
    half_in,
    is_discard,
    is_play_on_pile,
    pile_in,
    source_in,
    special_in,
    target_in,
)
from upcard.games.stacks.rules import PILES_OF_A_COLOUR, can_steal, fits, has_play, source_card
from upcard.games.stacks.table import ASK, PILES, Table
from upcard.i18n import Message

ENDED_BY = {Reason.WON: "K6.1", Reason.STUCK: "K6.2", Reason.LIMIT: "K6.3"}


def explain(table: Table, move: int) -> Refusal | None:
    """Return why a move is not legal, None for a legal one."""
    if table.over != PLAYING:
        return Refusal("table.over", {}, ENDED_BY[Reason(table.over)])
    if table.step == ASK:
        return _explain_answer(table, move)
    if BLOCK_IT <= move < END:
        return Refusal("stacks.not_asked", {}, "K5.3")
    if is_discard(move) or move == END:
        return _explain_stop(table, move)
    missing = _explain_source(table, move)
    if missing is not None:
        return missing
    return _explain_pile(table, move) if is_play_on_pile(move) else _explain_theft(table, move)


def _explain_answer(table: Table, move: int) -> Refusal | None:
    if not BLOCK_IT <= move < END:
        return Refusal("stacks.answer_first", {}, "K5.2")
    if move == BLOCK_IT and not has(table.seats[table.to_move].hand, BLOCK):
        return Refusal("table.not_in_hand", {"card": write_card(BLOCK)}, "K5.3")
    return None


def _explain_stop(table: Table, move: int) -> Refusal | None:
    hand = table.seats[table.player].hand
    if move == END and hand.count > 0:
        return Refusal("stacks.discard_to_end", {}, "K3.6")
    if is_discard(move) and not has(hand, card_in(move)):
        return Refusal("table.not_in_hand", {"card": write_card(card_in(move))}, "K3.6")
    if table.options.must_play and has_play(table):
        return Refusal("stacks.must_play", {}, "K3.1")
    return None


def _explain_source(table: Table, move: int) -> Refusal | None:
    """Return a refusal if the card is neither in the hand nor on top of the player's discard pile."""
    seat = table.seats[table.player]
    if source_in(move) != FROM_TOP:
        card = source_card(table, move)
        return (
            None if has(seat.hand, card) else Refusal("table.not_in_hand", {"card": write_card(card)}, "K3.3")
        )
    card = top(seat.discards)
    if card == NO_CARD:
        return Refusal("stacks.no_discards", {}, "K3.3")
    suits = card < NUMBERED if is_play_on_pile(move) else card == special_in(move)
    return None if suits else Refusal("stacks.other_top", {"card": write_card(card)}, "K3.3")


def _explain_pile(table: Table, move: int) -> Refusal | None:
    card, pile = source_card(table, move), pile_in(move)
    if fits(card, table.piles[pile].height, pile):
        return None
    parameters: dict[str, str | int] = {"card": write_card(card), "pile": PILE_NAMES[pile]}
    if colour_of(card) != pile // PILES_OF_A_COLOUR:
        return Refusal("stacks.other_colour", parameters, "K3.2")
    return Refusal("stacks.does_not_fit", {**parameters, "needed": table.piles[pile].height + 1}, "K3.2")


def _explain_theft(table: Table, move: int) -> Refusal | None:
    special = special_in(move)
    if special not in (CARD, CHIP):
        return None
    seat, half = target_in(move), half_in(move)
    clause = "K4.3" if special == CARD else "K4.4"
    if seat >= table.players:
        return Refusal("table.no_such_seat", {"seat": seat + 1}, "K2.1")
    if seat == table.player:
        return Refusal("stacks.steal_from_others", {}, clause)
    if can_steal(table, special, seat, half):
        return None
    if special == CARD:
        code = "stacks.empty_hand" if half == HAND_OF else "stacks.empty_discards"
        return Refusal(code, {"seat": seat + 1}, clause)
    if table.seats[seat].chips[half] == 0:
        return Refusal(f"stacks.no_such_chip_{COLOURS[half]}", {"seat": seat + 1}, clause)
    return Refusal("stacks.theft_would_win", {}, clause)


def describe(event: Event, names: Sequence[str]) -> Message | None:
    """Return an event as a message."""
    card = "" if event.card < 0 else write_card(event.card)
    parameters: dict[str, str | int] = {"name": names[event.seat], "card": card}
    match event:
        case Event(kind=EventKind.TURN):
            return SeatMessage("stacks.turn", parameters, event.seat)
        case Event(kind=EventKind.PLAYED, place=pile, other=source):
            parameters["pile"] = PILE_NAMES[pile] if pile < PILES else ""
            code = "stacks.played" if pile < PILES else "stacks.used"
            return SeatMessage(code + ("_top" if source == FROM_TOP else ""), parameters, event.seat)
        case Event(kind=EventKind.COMPLETED, place=pile):
            return SeatMessage("stacks.completed", {**parameters, "pile": PILE_NAMES[pile]}, event.seat)
        case Event(kind=StacksEvent.EARNED, place=colour):
            return SeatMessage(f"stacks.earned_{COLOURS[colour]}", parameters, event.seat)
        case Event(kind=StacksEvent.STOLE, place=half, other=victim):
            parameters["other"] = names[victim]
            unseen = "unseen" if event.card == HIDDEN else "hand"
            what = unseen if half == HAND_OF else "top"
            return SeatMessage(f"stacks.stole_{what}", parameters, event.seat, victim)
        case Event(kind=StacksEvent.STOLE_CHIP, place=colour, other=victim):
            parameters["other"] = names[victim]
            return SeatMessage(f"stacks.stole_chip_{COLOURS[colour]}", parameters, event.seat, victim)
        case Event(kind=StacksEvent.BLOCKED, place=pile):
            return SeatMessage("stacks.blocked", {**parameters, "pile": PILE_NAMES[pile]}, event.seat)
        case Event(kind=EventKind.DISCARDED):
            return SeatMessage("stacks.discarded", parameters, event.seat)
        case Event(kind=EventKind.DREW) if event.card != HIDDEN:
            return SeatMessage("stacks.drew", parameters, event.seat)
        case Event(kind=EventKind.SKIPPED):
            return SeatMessage("stacks.skipped", parameters, event.seat)
        case Event(kind=StacksEvent.REVERSED):
            return Message("stacks.reversed", parameters)
        case Event(kind=EventKind.PASSED):
            return SeatMessage("stacks.ended", parameters, event.seat)
        case Event(kind=EventKind.SHUFFLED):
            return Message("stacks.shuffled", {"count": len(event.cards)})
    return None
