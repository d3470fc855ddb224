"""The commands at a table. Each returns entries for its log, or raises a refusal with the reason.

Commands do not change anything: they read the state of the table and return the entries to be written.
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
    "check_base",
    "check_caps",
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
from collections.abc import Collection, Mapping, Sequence
from typing import NoReturn

from upcard.bots import known
from upcard.core.errors import OptionError, Refused, UpcardError
from upcard.core.messages import Refusal
from upcard.match import Match
from upcard.server.table import entries, names
from upcard.server.table.entries import Entry
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

# The pictures that people can choose from, and how many colours there are. (`faces.js` draws them.)
FACES = (
    "fox",
    "owl",
    "bear",
    "cat",
    "rabbit",
    "frog",
    "panda",
    "penguin",
    "octopus",
    "lion",
    "koala",
    "whale",
    "bee",
    "turtle",
    "hedgehog",
    "parrot",
)
TINTS = 8
# How long a rematch waits for the players of the previous game, in seconds.
READY_SECONDS = 20.0
# If a window should have closed this many seconds ago, the server was not running in the meantime.
LATE_SECONDS = 5.0
# The maximum number of entries of each kind in one log. No real game comes close to them.
MAX_ENTRIES: dict[type[Entry], int] = {
    entries.Moved: 20_000,
    entries.Said: 1_000,
    entries.UndoAsked: 200,
    entries.EndAsked: 50,
}
MAX_OTHER_ENTRIES = 500
# Bots for experiments, whose strength depends on their parameters.
FOR_THE_LAB = ("search", "net")
# Names for bots, by seat.
BOT_NAMES = ("Robin", "Sacha", "Kim", "Alex", "Noor", "Charlie")


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


def _own_seat(state: TableState, person: str) -> int:
    seat = state.seat_of(person)
    if seat is None:
        refuse("not_seated")
    return seat


def _playing_seat(state: TableState, person: str) -> int:
    """Return the seat of a person who takes part in the game."""
    seat = _own_seat(state, person)
    if state.phase == "playing" and state.seats[seat - 1].resigned:
        refuse("resigned")
    return seat


def _check_phase(state: TableState, phase: str) -> None:
    if state.phase != phase:
        refuse(f"is_{state.phase}")


def _check_host(state: TableState, person: str) -> None:
    if person != state.host:
        refuse("not_host")


def _check_seat(state: TableState, seat: int) -> None:
    if not 1 <= seat <= len(state.seats):
        refuse("no_such_seat", seat=seat)


def clean_name(state: TableState | None, name: str, seat: int | None = None) -> str:
    """Return a name as it is shown, if it is visible and no other name at the table looks like it."""
    shown = names.normalize(name)
    if not 1 <= len(shown) <= names.MAX_LENGTH:
        refuse("name_length", most=names.MAX_LENGTH)
    if not names.is_shown(shown):
        refuse("name_letters")
    if state is not None:
        for number, other in enumerate(state.names, 1):
            if number != seat and names.look_alike(other, shown):
                refuse("name_taken", name=other)
    return shown


# Before the game


def sit(
    state: TableState, person: str, seat: int | None, name: str, share: str, face: str = "", tint: int = 0
) -> list[Entry]:
    """Sit down at a seat, or at the first free one; a player who has a seat may change it."""
    _check_phase(state, "open")
    _check_admitted(state, person)
    number = _seat_for(state, person, seat)
    _check_continued(state, person, number)
    before = state.seat_of(person)
    shown = clean_name(state, name, before or number)
    sat = entries.Sat(number, person, shown, share, *_look(state, before or number, face, tint))
    written: list[Entry] = [sat] if before in (None, number) else [entries.Stood(before), sat]
    missing = [other for other, at in enumerate(state.seats, 1) if at.is_free and other != number]
    return [*written, entries.Started()] if state.opened.starts_when_full and not missing else written


def _check_admitted(state: TableState, person: str) -> None:
    """Refuse a person whom the host does not want here."""
    if person in state.removed:
        refuse("removed")
    is_expected = state.seat_of(person) is not None or any(seat.kept_for == person for seat in state.seats)
    if state.locked and person != state.host and not is_expected:
        refuse("is_locked")


def _check_continued(state: TableState, person: str, seat: int) -> None:
    """The player who began the game elsewhere knows the cards of one seat, and sits nowhere else."""
    begun = state.opened.continues
    if begun is not None and seat != begun.seat and person == state.opened.chairs[begun.seat - 1].kept_for:
        refuse("seat_continues", seat=begun.seat)


def _look(state: TableState, seat: int, face: str, tint: int) -> tuple[str, int]:
    """Return a face and a colour. At a table, everyone has a different colour."""
    if face and face not in FACES:
        raise OptionError(f"there is no face {face!r:.40}: they are {', '.join(FACES)}")
    taken = {other.tint or number for number, other in enumerate(state.seats, 1) if number != seat}
    # A seat without a chosen colour has that of its number.
    if (tint or seat) in taken:
        tint = next(free for free in range(1, TINTS + 1) if free not in taken)
    return face, tint


def _seat_for(state: TableState, person: str, wanted: int | None) -> int:
    if wanted is not None:
        _check_seat(state, wanted)
        seat = state.seats[wanted - 1]
        if seat.bot is not None or seat.person not in (None, person):
            refuse("seat_taken", seat=wanted, name=seat.name)
        if seat.kept_for not in (None, person):
            refuse("seat_kept", seat=wanted)
        return wanted
    already = state.seat_of(person)
    if already is not None:
        return already
    free = [number for number, seat in enumerate(state.seats, 1) if seat.is_free]
    kept = [number for number in free if state.seats[number - 1].kept_for == person]
    open_to_all = [number for number in free if state.seats[number - 1].kept_for is None]
    if not kept and not open_to_all:
        refuse("full")
    return (kept or open_to_all)[0]


def stand(state: TableState, person: str) -> list[Entry]:
    """Stand up before the game begins."""
    seat = _own_seat(state, person)
    _check_phase(state, "open")
    return [entries.Stood(seat)]


def rename(state: TableState, person: str, name: str, face: str = "", tint: int = 0) -> list[Entry]:
    """Change one's name, face or colour."""
    seat = _own_seat(state, person)
    if state.phase == "archived":
        refuse("is_archived")
    return [entries.Renamed(seat, clean_name(state, name, seat), *_look(state, seat, face, tint))]


def check_bot(bot: str) -> str:
    """Return the name of a bot that may sit at a table, which does not include a budget."""
    if bot not in table_bots():
        raise OptionError(f"there is no bot {bot!r:.40} for tables: choose {', '.join(table_bots())}")
    return bot


def table_bots() -> list[str]:
    """Return the bots that may sit at a table."""
    return [bot for bot in known() if bot not in FOR_THE_LAB]


def bot_name(taken: list[str], seat: int) -> str:
    """Return an unused name for a bot."""
    names = [*BOT_NAMES[seat - 1 :], *BOT_NAMES[: seat - 1], *(f"Robin {seat + 1}" for seat in range(9))]
    used = {name.casefold() for name in taken}
    return next(name for name in names if name.casefold() not in used)


def place(state: TableState, person: str, seat: int, bot: str | None) -> list[Entry]:
    """Put a bot on a seat, or free the seat for a person."""
    _check_phase(state, "open")
    _check_host(state, person)
    _check_seat(state, seat)
    if state.seats[seat - 1].person is not None:
        refuse("seat_taken", seat=seat, name=state.seats[seat - 1].name)
    if state.opened.rematch_of is not None and state.seats[seat - 1].kept_for is not None:
        # The player who asks for a rematch first must not be able to take the others' seats.
        refuse("seat_kept", seat=seat)
    if bot is None:
        return [entries.Placed(seat, None)]
    others = [name for number, name in enumerate(state.names, 1) if number != seat]
    return [entries.Placed(seat, check_bot(bot), bot_name(others, seat))]


def remove(state: TableState, person: str, seat: int) -> list[Entry]:
    """Remove another person from the table. In a rematch, seats belong to those who played before."""
    _check_phase(state, "open")
    _check_host(state, person)
    _check_seat(state, seat)
    if state.seats[seat - 1].person in (None, person) or state.opened.rematch_of is not None:
        refuse("not_removable")
    return [entries.Removed(seat, state.seats[seat - 1].name)]


def lock(state: TableState, person: str, locked: bool) -> list[Entry]:
    """Lock the table, so that nobody else can sit down, or unlock it."""
    _check_phase(state, "open")
    _check_host(state, person)
    return [] if state.locked == locked else [entries.Locked(locked)]


def start(state: TableState, person: str, now: float) -> list[Entry]:
    """Deal the cards. In a rematch, any player who is ready may do so once the others have had time to come;
    bots play for the missing players until they are back."""
    _check_phase(state, "open")
    if state.opened.rematch_of is None:
        _check_host(state, person)
    else:
        _own_seat(state, person)
    missing: list[Entry] = []
    for number, seat in enumerate(state.seats, 1):
        if not seat.is_free:
            continue
        if seat.kept_for is None or state.opened.rematch_of is None:
            refuse("seats_free")
        missing += [
            entries.Sat(number, seat.kept_for, seat.name, "", seat.face, seat.tint),
            entries.SatIn(number, STAND_IN),
        ]
    # If the table seems to be opened in the future, the clock was wrong.
    if missing and 0 <= now - state.history[0].at < READY_SECONDS:
        refuse("seats_free")
    return [*missing, entries.Started()]


def take_host(state: TableState, person: str, present: Collection[int]) -> list[Entry]:
    """Become the host if the current host is away."""
    seat = _own_seat(state, person)
    _check_phase(state, "open")
    host = state.seat_of(state.host)
    if host == seat:
        return []
    if host is not None and host in present:
        refuse("not_host")
    return [entries.HostChanged(seat)]


def pass_host(state: TableState, absent: str, present: Collection[int]) -> list[Entry]:
    """Make one of those who are present the host, instead of a host who has not been present for a while."""
    seats = [seat for seat in state.people if seat in present]
    if state.phase != "open" or state.host != absent or not seats:
        return []
    return [entries.HostChanged(seats[0])]


# The game


def _match(state: TableState) -> Match:
    _check_phase(state, "playing")
    assert state.match is not None
    return state.match


def play(state: TableState, person: str, move: str, base: int) -> list[Entry]:
    """Make a move. A player who moves is back, even if a bot was playing for them."""
    seat = _playing_seat(state, person)
    match = _match(state)
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
    match, seat = _match(state), state.to_move
    assert seat is not None
    return [entries.Moved(seat, match.game.write_move(match.table, number), "bot")]


def answer(state: TableState, person: str, text: str, base: int) -> tuple[int, str]:
    """Answer out of turn. This is a note, not an entry, since nobody may know who has answered, or when."""
    seat = _playing_seat(state, person)
    match = _match(state)
    check_base(state, base)
    if state.window is None or seat not in match.asked:
        refuse("not_asked")
    number = match.game.read_move(match.table, text)
    if number not in match.answers(seat):
        raise Refused(match.why_no_answer(seat, number))
    return seat, match.game.write_move(match.table, number)


def hold(state: TableState, person: str, base: int) -> list[Entry]:
    """Ask everyone to wait. Every player who is asked may do so, whatever they hold."""
    seat = _playing_seat(state, person)
    match = _match(state)
    check_base(state, base)
    if state.window is None or seat not in match.asked:
        refuse("not_asked")
    return [] if seat in state.window.held_by else [entries.Held(seat)]


def give_time(state: TableState, person: str, given: bool) -> list[Entry]:
    """Always have time to answer out of turn, or no longer."""
    seat = _own_seat(state, person)
    if state.phase not in ("open", "playing"):
        refuse(f"is_{state.phase}")
    return [] if state.seats[seat - 1].unhurried == given else [entries.TimeGiven(seat, given)]


def set_pace(state: TableState, person: str, pace: float) -> list[Entry]:
    """Let bots take more or less time for a move."""
    seat = _own_seat(state, person)
    if state.phase not in ("open", "playing"):
        refuse(f"is_{state.phase}")
    return [] if state.pace == pace else [entries.PaceChanged(seat, pace)]


def hurry(state: TableState, person: str) -> list[Entry]:
    """Skip to the next turn of a person."""
    seat = _own_seat(state, person)
    _match(state)
    return [] if state.hurried or state.bot_to_move is None else [entries.Hurried(seat)]


def stay(state: TableState, person: str, now: float) -> list[Entry]:
    """Confirm that one is present and still thinking. This restarts the time limit once half of it is
    over."""
    seat, ends = _own_seat(state, person), state.patience_ends
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
        return [entries.SatIn(seat, STAND_IN), *_settled_without(state, seat)]
    return [entries.Nudged(seat)]


def leave(state: TableState, person: str) -> list[Entry]:
    """Leave. Before the game, this frees the seat; later the seat stays reserved."""
    seat = _own_seat(state, person)
    if state.phase == "open":
        return [entries.Stood(seat)]
    return [] if state.seats[seat - 1].left else [entries.Left(seat), *_settled_without(state, seat)]


def _back(state: TableState, seat: int) -> list[Entry]:
    chair = state.seats[seat - 1]
    return [entries.TookBack(seat)] if chair.stand_in is not None or chair.left else []


def come_back(state: TableState, person: str) -> list[Entry]:
    """Take one's seat back, from a bot if one is playing there."""
    return [*_reopened(state, person), *_back(state, _playing_seat(state, person))]


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
    seat = _playing_seat(state, person)
    match = _match(state)
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
    seat = _own_seat(state, person)
    if state.phase == "archived":
        refuse("is_archived")
    if phrase not in PHRASES:
        raise OptionError(f"there is no phrase {phrase!r:.40}: they are {', '.join(PHRASES)}")
    return [entries.Said(seat, phrase)]


# Undo


def ask_undo(state: TableState, person: str, base: int) -> list[Entry]:
    """Ask everyone to take back one's last move; bots always agree."""
    seat = _playing_seat(state, person)
    match = _match(state)
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
    seat = _own_seat(state, person)
    match, undo = _match(state), state.undo
    if undo is None or asked not in (None, undo.asked):
        refuse("undo_not_asked")
    if seat not in undo.waiting and (agreed or seat != undo.seat):
        refuse("undo_answered")
    answered = entries.UndoAnswered(seat, agreed)
    return [answered, _undone(match, undo.seat)] if agreed and undo.waiting == {seat} else [answered]


def _settled_without(state: TableState, seat: int) -> list[Entry]:
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
    seat = _playing_seat(state, person)
    _match(state)
    others = [number for number, other in enumerate(state.seats, 1) if number != seat and not other.resigned]
    has_people = any(number in state.people and not state.seats[number - 1].left for number in others)
    if len(others) == 1 or not has_people:
        return [entries.Resigned(seat), entries.Ended("resigned", others)]
    return [entries.Resigned(seat), entries.SatIn(seat, STAND_IN), *_settled_without(state, seat)]


def ask_end(state: TableState, person: str) -> list[Entry]:
    """Ask all others whether the game may end without a winner; bots always agree."""
    seat = _playing_seat(state, person)
    _match(state)
    if state.ending is not None:
        refuse("end_asked_already")
    asked = entries.EndAsked(seat)
    return [asked] if state.others_at_table(seat) else [asked, entries.Ended("agreed")]


def answer_end(state: TableState, person: str, agreed: bool, asked: int | None = None) -> list[Entry]:
    """Agree or refuse to end the game; the player who asked may withdraw the request.

    `asked` is the number of the entry that is answered: a late answer does not count for a later question.
    """
    seat = _own_seat(state, person)
    _match(state)
    question = state.ending
    if question is None or asked not in (None, question.asked):
        refuse("end_not_asked")
    if seat not in question.waiting and (agreed or seat != question.seat):
        refuse("undo_answered")
    answered = entries.EndAnswered(seat, agreed)
    return [answered, entries.Ended("agreed")] if agreed and question.waiting == {seat} else [answered]


# Afterwards


def rematch(state: TableState, person: str, table: str) -> list[Entry]:
    """Set up another table for the same players, unless one of them has done so already."""
    seat = _own_seat(state, person)
    _check_phase(state, "over")
    if state.rematch is not None:
        return []
    return [entries.Rematched(seat, table)]


def archive(state: TableState) -> list[Entry]:
    """Archive a table to which nobody has come back."""
    return [] if state.phase == "archived" else [entries.Archived()]
