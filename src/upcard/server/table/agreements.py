"""The commands on which players have to agree: taking back a move, and ending the game early. They are part
of commands.py."""

from __future__ import annotations

__all__ = ["answer_end", "answer_undo", "ask_end", "ask_undo", "resign", "settled_without"]

from upcard.match import Match
from upcard.server.table import entries
from upcard.server.table.checks import check_base, match_of, own_seat, playing_seat, refuse
from upcard.server.table.entries import Entry
from upcard.server.table.state import STAND_IN, TableState

# Undo


def ask_undo(state: TableState, person: str, base: int) -> list[Entry]:
    """Ask everyone to take back one's last move; bots always agree."""
    seat = playing_seat(state, person)
    match = match_of(state)
    check_base(state, base)
    if state.window is not None:
        refuse("window_open")
    if state.undo is not None:
        refuse("undo_asked_already")
    if not _moves_since(match, seat):
        refuse("nothing_to_undo")
    asked = entries.UndoAsked(seat)
    return [asked] if state.others_at_table(seat) else [asked, _undone(match, seat)]


def answer_undo(state: TableState, person: str, agreed: bool, asked: int | None = None) -> list[Entry]:
    """Agree or refuse to let a player take back a move; the player who asked may withdraw the request.

    `asked` is the number of the entry that is answered: a late answer does not count for a later question.
    """
    seat = own_seat(state, person)
    match, undo = match_of(state), state.undo
    if undo is None or asked not in (None, undo.asked):
        refuse("undo_not_asked")
    if seat not in undo.waiting and (agreed or seat != undo.seat):
        refuse("undo_answered")
    answered = entries.UndoAnswered(seat, agreed)
    return [answered, _undone(match, undo.seat)] if agreed and undo.waiting == {seat} else [answered]


def settled_without(state: TableState, seat: int) -> list[Entry]:
    """Do what the others have agreed to, if only the player who is going away had not answered yet."""
    if state.ending is not None and state.ending.waiting == {seat}:
        return [entries.Ended("agreed")]
    if state.match is not None and state.undo is not None and state.undo.waiting == {seat}:
        return [_undone(state.match, state.undo.seat)]
    return []


def _undone(match: Match, seat: int) -> entries.Undone:
    return entries.Undone(seat, _moves_since(match, seat))


def _moves_since(match: Match, seat: int) -> int:
    """Return the number of moves from a seat's last own move on, 0 if it has not moved."""
    moves = match.log_of_moves
    for number, moved in enumerate(reversed(moves), 1):
        if moved.seat == seat - 1 and not moved.forced:
            return number
    return 0


# Ending the game early


def resign(state: TableState, person: str) -> list[Entry]:
    """Give up. The game ends if only one seat, or no other person, plays on; else a bot plays this seat."""
    seat = playing_seat(state, person)
    match_of(state)
    others = [number for number, other in enumerate(state.seats, 1) if number != seat and not other.resigned]
    has_people = any(number in state.people and not state.seats[number - 1].left for number in others)
    if len(others) == 1 or not has_people:
        return [entries.Resigned(seat), entries.Ended("resigned", others)]
    return [entries.Resigned(seat), entries.SatIn(seat, STAND_IN), *settled_without(state, seat)]


def ask_end(state: TableState, person: str) -> list[Entry]:
    """Ask all others whether the game may end without a winner; bots always agree."""
    seat = playing_seat(state, person)
    match_of(state)
    if state.ending is not None:
        refuse("end_asked_already")
    asked = entries.EndAsked(seat)
    return [asked] if state.others_at_table(seat) else [asked, entries.Ended("agreed")]


def answer_end(state: TableState, person: str, agreed: bool, asked: int | None = None) -> list[Entry]:
    """Agree or refuse to end the game; the player who asked may withdraw the request.

    `asked` is the number of the entry that is answered: a late answer does not count for a later question.
    """
    seat = own_seat(state, person)
    match_of(state)
    question = state.ending
    if question is None or asked not in (None, question.asked):
        refuse("end_not_asked")
    if seat not in question.waiting and (agreed or seat != question.seat):
        refuse("undo_answered")
    answered = entries.EndAnswered(seat, agreed)
    return [answered, entries.Ended("agreed")] if agreed and question.waiting == {seat} else [answered]
