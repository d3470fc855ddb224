"""Checking a bot: is it legal, deterministic, honest and fast enough?

The bot plays some games against others. Then a second bot, made with the same dice, is given the same turns
at tables that look the same to its seat, but where all hidden cards are dealt again. If it chooses the same
moves, these depend on its turns and its dice alone. If not, a third one is given the same turns at the tables
of the game. If that one differs too, the bot does not repeat its choices; if not, it has seen hidden cards.

A bot is Python code like any other, so it could look around in memory for the match. With a time limit it
thinks in a thread of its own, from which the match is hard to find. The second bot thinks in the thread of
the check, where it finds a match with other cards.

The findings are one dictionary (`Report.to_json`), which `--json` prints:

    kind            "bot check"
    version         of Upcard
    bot             its name, as it was written
    games           how many games were played of each game, as {"lines": 3, ...}
    seed            64 hexadecimal digits
    moves           how many legal moves the bot chose
    seconds         for an answer: {"mean", "longest"}; null if there was none
    checks          [{"check", "result", "says"}, ...] for legality, determinism, honesty and time; `result`
                    is "passed", "failed", or "open" where it cannot be told, and `says` a list of sentences
    passed          whether no check failed
"""

from __future__ import annotations

__all__ = ["CHECKS", "Report", "check_bot"]

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from upcard import __version__
from upcard.bots import Bot, Entrant, Search, Seated, Turn
from upcard.bots import find as find_bot
from upcard.bots import parse as parse_bot
from upcard.core.chance import chance_of
from upcard.core.errors import BotError, BotTimeout, OptionError, one_line
from upcard.core.game import Game, determinize
from upcard.core.table import MAX_SEATS
from upcard.games import find
from upcard.lab import contest
from upcard.match import Match
from upcard.match.seed import dice_seed, numbered_seed

CHECKS = ("legality", "determinism", "honesty", "time")
PASSED, FAILED, OPEN = "passed", "failed", "open"

# The bots at the other seats, in turn.
OTHERS = ("greedy", "random")

# A bot with a time budget may take twice as long, and this many seconds more, on a busy machine.
GRACE = 1.0

Clock = Callable[[], float]


@dataclass
class Report:
    """The findings of a check."""

    bot: str
    seed: bytes
    # Games that were played of each game.
    games: dict[str, int] = field(default_factory=dict)
    # The time of each move, in seconds.
    times: list[float] = field(default_factory=list)
    # How many legal moves it chose.
    legal: int = 0
    # Sentences for each check: failures, and what cannot be told.
    failed: dict[str, list[str]] = field(default_factory=lambda: {check: [] for check in CHECKS})
    open: dict[str, list[str]] = field(default_factory=lambda: {check: [] for check in CHECKS})

    @property
    def failures(self) -> int:
        """The number of failures."""
        return sum(map(len, self.failed.values()))

    def to_json(self) -> dict[str, Any]:
        """Return the report, ready for JSON; the docstring of this module describes it."""
        answers = len(self.times)
        seconds = (
            {"mean": round(sum(self.times) / answers, 6), "longest": round(max(self.times), 6)}
            if answers
            else None
        )
        return {
            "kind": "bot check",
            "version": __version__,
            "bot": self.bot,
            "games": self.games,
            "seed": self.seed.hex(),
            "moves": self.legal,
            "seconds": seconds,
            "checks": [self._check(check) for check in CHECKS],
            "passed": not self.failures,
        }

    def _check(self, check: str) -> dict[str, Any]:
        if self.failed[check]:
            return {"check": check, "result": FAILED, "says": self.failed[check]}
        if self.open[check]:
            return {"check": check, "result": OPEN, "says": self.open[check]}
        if not (self.times if check == "time" else self.legal):
            return {"check": check, "result": OPEN, "says": ["it made no legal move"]}
        return {"check": check, "result": PASSED, "says": [self._evidence(check)]}

    def _evidence(self, check: str) -> str:
        mean, longest = sum(self.times) / len(self.times), max(self.times)
        return {
            "legality": "every move was legal",
            "determinism": "with the same dice it chose the same moves again",
            "honesty": "it chose the same moves at other tables that look the same to its seat",
            "time": f"a move took {_time(mean)} on average, {_time(longest)} at most",
        }[check]


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.2f} ms"


def check_bot(
    bot: str,
    games: Sequence[str],
    games_each: int,
    seed: bytes,
    limit: float | None = None,
    progress: Callable[[int], None] = lambda games: None,
    clock: Clock = time.perf_counter,
) -> Report:
    """Check a bot in some games, in several games of each with different numbers of players.

    `limit` is the time for a move, in seconds, beyond the time that the budget of the bot allows. Only the
    first failure of each game is reported.
    """
    entrant = find_bot(bot)
    report = Report(bot, seed)
    timed = replace(entrant, maker=lambda dice, options: _Timed(entrant.make(dice), report.times, clock))
    allowed = None if limit is None else limit + (entrant.budget.seconds or 0.0)
    for game in map(find, games):
        if isinstance(entrant.make(b""), Search):
            contest.warm_up(game)
        report.games[game.id] = 0
        failures = report.failures
        for scene in _scenes(game, games_each, seed):
            if report.failures == failures:
                _judge(report, entrant, scene, scene.play(timed, allowed), allowed)
                report.games[game.id] += 1
            progress(1)
    _judge_time(report, entrant)
    return report


class _Timed:
    """A bot whose moves are timed."""

    def __init__(self, bot: Bot, times: list[float], clock: Clock) -> None:
        self.bot = bot
        self.times = times
        self.clock = clock

    def choose(self, turn: Turn) -> int:
        started = self.clock()
        move = self.bot.choose(turn)
        self.times.append(self.clock() - started)
        return move


# Playing


@dataclass(frozen=True)
class _Played:
    """A game: all its moves, the turns of the bot with its choices, and its failure."""

    moves: list[int]
    turns: list[tuple[Turn, int]]
    # The check that it failed, and the error as a sentence.
    error: tuple[str, str] | None


@dataclass(frozen=True)
class _Scene:
    """A game to be played: the number of players, the seed, and the seat of the bot (from 1)."""

    game: Game
    players: int
    seat: int
    seed: bytes

    def match(self) -> Match:
        """Return the match before its first move."""
        return Match(self.game, {"players": self.players}, self.seed)

    def play(self, entrant: Entrant, limit: float | None) -> _Played:
        """Let a bot play against others. Afterwards nothing of the match remains except the bot's turns."""
        match = self.match()
        others = {
            seat: Seated(parse_bot(OTHERS[seat % len(OTHERS)]), match, seat)
            for seat in range(1, self.players + 1)
            if seat != self.seat
        }
        moves: list[int] = []
        turns: list[tuple[Turn, int]] = []
        try:
            bot = Seated(entrant, match, self.seat, limit=limit)
            while match.to_move is not None:
                if match.to_move == self.seat:
                    # A copy of the turn, since the bot could change the one it is given.
                    turn = bot.turn()
                    moves.append(bot.choose())
                    turns.append((turn, moves[-1]))
                else:
                    moves.append(others[match.to_move].choose())
                match.make_legal(moves[-1])
        except BotError as error:
            # The error itself would keep the match alive, and a bot could find it.
            return _Played(
                moves, turns, ("time" if isinstance(error, BotTimeout) else "legality", str(error))
            )
        return _Played(moves, turns, None)

    def repeat(self, entrant: Entrant, played: _Played, limit: float | None) -> str | None:
        """Ask a bot with the same dice again at the same tables. Return how it differs, if it does."""
        match = self.match()
        try:
            bot = Seated(entrant, match, self.seat, limit=limit)
        except BotError as error:
            return f"it {error.what}"
        for move in played.moves:
            if match.to_move == self.seat and (said := _otherwise(bot, move)):
                return said
            match.make_legal(move)
        return None

    def repeat_elsewhere(self, entrant: Entrant, played: _Played) -> str | None:
        """Ask a bot with the same dice again, at tables that look the same to its seat. Return how it
        differs, if it does."""
        if not played.turns:
            return None
        try:
            # Not at the table of the game, where it could look around.
            bot = entrant.make(dice_seed(self.seed, self.seat))
        except (Exception, SystemExit) as error:
            return f"it could not be made again: it raised {one_line(error)}"
        for number, (turn, move) in enumerate(played.turns):
            other = _LookAlike(entrant, bot, turn, self, numbered_seed(self.seed, number))
            if said := _otherwise(other, move):
                return said
        return None


def _scenes(game: Game, games: int, seed: bytes) -> Iterator[_Scene]:
    """Yield some games, in which the bot plays with all numbers of players and at all seats."""
    counts = [count for count in range(1, MAX_SEATS + 1) if _can_be_dealt(game, count)]
    for number in range(games):
        players = counts[number % len(counts)]
        yield _Scene(game, players, 1 + number % players, numbered_seed(seed, number))


def _can_be_dealt(game: Game, players: int) -> bool:
    try:
        game.complete({"players": players})
    except OptionError:
        return False
    return True


class _LookAlike(Seated):
    """A bot at a table that looks to its seat like that of a turn, but where hidden cards are dealt again."""

    def __init__(self, entrant: Entrant, bot: Bot, turn: Turn, scene: _Scene, seed: bytes) -> None:
        self.name = entrant.text
        self.bot = bot
        self.seat = scene.seat
        self.limit = None
        self.told = turn
        self.match = replace(scene, seed=seed).match()
        table = scene.game.Table()
        determinize(turn.view, table, chance_of(seed))
        self.match.table = table

    def turn(self) -> Turn:
        """Return the turn as it is at this table."""
        view = self.match.view(self.seat)
        return replace(self.told, view=view, moves=tuple(self.match.game.legal_moves(self.match.table)))


def _otherwise(bot: Seated, move: int) -> str | None:
    """Return what a bot does instead of a given move; None if it chooses that move."""
    turn = bot.turn()
    try:
        chosen = bot.choose()
    except BotError as error:
        return f"it {error.what}"
    if chosen == move:
        return None
    write = turn.game.write_move
    return f"it chose {write(turn.view, chosen)!r}, and before that {write(turn.view, move)!r}"


# Verdicts


def _judge(report: Report, entrant: Entrant, scene: _Scene, played: _Played, limit: float | None) -> None:
    """Add the failure of a game to a report."""
    report.legal += len(played.turns)
    if played.error is not None:
        check, sentence = played.error
        report.failed[check].append(sentence)
    elsewhere = scene.repeat_elsewhere(entrant, played)
    if elsewhere is None:
        return
    again = scene.repeat(entrant, played, limit)
    where = f"(seat {scene.seat} of {scene.game.id}, seed {scene.seed.hex()})"
    by_the_clock = entrant.budget.seconds is not None
    found = report.open if by_the_clock else report.failed
    if by_the_clock:
        where += "; it may think by the clock, which is allowed"
    if again is None:
        found["honesty"].append(f"at a table that looks the same to its seat {elsewhere} {where}")
    else:
        found["determinism"].append(f"asked again with the same dice, {again} {where}")
        report.open["honesty"].append("it does not choose the same moves again at the same tables either")


def _judge_time(report: Report, entrant: Entrant) -> None:
    allowed = entrant.budget.seconds
    if allowed is None or not report.times:
        return
    longest = max(report.times)
    if longest > 2 * allowed + GRACE:
        report.failed["time"].append(f"a move took {_time(longest)}, and its budget allows {_time(allowed)}")
