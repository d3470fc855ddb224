"""A sitting: the state of one table, as its log makes it. No input or output, and no clock."""

from __future__ import annotations

__all__ = ["STAND_IN", "Heard", "Seat", "Sitting", "Undo", "Window", "budget_of"]

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from upcard.bots import Budget
from upcard.bots import parse as parse_bot
from upcard.core.errors import UpcardError
from upcard.core.news import Event
from upcard.games import find as find_game
from upcard.match import Fairness, Match, Player
from upcard.server import entries as log
from upcard.server.entries import Entry

Phase = Literal["new", "open", "playing", "over", "archived"]

# The bot that plays for somebody who is away.
STAND_IN = "normal"


@dataclass(slots=True)
class Seat:
    """A seat, and who has it: a person (by mark), a bot, or nobody yet."""

    name: str = ""
    bot: str | None = None
    person: str | None = None
    # What the person's device adds to the shuffle.
    share: bytes | None = None
    # Only this person may sit here.
    kept_for: str | None = None
    # The bot that plays for the person, who is away.
    stand_in: str | None = None
    left: bool = False

    @property
    def is_free(self) -> bool:
        """Whether anybody could sit here."""
        return self.person is None and self.bot is None

    @property
    def player(self) -> str | None:
        """The bot that plays here now, None for a person."""
        return self.bot or self.stand_in


@dataclass(frozen=True, slots=True)
class Window:
    """The time in which some seats may answer out of turn: the same for all, whatever they hold (K5.4)."""

    opened: int
    closes: float


@dataclass(slots=True)
class Undo:
    """Somebody would like to take back a move, and these people have yet to agree."""

    seat: int
    waiting: set[int]


@dataclass(frozen=True, slots=True)
class Heard:
    """An entry with its number and time, and the news of the game that it brought."""

    seq: int
    at: float
    entry: Entry
    news: Sequence[Event] = ()


@dataclass
class Sitting:
    """All that there is to know of one table."""

    table: str
    seq: int = 0
    # When the last entry was written, and the last one of a person.
    at: float = 0.0
    touched: float = 0.0
    phase: Phase = "new"
    setup: log.Opened | None = None
    host: str = ""
    seats: list[Seat] = field(default_factory=list)
    match: Match | None = None
    window: Window | None = None
    undo: Undo | None = None
    rematch: str | None = None
    # The last entry after which other moves could be made, and when that was.
    changed: int = 0
    changed_at: float = 0.0
    # Whether the one who is to move has been nudged.
    nudged: bool = False
    history: list[Heard] = field(default_factory=list)
    _legal: list[int] | None = None

    # What one asks

    @property
    def opened(self) -> log.Opened:
        """How the table was set up."""
        assert self.setup is not None, "a table begins by being opened"
        return self.setup

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.opened.game

    @property
    def names(self) -> list[str]:
        """The names at the seats."""
        return [seat.name for seat in self.seats]

    def seat_of(self, person: str | None) -> int | None:
        """Return the seat of a person."""
        if person is not None:
            for number, seat in enumerate(self.seats, 1):
                if seat.person == person:
                    return number
        return None

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [number for number, seat in enumerate(self.seats, 1) if seat.person is not None]

    def others_at_table(self, seat: int) -> set[int]:
        """Return the seats of all other people who have not gone away."""
        return {
            number
            for number in self.people
            if number != seat and self._seat(number).stand_in is None and not self._seat(number).left
        }

    @property
    def to_move(self) -> int | None:
        """The seat that is to move; None while nobody is, or while a window is open."""
        if self.match is None or self.phase != "playing" or self.window is not None:
            return None
        return self.match.to_move

    @property
    def bot_to_move(self) -> str | None:
        """The bot that is to move, if it is one."""
        seat = self.to_move
        return None if seat is None else self.seats[seat - 1].player

    @property
    def fairness(self) -> Fairness:
        """What the shuffle is made of; the secret is not to be told before the end."""
        return Fairness(bytes.fromhex(self.opened.secret), tuple(seat.share for seat in self.seats))

    @property
    def legal(self) -> list[int]:
        """The moves that can be made now, found only once."""
        if self._legal is None:
            self._legal = [] if self.match is None else self.match.game.legal_moves(self.match.table)
        return self._legal

    # What is waited for

    @property
    def bot_moves_at(self) -> float | None:
        """When the bot that is to move does so. It takes as long as it may think, however long it did."""
        bot = self.bot_to_move
        return None if bot is None else self.changed_at + pause(bot, self.opened.pace)

    @property
    def patience_ends(self) -> float | None:
        """When something is to be done about the person who is to move."""
        seat = self.to_move
        patience = self.opened.patience
        if seat is None or patience == "none" or self.seats[seat - 1].player is not None:
            return None
        if patience == "bot" and self.seats[seat - 1].left:
            return self.changed_at
        return None if self.nudged else self.changed_at + self.opened.patience_seconds

    @property
    def due(self) -> float | None:
        """When something happens here by itself, if ever."""
        if self.window is not None:
            return self.window.closes
        times = [time for time in (self.bot_moves_at, self.patience_ends) if time is not None]
        return min(times) if times else None

    # What happens

    def hear(self, at: float, entry: Entry) -> Heard:
        """Take in the next entry of the log."""
        self.seq += 1
        self.at = at
        known = 0 if self.match is None else len(self.match.events)
        TAKES[type(entry)](self, entry)
        news: Sequence[Event] = ()
        if self.match is not None and isinstance(entry, log.Started | log.Moved | log.Closed):
            news = tuple(self.match.events[known:])
        if not isinstance(entry, _BY_ITSELF):
            self.touched = at
        heard = Heard(self.seq, at, entry, news)
        self.history.append(heard)
        return heard

    def _changed(self) -> None:
        """Other moves can be made now than before."""
        self.changed, self.changed_at = self.seq, self.at
        self.nudged = False
        self.undo = None
        self._legal = None
        assert self.match is not None
        if self.match.over:
            self.phase = "over"
            self.window = None
        elif self.match.asked:
            self.window = Window(self.seq, self.at + self.opened.window_seconds)
        else:
            self.window = None

    def _seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def _opened(self, entry: log.Opened) -> None:
        self.setup = entry
        self.host = entry.host
        self.phase = "open"
        self.seats = [Seat(chair.name, chair.bot, kept_for=chair.kept_for) for chair in entry.chairs]

    def _sat(self, entry: log.Sat) -> None:
        seat = self._seat(entry.seat)
        seat.person, seat.name, seat.share = entry.person, entry.name, bytes.fromhex(entry.share)
        seat.kept_for = None

    def _stood(self, entry: log.Stood) -> None:
        person = self._seat(entry.seat).person
        self.seats[entry.seat - 1] = Seat()
        others = [seat.person for seat in self.seats if seat.person is not None]
        if person == self.host and others:
            self.host = others[0]

    def _renamed(self, entry: log.Renamed) -> None:
        self._seat(entry.seat).name = entry.name
        if self.match is not None:
            self.match.players[entry.seat - 1] = self._player(self._seat(entry.seat))

    def _placed(self, entry: log.Placed) -> None:
        self.seats[entry.seat - 1] = Seat(entry.name, entry.bot)

    def _started(self, entry: log.Started) -> None:
        players = [self._player(seat) for seat in self.seats]
        proof = self.fairness if entry.seed is None else None
        seed = bytes.fromhex(entry.seed) if entry.seed is not None else self.fairness.seed
        self.match = Match(
            find_game(self.game), self.opened.options, seed, players, apart=True, fairness=proof
        )
        for seat, move in entry.moves:
            self._repeat(self.match, seat, move)
        self.phase = "playing"
        self._changed()

    def _repeat(self, match: Match, seat: int, move: str) -> None:
        """Make a move of a record, in which those who had no choice when they were asked are left out."""
        while match.asked and match.to_move != seat:
            match.make_legal(match.game.legal_moves(match.table)[-1])
        match.play(move, seat)

    def _player(self, seat: Seat) -> Player:
        return Player(seat.name, seat.bot)

    def _moved(self, entry: log.Moved) -> None:
        assert self.match is not None
        self.match.make_legal(self.match.game.read_move(self.match.table, entry.move))
        self._changed()

    def _closed(self, entry: log.Closed) -> None:
        match = self.match
        assert match is not None
        while match.asked:
            answer = entry.answers.get(match.asked[0])
            legal = match.game.legal_moves(match.table)
            # Who says nothing lets it pass, which is always the last of the answers.
            match.make_legal(legal[-1] if answer is None else match.game.read_move(match.table, answer))
        self._changed()

    def _nudged(self, entry: log.Nudged) -> None:
        self.nudged = True

    def _left(self, entry: log.Left) -> None:
        self._seat(entry.seat).left = True

    def _sat_in(self, entry: log.SatIn) -> None:
        self._seat(entry.seat).stand_in = entry.bot
        self.changed_at = self.at

    def _took_back(self, entry: log.TookBack) -> None:
        seat = self._seat(entry.seat)
        seat.stand_in, seat.left = None, False
        if self.to_move == entry.seat:
            self.changed_at, self.nudged = self.at, False

    def _handed_over(self, entry: log.HandedOver) -> None:
        seat = self._seat(entry.seat)
        if seat.person == self.host:
            self.host = entry.person
        seat.person = entry.person

    def _said(self, entry: log.Said) -> None:
        pass

    def _undo_asked(self, entry: log.UndoAsked) -> None:
        self.undo = Undo(entry.seat, self.others_at_table(entry.seat))

    def _undo_answered(self, entry: log.UndoAnswered) -> None:
        assert self.undo is not None
        if entry.agreed:
            self.undo.waiting.discard(entry.seat)
        else:
            self.undo = None

    def _undone(self, entry: log.Undone) -> None:
        assert self.match is not None
        self.match.undo(entry.moves)
        self._changed()

    def _rematched(self, entry: log.Rematched) -> None:
        self.rematch = entry.table

    def _archived(self, entry: log.Archived) -> None:
        self.phase = "archived"
        self.window = None


# What becomes of a table by each kind of entry.
TAKES: Final[dict[type[Entry], Callable[[Sitting, Any], None]]] = {
    log.Opened: Sitting._opened,
    log.Sat: Sitting._sat,
    log.Stood: Sitting._stood,
    log.Renamed: Sitting._renamed,
    log.Placed: Sitting._placed,
    log.Started: Sitting._started,
    log.Moved: Sitting._moved,
    log.Closed: Sitting._closed,
    log.Nudged: Sitting._nudged,
    log.Left: Sitting._left,
    log.SatIn: Sitting._sat_in,
    log.TookBack: Sitting._took_back,
    log.HandedOver: Sitting._handed_over,
    log.Said: Sitting._said,
    log.UndoAsked: Sitting._undo_asked,
    log.UndoAnswered: Sitting._undo_answered,
    log.Undone: Sitting._undone,
    log.Rematched: Sitting._rematched,
    log.Archived: Sitting._archived,
}

# What happens without anybody doing anything.
_BY_ITSELF = (log.Nudged, log.SatIn, log.Closed, log.Archived)


@functools.cache
def pause(bot: str, pace: float) -> float:
    """Return how long a bot takes for a move: the same whatever it holds, and no less than it may think."""
    return 0.0 if pace == 0 else max(pace, budget_of(bot).seconds or 0.0)


def budget_of(bot: str) -> Budget:
    """Return how much a bot may think. One that cannot be found or loaded any more, as when its package was
    removed while it sat at a table, has no budget: its moves are made for it."""
    try:
        return parse_bot(bot).budget
    except UpcardError:
        return Budget()
