"""The commands before the game: sitting down, names, bots, and the host. They are part of commands.py."""

from __future__ import annotations

__all__ = [
    "FACES",
    "READY_SECONDS",
    "TINTS",
    "bot_name",
    "check_bot",
    "clean_name",
    "lock",
    "pass_host",
    "place",
    "remove",
    "rename",
    "sit",
    "stand",
    "start",
    "table_bots",
    "take_host",
]

from collections.abc import Collection

from upcard.bots import known
from upcard.core.errors import OptionError
from upcard.server.table import entries, names
from upcard.server.table.checks import check_host, check_phase, check_seat, own_seat, refuse
from upcard.server.table.entries import Entry
from upcard.server.table.state import STAND_IN, TableState

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
# Bots for experiments, whose strength depends on their parameters.
FOR_THE_LAB = ("search", "net")
# Names for bots, by seat.
BOT_NAMES = ("Robin", "Sacha", "Kim", "Alex", "Noor", "Charlie")


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


def sit(
    state: TableState, person: str, seat: int | None, name: str, share: str, face: str = "", tint: int = 0
) -> list[Entry]:
    """Sit down at a seat, or at the first free one; a player who has a seat may change it."""
    check_phase(state, "open")
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
        check_seat(state, wanted)
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
    seat = own_seat(state, person)
    check_phase(state, "open")
    return [entries.Stood(seat)]


def rename(state: TableState, person: str, name: str, face: str = "", tint: int = 0) -> list[Entry]:
    """Change one's name, face or colour."""
    seat = own_seat(state, person)
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
    check_phase(state, "open")
    check_host(state, person)
    check_seat(state, seat)
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
    check_phase(state, "open")
    check_host(state, person)
    check_seat(state, seat)
    if state.seats[seat - 1].person in (None, person) or state.opened.rematch_of is not None:
        refuse("not_removable")
    return [entries.Removed(seat, state.seats[seat - 1].name)]


def lock(state: TableState, person: str, locked: bool) -> list[Entry]:
    """Lock the table, so that nobody else can sit down, or unlock it."""
    check_phase(state, "open")
    check_host(state, person)
    return [] if state.locked == locked else [entries.Locked(locked)]


def start(state: TableState, person: str, now: float) -> list[Entry]:
    """Deal the cards. In a rematch, any player who is ready may do so once the others have had time to come;
    bots play for the missing players until they are back."""
    check_phase(state, "open")
    if state.opened.rematch_of is None:
        check_host(state, person)
    else:
        own_seat(state, person)
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
    seat = own_seat(state, person)
    check_phase(state, "open")
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
