"""Many games on all cores. The results do not depend on the number of jobs."""

from __future__ import annotations

__all__ = ["SimulationPlan", "Summary", "simulate"]

import functools
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import starmap
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from upcard.bots import Search
from upcard.bots import parse as parse_bot
from upcard.core.errors import BotError
from upcard.core.memory import INT
from upcard.core.options import Value
from upcard.core.table import MAX_SEATS
from upcard.games import find
from upcard.lab.arena import COMPILED_BOTS, Arena, Batch, at_seats, reasons, scores, wins
from upcard.lab.clairvoyant import sight_of
from upcard.lab.contest import LENIENT, Forfeits, Played, Referee, check_bots, play_match, play_refereed
from upcard.lab.executors import deferring_interrupt, in_order, open_executor
from upcard.lab.records import NotWritten
from upcard.match import Match, Player
from upcard.match.seed import numbered_seed

GAMES_A_BATCH = 2_000
GAMES_A_BATCH_WITH_RECORDS = 100

# A row for each game, as `loops.ROW` has it; a forfeited game has minus the number of the seat as its reason.
Rows = npt.NDArray[np.int32]


class Batched(NamedTuple):
    """Some games: their rows, their records if requested, and the errors by which bots lost."""

    rows: Rows
    lines: list[str]
    errors: list[BotError]


@dataclass(frozen=True)
class SimulationPlan:
    """The games to play, in a form that can be sent to another process. `SimulationPlan.of` checks it."""

    game: str
    options: tuple[tuple[str, Value], ...]
    bots: tuple[str, ...]
    seed: bytes
    # Whether to write records, and whether to include the legal moves.
    records: bool = False
    legal: bool = False
    referee: Referee = LENIENT

    @classmethod
    def of(
        cls,
        game: str,
        options: Mapping[str, object],
        bots: Sequence[str],
        seed: bytes,
        records: bool = False,
        legal: bool = False,
        referee: Referee = LENIENT,
    ) -> SimulationPlan:
        """Return a plan with all options, or raise an error."""
        complete = find(game).complete(options)
        at_seats(bots, int(complete["players"]))
        check_bots(bots)
        return cls(game, tuple(complete.items()), tuple(bots), seed, records, legal, referee)

    @property
    def complete_options(self) -> dict[str, Value]:
        """All options, including defaults."""
        return find(self.game).complete(dict(self.options))

    @property
    def seats(self) -> list[str]:
        """The bots in the order of the seats."""
        return at_seats(self.bots, int(self.complete_options["players"]))

    @property
    def compiled(self) -> bool:
        """Whether all these bots are compiled into the loop that plays the games."""
        return set(self.bots) <= set(COMPILED_BOTS)


@dataclass
class Summary:
    """The results of a simulation; `interrupted` if it was stopped early, by Ctrl-C or by a problem with the
    records."""

    plan: SimulationPlan
    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    forfeits: Forfeits = field(default_factory=Forfeits)
    problem: str = ""
    rows: list[Rows] = field(default_factory=list, repr=False)

    def add(self, rows: Rows) -> None:
        """Count some games."""
        self.rows.append(rows)
        self.games += len(rows)
        self.moves += int(rows[:, 1].sum())

    def to_json(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        bots = self.plan.seats
        about = {
            "game": self.plan.game,
            "options": self.plan.complete_options,
            "bots": bots,
            "seed": self.plan.seed.hex(),
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
        }
        if not self.games:
            return about
        rows = np.concatenate(self.rows)
        return about | {
            "moves_per_second": round(self.moves / self.seconds),
            "moves_per_game": round(self.moves / self.games, 2),
            "reasons": reasons(rows),
            "forfeits": self.forfeits.to_json(),
            "wins": [round(share, 2) for share in wins(rows, len(bots))],
            "mean_scores": [round(score, 3) for score in scores(rows, len(bots))],
        }


class Output(Protocol):
    """Where records go: a RecordFile, or any other file."""

    def writelines(self, lines: list[str], /) -> None:
        """Write lines."""


def simulate(
    plan: SimulationPlan,
    games: int,
    jobs: int,
    records: Output | None = None,
    progress: Callable[[int], None] = lambda games: None,
    executor: Executor | None = None,
) -> Summary:
    """Play many games; with `records`, write each of them as a line, in order.

    They are played on this machine, or by an executor with `jobs` concurrent tasks. Ctrl-C stops it,
    shuts the executor down, and keeps the games that were finished; so does a disk that is full.
    """
    _warm_up(plan)
    summary = Summary(plan)
    started = time.perf_counter()
    try:
        with closing(_played(plan, games, jobs, executor)) as played:
            for rows, lines, errors in played:
                with deferring_interrupt():
                    try:
                        if records is not None:
                            records.writelines(lines)
                    except NotWritten as problem:
                        # Games that a bot may lose by an error are written one at a time.
                        summary.add(rows[: problem.written])
                        raise
                    summary.add(rows)
                    for error in errors:
                        summary.forfeits.add(error)
                progress(len(rows))
    except KeyboardInterrupt:
        summary.interrupted = True
    except NotWritten as error:
        summary.interrupted, summary.problem = True, str(error)
    summary.seconds = time.perf_counter() - started
    return summary


def _warm_up(plan: SimulationPlan) -> None:
    """Compile what is needed, so that other processes on this machine only load it."""
    if plan.compiled:
        _arena(plan).warm_up()
    for bot in {kind for kind in map(_compiled_kind, plan.bots) if kind is not None}:
        play_match(find(plan.game), dict(plan.options), b"any", [bot] * len(plan.seats))


def _compiled_kind(bot: str) -> str | None:
    """Return the fastest bot that runs the same compiled code; None if there is no such code."""
    if sight_of(bot) is not None:
        return "clairvoyant@1"
    return "search@1" if isinstance(parse_bot(bot).make(b""), Search) else None


# Distributing the work


def _played(plan: SimulationPlan, games: int, jobs: int, executor: Executor | None) -> Generator[Batched]:
    """Play games, some at a time, and yield their results in order."""
    tasks = _tasks(plan, games)
    if executor is not None:
        try:
            yield from in_order(executor, _play, tasks, jobs)
        except BaseException:
            executor.shutdown(cancel_futures=True)
            raise
    elif jobs == 1:
        yield from starmap(_play, tasks)
    else:
        # The records are written by plain Python.
        with open_executor(plan.compiled and not plan.records, jobs) as (players, size):
            yield from in_order(players, _play, tasks, size)


def _tasks(plan: SimulationPlan, games: int) -> Iterator[tuple[SimulationPlan, int, int]]:
    if not plan.compiled:
        size = 1
    elif plan.records:
        size = GAMES_A_BATCH_WITH_RECORDS
    else:
        size = GAMES_A_BATCH
    for first in range(0, games, size):
        yield plan, first, min(size, games - first)


# Playing


def _play(plan: SimulationPlan, first: int, games: int) -> Batched:
    """Play some games, and write their records if requested."""
    return (_play_compiled if plan.compiled else _play_plain)(plan, first, games)


def _play_plain(plan: SimulationPlan, first: int, games: int) -> Batched:
    game, seats = find(plan.game), plan.seats
    seeds = [numbered_seed(plan.seed, number) for number in range(first, first + games)]
    played = [play_refereed(game, dict(plan.options), seed, seats, plan.referee) for seed in seeds]
    lines = [one.match.to_json(plan.legal) + "\n" for one in played] if plan.records else []
    errors = [one.error for one in played if one.error is not None]
    return Batched(np.array([_row(one) for one in played], INT), lines, errors)


def _row(played: Played) -> list[int]:
    empty = [0] * (MAX_SEATS - len(played.bots))
    moves = len(played.match.log_of_moves)
    return [played.ending, moves, *played.winners, *empty, *played.scores, *empty]


def _play_compiled(plan: SimulationPlan, first: int, games: int) -> Batched:
    arena = _arena(plan)
    batch = arena.play(plan.seed, first, games, plan.records)
    if not plan.records:
        return Batched(batch.rows, [], [])
    seeds = arena.seeds(plan.seed, first, games)
    lines = [_record(arena, seeds[place], batch, place, plan.legal) for place in range(games)]
    return Batched(batch.rows, lines, [])


@functools.cache
def _arena(plan: SimulationPlan) -> Arena:
    return Arena(find(plan.game), dict(plan.options), plan.bots)


def _record(arena: Arena, seed: bytes, batch: Batch, place: int, legal: bool) -> str:
    """Replay a compiled game by plain rules, which writes its record and verifies both against each other."""
    players = [Player(f"{bot} {seat}", bot) for seat, bot in enumerate(arena.bots, 1)]
    match = Match(arena.game, arena.options, seed, players)
    for move in batch.moves_of(place):
        match.make_legal(move)
    if match.table.over != batch.rows[place, 0]:
        raise AssertionError(f"seed {seed.hex()}: plain and compiled rules disagree")
    return match.to_json(legal) + "\n"
