"""The checks that commands at a table have in common."""

from __future__ import annotations

__all__ = [
    "StaleBase",
    "check_base",
    "check_caps",
    "check_host",
    "check_phase",
    "check_seat",
    "match_of",
    "own_seat",
    "playing_seat",
    "refuse",
]

from collections.abc import Sequence
from typing import NoReturn

from upcard.core.errors import OptionError, Refused, UpcardError
from upcard.core.messages import Refusal
from upcard.match import Match
from upcard.server.table import entries
from upcard.server.table.entries import Entry
from upcard.server.table.state import TableState

# The maximum number of entries of each kind in one log. No real game comes close to them.
MAX_ENTRIES: dict[type[Entry], int] = {
    entries.Moved: 20_000,
    entries.Said: 1_000,
    entries.UndoAsked: 200,
    entries.EndAsked: 50,
}
MAX_OTHER_ENTRIES = 500


class StaleBase(UpcardError):
    """A command was based on a state that has changed since."""


def refuse(code: str, clause: str = "", **parameters: str | int) -> NoReturn:
    """Refuse a command, with the code of a sentence."""
    raise Refused(Refusal(f"table.{code}", parameters, clause))


def check_base(state: TableState, base: int) -> None:
    """Refuse a command that is based on a state in which other moves were legal."""
    if base > state.seq:
        raise OptionError(f"'base' is {base}, but the table is only at {state.seq}")
    if base < state.changed:
        raise StaleBase(f"the table has changed since {base}: it is at {state.seq}")


def check_caps(state: TableState, new: Sequence[Entry]) -> None:
    """Refuse entries of a kind of which the table already has too many, because a log is replayed when it is
    loaded."""
    for entry in new:
        if state.counts[type(entry)] >= MAX_ENTRIES.get(type(entry), MAX_OTHER_ENTRIES):
            refuse("too_many")


def own_seat(state: TableState, person: str) -> int:
    seat = state.seat_of(person)
    if seat is None:
        refuse("not_seated")
    return seat


def playing_seat(state: TableState, person: str) -> int:
    """Return the seat of a person who takes part in the game."""
    seat = own_seat(state, person)
    if state.phase == "playing" and state.seats[seat - 1].resigned:
        refuse("resigned")
    return seat


def check_phase(state: TableState, phase: str) -> None:
    if state.phase != phase:
        refuse(f"is_{state.phase}")


def check_host(state: TableState, person: str) -> None:
    if person != state.host:
        refuse("not_host")


def check_seat(state: TableState, seat: int) -> None:
    if not 1 <= seat <= len(state.seats):
        refuse("no_such_seat", seat=seat)


def match_of(state: TableState) -> Match:
    """Return the game that is being played."""
    check_phase(state, "playing")
    assert state.match is not None
    return state.match
