"""The commands at a table. Each returns entries for its log, or raises a refusal with the reason.

Commands do not change anything: they read the state of the table and return the entries to be written. Those
before the game are in seating.py, and those on which players have to agree in agreements.py.
"""

from __future__ import annotations

__all__ = [
    "FACES",
    "PHRASES",
    "READY_SECONDS",
    "TINTS",
    "StaleBase",
    "answer",
    "answer_end",
    "answer_undo",
    "archive",
    "ask_end",
    "ask_undo",
    "bot_move",
    "bot_name",
    "check_base",
    "check_bot",
    "check_caps",
    "clean_name",
    "close_window",
    "come_back",
    "end_patience",
    "give_time",
    "hand_over",
    "hold",
    "hurry",
    "leave",
    "lock",
    "pass_host",
    "place",
    "play",
    "refuse",
    "rematch",
    "remove",
    "rename",
    "reopen",
    "resign",
    "say",
    "set_pace",
    "sit",
    "stand",
    "start",
    "stay",
    "table_bots",
    "take_host",
    "to_think",
]

import sys
from collections.abc import Mapping

from upcard.core.errors import OptionError, Refused
from upcard.match import Match
from upcard.server.table import entries
from upcard.server.table.agreements import answer_end, answer_undo, ask_end, ask_undo, resign, settled_without
from upcard.server.table.checks import (
    StaleBase,
    check_base,
    check_caps,
    check_phase,
    match_of,
    own_seat,
    playing_seat,
    refuse,
)
from upcard.server.table.entries import Entry
from upcard.server.table.seating import (
    FACES,
    READY_SECONDS,
    TINTS,
    bot_name,
    check_bot,
    clean_name,
    lock,
    pass_host,
    place,
    remove,
    rename,
    sit,
    stand,
    start,
    table_bots,
    take_host,
)
from upcard.server.table.state import STAND_IN, TableState

# The phrases that can be said at a table. There is no free text, since families play here.
PHRASES = (
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "oops",
    "wow",
    "one_moment",
    "your_turn",
    "again",
    "goodbye",
)
# If a window should have closed this many seconds ago, the server was not running in the meantime.
LATE_SECONDS = 5.0


def play(state: TableState, person: str, move: str, base: int) -> list[Entry]:
    """Make a move. A player who moves is back, even if a bot was playing for them."""
    seat = playing_seat(state, person)
    match = match_of(state)
    check_base(state, base)
    if state.window is not None:
        refuse("window_open")
    _check_turn(state, match, seat)
    number = match.game.read_move(match.table, move)
    if number not in state.legal:
        refusal = match.game.explain(match.table, number)
        assert refusal is not None, "a move that is not legal has a reason"
        raise Refused(refusal)
    # There are few different texts of moves, but many moves.
    made = entries.Moved(seat, sys.intern(match.game.write_move(match.table, number)))
    return [*_back(state, seat), made]


def _check_turn(state: TableState, match: Match, seat: int) -> None:
    if match.to_move != seat:
        assert match.to_move is not None
        refuse("not_your_turn", match.game.turn_clause, name=state.names[match.to_move - 1])


def bot_move(state: TableState, changed: int, number: int, now: float) -> list[Entry]:
    """Make the move that a bot has chosen; nothing before its time, or if the table has changed."""
    time = state.bot_moves_at
    if state.changed != changed or time is None or now < time:
        return []
    match, seat = match_of(state), state.to_move
    assert seat is not None
    return [entries.Moved(seat, match.game.write_move(match.table, number), "bot")]


def answer(state: TableState, person: str, text: str, base: int) -> tuple[int, str]:
    """Answer out of turn. This is a note, not an entry, since nobody may know who has answered, or when."""
    seat = playing_seat(state, person)
    match = match_of(state)
    check_base(state, base)
    if state.window is None or seat not in match.asked:
        refuse("not_asked")
    number = match.game.read_move(match.table, text)
    if number not in match.answers(seat):
        raise Refused(match.why_no_answer(seat, number))
    return seat, match.game.write_move(match.table, number)


def hold(state: TableState, person: str, base: int) -> list[Entry]:
    """Ask everyone to wait. Every player who is asked may do so, whatever they hold."""
    seat = playing_seat(state, person)
    match = match_of(state)
    check_base(state, base)
    if state.window is None or seat not in match.asked:
        refuse("not_asked")
    return [] if seat in state.window.held_by else [entries.Held(seat)]


def give_time(state: TableState, person: str, given: bool) -> list[Entry]:
    """Always have time to answer out of turn, or no longer."""
    seat = own_seat(state, person)
    if state.phase not in ("open", "playing"):
        refuse(f"is_{state.phase}")
    return [] if state.seats[seat - 1].unhurried == given else [entries.TimeGiven(seat, given)]


def set_pace(state: TableState, person: str, pace: float) -> list[Entry]:
    """Let bots take more or less time for a move."""
    seat = own_seat(state, person)
    if state.phase not in ("open", "playing"):
        refuse(f"is_{state.phase}")
    return [] if state.pace == pace else [entries.PaceChanged(seat, pace)]


def hurry(state: TableState, person: str) -> list[Entry]:
    """Skip to the next turn of a person."""
    seat = own_seat(state, person)
    match_of(state)
    return [] if state.hurried or state.bot_to_move is None else [entries.Hurried(seat)]


def stay(state: TableState, person: str, now: float) -> list[Entry]:
    """Confirm that one is present and still thinking. This restarts the time limit once half of it is
    over."""
    seat, ends = own_seat(state, person), state.patience_ends
    if state.seats[seat - 1].resigned:
        return []
    back = _back(state, seat)
    if back or ends is None or state.to_move != seat:
        return back
    return [entries.Stayed(seat)] if now > ends - state.opened.patience_seconds / 2 else []


def close_window(state: TableState, opened: int, answers: Mapping[int, str], now: float) -> list[Entry]:
    """Close the window; do nothing before its time, or if it is closed already. If the server was not running
    when it should have closed, its time starts again."""
    window = state.window
    if window is None or window.opened != opened or now < window.closes_at(answers):
        return []
    if now > window.closes + LATE_SECONDS and state.opened.window_seconds > 0:
        return [entries.Resumed()]
    return [entries.Closed(dict(answers))]


def end_patience(state: TableState, now: float) -> list[Entry]:
    """Nudge a player who takes long, or let a bot play for them, depending on the table."""
    ends, seat = state.patience_ends, state.to_move
    if ends is None or seat is None or now < ends:
        return []
    if state.opened.patience == "bot":
        return [entries.SatIn(seat, STAND_IN), *settled_without(state, seat)]
    return [entries.Nudged(seat)]


def leave(state: TableState, person: str) -> list[Entry]:
    """Leave. Before the game, this frees the seat; later the seat stays reserved."""
    seat = own_seat(state, person)
    if state.phase == "open":
        return [entries.Stood(seat)]
    return [] if state.seats[seat - 1].left else [entries.Left(seat), *settled_without(state, seat)]


def _back(state: TableState, seat: int) -> list[Entry]:
    chair = state.seats[seat - 1]
    return [entries.TookBack(seat)] if chair.stand_in is not None or chair.left else []


def come_back(state: TableState, person: str) -> list[Entry]:
    """Take one's seat back, from a bot if one is playing there."""
    return [*_reopened(state, person), *_back(state, playing_seat(state, person))]


def reopen(state: TableState, person: str) -> list[Entry]:
    """Open an archived table again: a player is there, or the clock was wrong when it was archived."""
    return _reopened(state, person)


def _reopened(state: TableState, person: str) -> list[Entry]:
    seat = state.seat_of(person)
    return (
        [entries.Reopened(seat)]
        if state.phase == "archived" and seat is not None and not state.is_final
        else []
    )


def to_think(state: TableState, person: str) -> int:
    """Return the seat of a player who has a decision to make, or refuse."""
    seat = playing_seat(state, person)
    match = match_of(state)
    if state.window is None:
        _check_turn(state, match, seat)
    elif seat not in match.asked:
        refuse("not_asked")
    return seat


def hand_over(state: TableState, seat: int, giver: str, person: str) -> list[Entry]:
    """Give a seat to another device, if the player who created the code still has it."""
    if state.phase == "archived":
        refuse("is_archived")
    if state.seats[seat - 1].person != giver:
        refuse("handed_over")
    if state.seat_of(person) not in (None, seat):
        refuse("sits_already")
    return [] if giver == person else [entries.HandedOver(seat, person)]


def say(state: TableState, person: str, phrase: str) -> list[Entry]:
    """Say one of the phrases."""
    seat = own_seat(state, person)
    if state.phase == "archived":
        refuse("is_archived")
    if phrase not in PHRASES:
        raise OptionError(f"there is no phrase {phrase!r:.40}: they are {', '.join(PHRASES)}")
    return [entries.Said(seat, phrase)]


# Afterwards


def rematch(state: TableState, person: str, table: str) -> list[Entry]:
    """Set up another table for the same players, unless one of them has done so already."""
    seat = own_seat(state, person)
    check_phase(state, "over")
    if state.rematch is not None:
        return []
    return [entries.Rematched(seat, table)]


def archive(state: TableState) -> list[Entry]:
    """Archive a table to which nobody has come back."""
    return [] if state.phase == "archived" else [entries.Archived()]
