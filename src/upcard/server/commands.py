"""What people may do at a table, and what becomes of it: entries for its log, or a refusal with its reason.

Nothing is changed here. A command looks at a sitting and returns what is to be written.
"""

from __future__ import annotations

__all__ = [
    "PHRASES",
    "Stale",
    "answer",
    "answer_undo",
    "archive",
    "ask_undo",
    "bot_move",
    "check_base",
    "close_window",
    "come_back",
    "hand_over",
    "leave",
    "lose_patience",
    "move",
    "place",
    "refuse",
    "rematch",
    "rename",
    "say",
    "sit",
    "stand",
    "start",
    "table_bots",
    "to_think",
]

import sys
import unicodedata
from collections.abc import Mapping
from typing import NoReturn

from upcard.bots import known
from upcard.core.errors import OptionError, Refused, UpcardError
from upcard.core.words import Refusal
from upcard.match import Match
from upcard.server import entries as log
from upcard.server.entries import Entry
from upcard.server.sitting import STAND_IN, Sitting

# What can be said at a table. There is no free text: families play here.
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

LONGEST_NAME = 24
# Bots for experiments: what they are worth depends on what stands behind their names.
FOR_THE_LAB = ("search", "net")
# Names for bots, by seat.
BOT_NAMES = ("Robin", "Sacha", "Kim", "Alex", "Noor", "Charlie")


class Stale(UpcardError):
    """A command was based on a table that has gone on since."""


def refuse(code: str, clause: str = "", **parameters: str | int) -> NoReturn:
    """Refuse a command, with a code of the catalogue."""
    raise Refused(Refusal(f"table.{code}", parameters, clause))


def check_base(sitting: Sitting, base: int) -> None:
    """Refuse a command that was thought of before somebody else changed what can be done."""
    if base > sitting.seq:
        raise OptionError(f"'base' is {base}, but the table is only at {sitting.seq}")
    if base < sitting.changed:
        raise Stale(f"the table has gone on since {base}: it is at {sitting.seq}")


def _own_seat(sitting: Sitting, person: str) -> int:
    seat = sitting.seat_of(person)
    if seat is None:
        refuse("not_seated")
    return seat


def _check_phase(sitting: Sitting, phase: str) -> None:
    if sitting.phase != phase:
        refuse(f"is_{sitting.phase}")


def _check_host(sitting: Sitting, person: str) -> None:
    if person != sitting.host:
        refuse("not_host")


def _check_seat(sitting: Sitting, seat: int) -> None:
    if not 1 <= seat <= len(sitting.seats):
        refuse("no_such_seat", seat=seat)


def clean_name(sitting: Sitting | None, name: str, seat: int | None = None) -> str:
    """Return a name as it is shown: no white space around or twice, nothing that cannot be seen."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= LONGEST_NAME:
        refuse("name_length", most=LONGEST_NAME)
    if not all(character.isprintable() for character in shown):
        refuse("name_letters")
    if sitting is not None:
        for number, other in enumerate(sitting.names, 1):
            if number != seat and other.casefold() == shown.casefold():
                refuse("name_taken", name=shown)
    return shown


# Before the game


def sit(sitting: Sitting, person: str, seat: int | None, name: str, share: str) -> list[Entry]:
    """Sit down at a seat, or at the first that is free; whoever sits already may change the seat."""
    _check_phase(sitting, "open")
    number = _seat_for(sitting, person, seat)
    before = sitting.seat_of(person)
    shown = clean_name(sitting, name, before or number)
    sat = log.Sat(number, person, shown, share)
    return [sat] if before in (None, number) else [log.Stood(before), sat]


def _seat_for(sitting: Sitting, person: str, wanted: int | None) -> int:
    if wanted is not None:
        _check_seat(sitting, wanted)
        seat = sitting.seats[wanted - 1]
        if seat.bot is not None or seat.person not in (None, person):
            refuse("seat_taken", seat=wanted, name=seat.name)
        if seat.kept_for not in (None, person):
            refuse("seat_kept", seat=wanted)
        return wanted
    already = sitting.seat_of(person)
    if already is not None:
        return already
    free = [number for number, seat in enumerate(sitting.seats, 1) if seat.is_free]
    kept = [number for number in free if sitting.seats[number - 1].kept_for == person]
    open_to_all = [number for number in free if sitting.seats[number - 1].kept_for is None]
    if not kept and not open_to_all:
        refuse("full")
    return (kept or open_to_all)[0]


def stand(sitting: Sitting, person: str) -> list[Entry]:
    """Stand up before the game begins."""
    seat = _own_seat(sitting, person)
    _check_phase(sitting, "open")
    return [log.Stood(seat)]


def rename(sitting: Sitting, person: str, name: str) -> list[Entry]:
    """Be called something else."""
    seat = _own_seat(sitting, person)
    if sitting.phase == "archived":
        refuse("is_archived")
    return [log.Renamed(seat, clean_name(sitting, name, seat))]


def check_bot(bot: str) -> str:
    """Return the name of a bot that may sit at a table: one that does not say how long it thinks."""
    if bot not in table_bots():
        raise OptionError(f"there is no bot {bot!r:.40} for tables: choose {', '.join(table_bots())}")
    return bot


def table_bots() -> list[str]:
    """Return the bots that may sit at a table."""
    return [bot for bot in known() if bot not in FOR_THE_LAB]


def bot_name(taken: list[str], seat: int) -> str:
    """Return a name for a bot that nobody at the table has."""
    names = [*BOT_NAMES[seat - 1 :], *BOT_NAMES[: seat - 1], *(f"Robin {seat + 1}" for seat in range(9))]
    used = {name.casefold() for name in taken}
    return next(name for name in names if name.casefold() not in used)


def place(sitting: Sitting, person: str, seat: int, bot: str | None) -> list[Entry]:
    """Put a bot on a seat, or make it free for people."""
    _check_phase(sitting, "open")
    _check_host(sitting, person)
    _check_seat(sitting, seat)
    if sitting.seats[seat - 1].person is not None:
        refuse("seat_taken", seat=seat, name=sitting.seats[seat - 1].name)
    if bot is None:
        return [log.Placed(seat, None)]
    others = [name for number, name in enumerate(sitting.names, 1) if number != seat]
    return [log.Placed(seat, check_bot(bot), bot_name(others, seat))]


def start(sitting: Sitting, person: str) -> list[Entry]:
    """Deal the cards."""
    _check_phase(sitting, "open")
    _check_host(sitting, person)
    if any(seat.is_free for seat in sitting.seats):
        refuse("seats_free")
    return [log.Started()]


# The game


def _match(sitting: Sitting) -> Match:
    _check_phase(sitting, "playing")
    assert sitting.match is not None
    return sitting.match


def move(sitting: Sitting, person: str, text: str, base: int) -> list[Entry]:
    """Make a move; who does so is back, whoever played in between."""
    seat = _own_seat(sitting, person)
    match = _match(sitting)
    check_base(sitting, base)
    if sitting.window is not None:
        refuse("window_open")
    _check_turn(sitting, match, seat)
    number = match.game.read_move(match.table, text)
    if number not in sitting.legal:
        refusal = match.game.explain(match.table, number)
        assert refusal is not None, "a move that is not legal has a reason"
        raise Refused(refusal)
    # Of all texts of moves there are few, and of moves many.
    made = log.Moved(seat, sys.intern(match.game.write_move(match.table, number)))
    return [*_back(sitting, seat), made]


def _check_turn(sitting: Sitting, match: Match, seat: int) -> None:
    if match.to_move != seat:
        assert match.to_move is not None
        refuse("not_your_turn", match.game.turn_clause, name=sitting.names[match.to_move - 1])


def bot_move(sitting: Sitting, changed: int, number: int, now: float) -> list[Entry]:
    """Make the move that a bot has thought of; nothing before its time, or if the table has gone on."""
    time = sitting.bot_moves_at
    if sitting.changed != changed or time is None or now < time:
        return []
    match, seat = _match(sitting), sitting.to_move
    assert seat is not None
    return [log.Moved(seat, match.game.write_move(match.table, number), "bot")]


def answer(sitting: Sitting, person: str, text: str, base: int) -> tuple[int, str]:
    """Answer out of turn. This is a note and no entry: nobody is to know who has answered, or when."""
    seat = _own_seat(sitting, person)
    match = _match(sitting)
    check_base(sitting, base)
    if sitting.window is None or seat not in match.asked:
        refuse("not_asked")
    number = match.game.read_move(match.table, text)
    if number not in match.answers(seat):
        raise Refused(match.why_no_answer(seat, number))
    return seat, match.game.write_move(match.table, number)


def close_window(sitting: Sitting, opened: int, answers: Mapping[int, str], now: float) -> list[Entry]:
    """End the time to answer; nothing if it is not over, or if that has happened."""
    window = sitting.window
    if window is None or window.opened != opened or now < window.closes:
        return []
    return [log.Closed(dict(answers))]


def lose_patience(sitting: Sitting, now: float) -> list[Entry]:
    """Do what the table wants done about somebody who is waited for."""
    ends, seat = sitting.patience_ends, sitting.to_move
    if ends is None or seat is None or now < ends:
        return []
    return [log.SatIn(seat, STAND_IN)] if sitting.opened.patience == "bot" else [log.Nudged(seat)]


def leave(sitting: Sitting, person: str) -> list[Entry]:
    """Go away: before the game that frees the seat, later it is kept."""
    seat = _own_seat(sitting, person)
    if sitting.phase == "open":
        return [log.Stood(seat)]
    return [] if sitting.seats[seat - 1].left else [log.Left(seat)]


def _back(sitting: Sitting, seat: int) -> list[Entry]:
    chair = sitting.seats[seat - 1]
    return [log.TookBack(seat)] if chair.stand_in is not None or chair.left else []


def come_back(sitting: Sitting, person: str) -> list[Entry]:
    """Take one's seat again, from a bot if one sits there."""
    return _back(sitting, _own_seat(sitting, person))


def to_think(sitting: Sitting, person: str) -> int:
    """Return the seat of somebody who has a decision to make, or refuse."""
    seat = _own_seat(sitting, person)
    match = _match(sitting)
    if sitting.window is None:
        _check_turn(sitting, match, seat)
    elif seat not in match.asked:
        refuse("not_asked")
    return seat


def hand_over(sitting: Sitting, seat: int, giver: str, person: str) -> list[Entry]:
    """Let another device have the seat of whoever wanted that, if they still have it."""
    if sitting.phase == "archived":
        refuse("is_archived")
    if sitting.seats[seat - 1].person != giver:
        refuse("handed_over")
    if sitting.seat_of(person) not in (None, seat):
        refuse("sits_already")
    return [] if giver == person else [log.HandedOver(seat, person)]


def say(sitting: Sitting, person: str, phrase: str) -> list[Entry]:
    """Say one of the phrases."""
    seat = _own_seat(sitting, person)
    if sitting.phase == "archived":
        refuse("is_archived")
    if phrase not in PHRASES:
        raise OptionError(f"there is no phrase {phrase!r:.40}: they are {', '.join(PHRASES)}")
    return [log.Said(seat, phrase)]


# Taking back


def ask_undo(sitting: Sitting, person: str, base: int) -> list[Entry]:
    """Ask everybody whether one's last move may be taken back; bots never mind."""
    seat = _own_seat(sitting, person)
    match = _match(sitting)
    check_base(sitting, base)
    if sitting.window is not None:
        refuse("window_open")
    if sitting.undo is not None:
        refuse("undo_asked_already")
    if not _moves_since(match, seat):
        refuse("nothing_to_undo")
    asked = log.UndoAsked(seat)
    return [asked] if sitting.others_at_table(seat) else [asked, _undone(match, seat)]


def answer_undo(sitting: Sitting, person: str, agreed: bool) -> list[Entry]:
    """Agree that somebody takes back a move, or do not; the one who asked may think better of it."""
    seat = _own_seat(sitting, person)
    match, undo = _match(sitting), sitting.undo
    if undo is None:
        refuse("undo_not_asked")
    if seat not in undo.waiting and (agreed or seat != undo.seat):
        refuse("undo_answered")
    answered = log.UndoAnswered(seat, agreed)
    return [answered, _undone(match, undo.seat)] if agreed and undo.waiting == {seat} else [answered]


def _undone(match: Match, seat: int) -> log.Undone:
    return log.Undone(seat, _moves_since(match, seat))


def _moves_since(match: Match, seat: int) -> int:
    """Return how many moves there are from a seat's last own move on, 0 if it has made none."""
    moves = match.log_of_moves
    for number, moved in enumerate(reversed(moves), 1):
        if moved.seat == seat - 1 and not moved.forced:
            return number
    return 0


# Afterwards


def rematch(sitting: Sitting, person: str, table: str) -> list[Entry]:
    """Set up another table for the same players."""
    seat = _own_seat(sitting, person)
    _check_phase(sitting, "over")
    if sitting.rematch is not None:
        refuse("rematched")
    return [log.Rematched(seat, table)]


def archive(sitting: Sitting) -> list[Entry]:
    """Close a table to which nobody has come back."""
    return [] if sitting.phase == "archived" else [log.Archived()]
