"""The state of one table, which follows from its log. No input or output, and no clock."""

from __future__ import annotations

__all__ = ["STAND_IN", "TableState"]

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from upcard.core.events import Event
from upcard.games import find as find_game
from upcard.match import Continuation, Fairness, GameResult, Match, Player
from upcard.match.match import CHECKPOINT_MOVES
from upcard.server.table import entries
from upcard.server.table.bot_times import BOT_MARGIN, HURRIED_PACE, budget_of, pause
from upcard.server.table.entries import Entry
from upcard.server.table.parts import AppliedEntry, Question, Seat, Window

Phase = Literal["new", "open", "playing", "over", "archived"]

# The bot that plays for someone who is away.
STAND_IN = "normal"
# How long a window stays open for a player who always wants time, in seconds: longer than anyone needs, but
# not forever.
MAX_HOLD = 300.0


@dataclass
class TableState:
    """The whole state of one table."""

    table: str
    seq: int = 0
    # The times of the last entry, and of the last entry by a person.
    at: float = 0.0
    touched: float = 0.0
    phase: Phase = "new"
    # Whether an operator has closed the table, so that nobody opens it again.
    is_final: bool = False
    # The phase that a player who comes back to an archived table finds again.
    phase_before: Phase = "new"
    setup: entries.Opened | None = None
    host: str = ""
    # Whether nobody else can sit down, and who was removed by the host.
    locked: bool = False
    removed: frozenset[str] = frozenset()
    seats: list[Seat] = field(default_factory=list)
    match: Match | None = None
    window: Window | None = None
    # Whether a move may be taken back, and whether the game may end without a winner.
    undo: Question | None = None
    ending: Question | None = None
    # How the game ended, if the rules did not end it.
    ended: entries.Ended | None = None
    rematch: str | None = None
    # The last entry that changed the legal moves, and its time.
    changed: int = 0
    changed_at: float = 0.0
    # Since when the player to move has been waited for.
    waiting_since: float = 0.0
    # How long bots take for a move, in seconds, and whether they hurry until it is a person's turn.
    pace: float = 0.0
    hurried: bool = False
    # Whether the player to move has been nudged.
    nudged: bool = False
    history: list[AppliedEntry] = field(default_factory=list)
    # The number of entries of each kind.
    counts: Counter[type[Entry]] = field(default_factory=Counter)
    _legal: list[int] | None = None
    # The length of the match's log at which the next checkpoint is stored.
    _next_checkpoint: int = 0

    # Queries

    @property
    def opened(self) -> entries.Opened:
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
        """Return the seats of all other people who have not left."""
        return {
            number
            for number in self.people
            if number != seat and self._seat(number).stand_in is None and not self._seat(number).left
        }

    @property
    def to_move(self) -> int | None:
        """The seat to move; None if there is none, or while a window is open."""
        if self.match is None or self.phase != "playing" or self.window is not None:
            return None
        return self.match.to_move

    @property
    def awaited(self) -> set[int]:
        """The seats of the people who are to move, or are asked while a window is open."""
        if self.match is None or self.phase != "playing":
            return set()
        seats = self.match.asked if self.window is not None else [self.to_move]
        return {seat for seat in seats if seat is not None and self.seats[seat - 1].player is None}

    @property
    def bot_to_move(self) -> str | None:
        """The bot to move, None if it is not a bot's turn."""
        seat = self.to_move
        return None if seat is None else self.seats[seat - 1].player

    @property
    def continuation(self) -> Continuation | None:
        """The game that continues at this table."""
        begun = self.opened.continues
        return None if begun is None else Continuation(bytes.fromhex(begun.seed), begun.seat, begun.moves)

    @property
    def fairness(self) -> Fairness:
        """What the shuffle is derived from. The secret must not be revealed before the end."""
        return Fairness(bytes.fromhex(self.opened.secret), tuple(seat.share for seat in self.seats))

    @property
    def legal(self) -> list[int]:
        """The legal moves, computed only once."""
        if self._legal is None:
            self._legal = [] if self.match is None else self.match.game.legal_moves(self.match.table)
        return self._legal

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by its players."""
        return self.ended is not None or (self.match is not None and self.match.over)

    @property
    def result(self) -> GameResult | None:
        """Who won and why; None while the game continues. If the players ended the game, the scores are those
        of that moment."""
        if self.match is None or self.ended is None:
            return None if self.match is None else self.match.result
        return GameResult(
            reason=self.ended.reason, winners=list(self.ended.winners), scores=self.match.scores
        )

    # Deadlines

    @property
    def bot_moves_at(self) -> float | None:
        """When the bot to move will move. It always takes as long as it may think, however long it really
        needs."""
        bot = self.bot_to_move
        return (
            None
            if bot is None
            else self.changed_at + pause(bot, min(self.pace, HURRIED_PACE) if self.hurried else self.pace)
        )

    @property
    def patience_ends(self) -> float | None:
        """When the table stops waiting for the person to move."""
        seat = self.to_move
        patience = self.opened.patience
        if seat is None or patience == "none" or self.seats[seat - 1].player is not None:
            return None
        if patience == "bot" and self.seats[seat - 1].left:
            return self.changed_at
        return None if self.nudged else self.waiting_since + self.opened.patience_seconds

    @property
    def due(self) -> float | None:
        """The next deadline of the table, if there is one."""
        if self.window is not None:
            return self.window.closes
        times = [time for time in (self.bot_moves_at, self.patience_ends) if time is not None]
        return min(times) if times else None

    def copy(self) -> TableState:
        """Return an independent copy, to which entries can be applied before they are on disk."""
        twin = copy.copy(self)
        twin.seats = [copy.copy(seat) for seat in self.seats]
        twin.history = self.history[:]
        twin.counts = self.counts.copy()
        twin.match = None if self.match is None else self.match.copy()
        twin.undo = None if self.undo is None else replace(self.undo, waiting=set(self.undo.waiting))
        twin.ending = None if self.ending is None else replace(self.ending, waiting=set(self.ending.waiting))
        return twin

    # Changes

    def apply(self, at: float, entry: Entry) -> AppliedEntry:
        """Apply the next entry."""
        self.seq += 1
        self.at = at
        self.counts[type(entry)] += 1
        known = 0 if self.match is None else len(self.match.events)
        APPLY[type(entry)](self, entry)
        news: Sequence[Event] = ()
        if self.match is not None and isinstance(entry, entries.Started | entries.Moved | entries.Closed):
            news = tuple(self.match.events[known:])
        if not isinstance(entry, _AUTOMATIC) and not (isinstance(entry, entries.Moved) and entry.by == "bot"):
            self.touched = at
        applied = AppliedEntry(self.seq, at, entry, news)
        self.history.append(applied)
        return applied

    def rebase(self, now: float) -> None:
        """Count deadlines from now if the last change is in the future because the clock was ahead then."""
        ahead = self.changed_at - now
        self.waiting_since, self.touched = min(self.waiting_since, now), min(self.touched, now)
        if ahead > 0:
            self.changed_at = now
            if self.window is not None:
                window = self.window
                self.window = replace(window, closes=window.closes - ahead, earliest=window.earliest - ahead)

    def _changed(self) -> None:
        """The legal moves have changed."""
        self.changed, self.changed_at = self.seq, self.at
        self.waiting_since, self.nudged = self.at, False
        self.undo = None
        self._legal = None
        assert self.match is not None
        if len(self.match.log) >= self._next_checkpoint:
            self.match.keep_checkpoint()
            self._next_checkpoint = len(self.match.log) + CHECKPOINT_MOVES
        if self.match.over:
            self._end()
        elif self.match.asked:
            self.window = self._new_window(self.match.asked)
        else:
            self.window = None
            self.hurried = self.hurried and self.bot_to_move is not None

    def _end(self) -> None:
        self.phase = "over"
        self.window = self.undo = self.ending = None

    def _new_window(self, asked: Sequence[int]) -> Window:
        """Open a window, which shows everyone for a moment what is at stake. Players who always want time
        hold every window in which they are asked, so that reveals nothing."""
        earliest = self.at + self._window_seconds(asked)
        here = [
            seat for seat in asked if self._seat(seat).person is not None and self._seat(seat).player is None
        ]
        held = frozenset(seat for seat in here if self.opened.unhurried or self._seat(seat).unhurried)
        return Window(self.seq, self.at + MAX_HOLD if held else earliest, earliest, held)

    def _window_seconds(self, asked: Sequence[int]) -> float:
        """Return how long a window is open at least. A window in which a bot is still thinking would close
        late, and show that the bot has a choice."""
        bots = [bot for bot in (self._seat(seat).player for seat in asked) if bot is not None]
        thinking = [BOT_MARGIN + seconds for bot in bots if (seconds := budget_of(bot).seconds)]
        return max([self.opened.window_seconds, *thinking])

    def _seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    def _opened(self, entry: entries.Opened) -> None:
        self.setup = entry
        self.host = entry.host
        self.pace = entry.pace
        self.phase = "open"
        self.seats = [
            Seat(chair.name, chair.bot, kept_for=chair.kept_for, face=chair.face, tint=chair.tint)
            for chair in entry.chairs
        ]

    def _sat(self, entry: entries.Sat) -> None:
        seat = self._seat(entry.seat)
        seat.person, seat.name = entry.person, entry.name
        seat.share = bytes.fromhex(entry.share) or None
        seat.face, seat.tint = entry.face, entry.tint
        seat.kept_for = None

    def _stood(self, entry: entries.Stood) -> None:
        person = self._seat(entry.seat).person
        self.seats[entry.seat - 1] = self._free_seat(entry.seat)
        others = [seat.person for seat in self.seats if seat.person is not None]
        if person == self.host and others:
            self.host = others[0]

    def _free_seat(self, number: int) -> Seat:
        """Return a free seat; that of a game that continues is reserved for the person who began it."""
        begun = self.opened.continues
        is_known = begun is not None and begun.seat == number
        return Seat(kept_for=self.opened.chairs[number - 1].kept_for if is_known else None)

    def _removed(self, entry: entries.Removed) -> None:
        person = self._seat(entry.seat).person
        assert person is not None
        self.removed |= {person}
        self.seats[entry.seat - 1] = self._free_seat(entry.seat)

    def _locked(self, entry: entries.Locked) -> None:
        self.locked = entry.locked

    def _renamed(self, entry: entries.Renamed) -> None:
        seat = self._seat(entry.seat)
        seat.name = entry.name
        seat.face, seat.tint = entry.face or seat.face, entry.tint or seat.tint
        if self.match is not None:
            self.match.players[entry.seat - 1] = self._player(seat)

    def _placed(self, entry: entries.Placed) -> None:
        empty = self._free_seat(entry.seat)
        self.seats[entry.seat - 1] = empty if entry.bot is None else Seat(entry.name, entry.bot)

    def _started(self, entry: entries.Started) -> None:
        players = [self._player(seat) for seat in self.seats]
        proof = self.fairness if entry.seed is None else None
        seed = bytes.fromhex(entry.seed) if entry.seed is not None else self.fairness.seed
        self.match = Match(
            find_game(self.game),
            self.opened.options,
            seed,
            players,
            apart=True,
            fairness=proof,
            continues=self.continuation,
        )
        for seat, move in entry.moves:
            self._repeat(self.match, seat, move)
        self.phase = "playing"
        self._changed()

    def _repeat(self, match: Match, seat: int, move: str) -> None:
        """Make a move of a record, which omits the answers of seats without a choice."""
        while match.asked and match.to_move != seat:
            match.make_legal(match.game.legal_moves(match.table)[-1])
        match.play(move, seat)

    def _player(self, seat: Seat) -> Player:
        return Player(seat.name, seat.bot)

    def _moved(self, entry: entries.Moved) -> None:
        assert self.match is not None
        self.match.make_legal(self.match.game.read_move(self.match.table, entry.move))
        self._changed()

    def _closed(self, entry: entries.Closed) -> None:
        match = self.match
        assert match is not None
        while match.asked:
            answer = entry.answers.get(match.asked[0])
            legal = match.game.legal_moves(match.table)
            # A seat that does not answer lets it pass, which is always the last of the answers.
            match.make_legal(legal[-1] if answer is None else match.game.read_move(match.table, answer))
        self._changed()

    def _held(self, entry: entries.Held) -> None:
        window = self.window
        assert window is not None
        closes = max(window.closes, self.at + self.opened.hold_seconds)
        self.window = replace(window, closes=closes, held_by=window.held_by | {entry.seat})

    def _resumed(self, entry: entries.Resumed) -> None:
        window = self.window
        assert window is not None
        assert self.match is not None
        seconds = self._window_seconds(self.match.asked)
        closes = self.at + (max(seconds, self.opened.hold_seconds) if window.held_by else seconds)
        self.window = replace(window, closes=closes, earliest=self.at + seconds)

    def _time_given(self, entry: entries.TimeGiven) -> None:
        self._seat(entry.seat).unhurried = entry.given

    def _stayed(self, entry: entries.Stayed) -> None:
        self.waiting_since, self.nudged = self.at, False

    def _pace_changed(self, entry: entries.PaceChanged) -> None:
        self.pace = entry.pace

    def _hurried(self, entry: entries.Hurried) -> None:
        self.hurried = True

    def _host_changed(self, entry: entries.HostChanged) -> None:
        person = self._seat(entry.seat).person
        assert person is not None
        self.host = person

    def _nudged(self, entry: entries.Nudged) -> None:
        self.nudged = True

    def _left(self, entry: entries.Left) -> None:
        self._seat(entry.seat).left = True
        self._stop_asking(entry.seat)

    def _stop_asking(self, seat: int) -> None:
        """Stop waiting for the consent of a player who is away."""
        for question in (self.undo, self.ending):
            if question is not None:
                question.waiting.discard(seat)

    def _sat_in(self, entry: entries.SatIn) -> None:
        self._seat(entry.seat).stand_in = entry.bot
        self.changed_at = self.at
        self._stop_asking(entry.seat)

    def _took_back(self, entry: entries.TookBack) -> None:
        seat = self._seat(entry.seat)
        seat.stand_in, seat.left = None, False
        if self.to_move == entry.seat:
            self.changed_at, self.waiting_since, self.nudged = self.at, self.at, False

    def _handed_over(self, entry: entries.HandedOver) -> None:
        seat = self._seat(entry.seat)
        if seat.person == self.host:
            self.host = entry.person
        seat.person = entry.person

    def _said(self, entry: entries.Said) -> None:
        pass

    def _undo_asked(self, entry: entries.UndoAsked) -> None:
        self.undo = Question(entry.seat, self.seq, self.others_at_table(entry.seat))

    def _undo_answered(self, entry: entries.UndoAnswered) -> None:
        assert self.undo is not None
        if entry.agreed:
            self.undo.waiting.discard(entry.seat)
        else:
            self.undo = None

    def _undone(self, entry: entries.Undone) -> None:
        assert self.match is not None
        self.match.undo(entry.moves)
        self._changed()

    def _resigned(self, entry: entries.Resigned) -> None:
        self._seat(entry.seat).resigned = True
        self._stop_asking(entry.seat)

    def _end_asked(self, entry: entries.EndAsked) -> None:
        self.ending = Question(entry.seat, self.seq, self.others_at_table(entry.seat))

    def _end_answered(self, entry: entries.EndAnswered) -> None:
        assert self.ending is not None
        if entry.agreed:
            self.ending.waiting.discard(entry.seat)
        else:
            self.ending = None

    def _ended(self, entry: entries.Ended) -> None:
        self.ended = entry
        self._end()

    def _rematched(self, entry: entries.Rematched) -> None:
        self.rematch = entry.table

    def _archived(self, entry: entries.Archived) -> None:
        self.phase_before, self.phase = self.phase, "archived"
        self.is_final = entry.by_operator
        self.window = None

    def _reopened(self, entry: entries.Reopened) -> None:
        self.phase = self.phase_before
        self.changed_at = self.waiting_since = self.at
        self.nudged = False
        if self.match is not None and self.match.asked and self.phase == "playing":
            self.window = self._new_window(self.match.asked)


# The method that applies each kind of entry.
APPLY: Final[dict[type[Entry], Callable[[TableState, Any], None]]] = {
    entries.Opened: TableState._opened,
    entries.Sat: TableState._sat,
    entries.Stood: TableState._stood,
    entries.Removed: TableState._removed,
    entries.Locked: TableState._locked,
    entries.Renamed: TableState._renamed,
    entries.Placed: TableState._placed,
    entries.Started: TableState._started,
    entries.Moved: TableState._moved,
    entries.Closed: TableState._closed,
    entries.Held: TableState._held,
    entries.Resumed: TableState._resumed,
    entries.TimeGiven: TableState._time_given,
    entries.Stayed: TableState._stayed,
    entries.HostChanged: TableState._host_changed,
    entries.PaceChanged: TableState._pace_changed,
    entries.Hurried: TableState._hurried,
    entries.Nudged: TableState._nudged,
    entries.Left: TableState._left,
    entries.SatIn: TableState._sat_in,
    entries.TookBack: TableState._took_back,
    entries.HandedOver: TableState._handed_over,
    entries.Said: TableState._said,
    entries.UndoAsked: TableState._undo_asked,
    entries.UndoAnswered: TableState._undo_answered,
    entries.Undone: TableState._undone,
    entries.Resigned: TableState._resigned,
    entries.EndAsked: TableState._end_asked,
    entries.EndAnswered: TableState._end_answered,
    entries.Ended: TableState._ended,
    entries.Rematched: TableState._rematched,
    entries.Archived: TableState._archived,
    entries.Reopened: TableState._reopened,
}

# Entries that the server writes on its own.
_AUTOMATIC = (entries.Nudged, entries.SatIn, entries.Closed, entries.Resumed, entries.Archived)
