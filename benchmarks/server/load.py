"""How many tables one core serves, and how long players wait for what they and others do."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Load", "Run", "Scale", "gather", "measure"]

import asyncio
import contextlib
import gc
import itertools
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.figures import Figure, now, progress, quantile
from benchmarks.server.players import MOVES, Pair, a_few_at_a_time
from benchmarks.server.process import Server, own_core, raise_file_limit
from upcard.games import all_games

# Promised: the 99th percentile of acknowledgements in milliseconds, and the memory of a table in KB.
IN_TIME = 50.0
MEMORY = 100.0
# The share of due moves that must be acknowledged meanwhile, or else they pile up.
KEPT_UP = 0.995
# A load generator that is this late itself, in milliseconds at the 99th percentile, cannot measure a server.
LATE = 10.0
# Each rate that is tried while looking for the highest one is this many times the one before.
STEP = 1.1
# Moves per second at each table.
RATE = 0.6
# Time after the measured part of a load in which it continues, in seconds.
RUN_OUT = 0.5
# Time limit for streams to show the last moves, and time between two looks, in seconds.
PATIENCE = 30.0
PAUSE = 0.01


@dataclass(frozen=True)
class Scale:
    """How much is measured: numbers of tables, and durations in seconds."""

    tables: int
    more_tables: tuple[int, ...]
    seconds: float
    run_in: float = 3.0
    # How many rates are tried while looking for the highest one.
    tries: int = 20
    rate: float = RATE


FULL = Scale(1_000, (1_500, 2_000, 3_000), 30.0)
QUICK = Scale(150, (200, 300), 5.0, run_in=1.0, tries=5)


async def measure(scale: Scale, folder: Path) -> list[Figure]:
    """Measure Stockpile alone, with more and more tables, and then all games mixed."""
    # Each player has two connections; the server needs some files for itself.
    raise_file_limit(4 * max(scale.tables, *scale.more_tables) + 200)
    figures = []
    async with _crowd(folder / "alone", ["stockpile"], scale) as crowd:
        figures += [await crowd.grow(scale.tables)]
        figures += crowd.figures(await crowd.run(), is_promised=True)
        figures += [await crowd.highest_rate()]
        for tables in scale.more_tables:
            await crowd.grow(tables)
            figures += crowd.figures(await crowd.run(), is_promised=False)
    async with _crowd(folder / "mixed", [game.id for game in all_games()], scale) as crowd:
        figures += [await crowd.grow(scale.tables)]
        figures += crowd.figures(await crowd.run(), is_promised=True)
    return figures


async def gather(server: Server, games: Iterable[str], already: int = 0) -> list[Pair]:
    """Let a pair sit down for each of some games, and play to some point in the middle of a game."""
    pairs = [Pair(server, game, number) for number, game in enumerate(games, already)]

    async def settle(pair: Pair) -> None:
        await pair.arrive()
        await pair.sit_down()
        for _ in range(random.Random(pair.number).randrange(MOVES[pair.game])):
            if not await pair.is_to_move():
                await pair.sit_down()
                await pair.is_to_move()
            await pair.move()

    await a_few_at_a_time(settle(pair) for pair in pairs)
    return pairs


@contextlib.asynccontextmanager
async def _crowd(folder: Path, games: Sequence[str], scale: Scale) -> AsyncIterator[_Crowd]:
    """Start a server on a core of its own, and close all connections afterwards."""
    folder.mkdir()  # noqa: ASYNC240
    with own_core() as core, Server(folder, core=core).running() as server:
        await server.wait()
        crowd = _Crowd(server, games, scale)
        try:
            yield crowd
        finally:
            crowd.leave()


class _Crowd:
    """All pairs at a server."""

    def __init__(self, server: Server, games: Sequence[str], scale: Scale) -> None:
        self._server = server
        self._names = ", ".join(games)
        self._games = itertools.cycle(games)
        self._scale = scale
        self._pairs: list[Pair] = []

    @property
    def _name(self) -> str:
        return f"{len(self._pairs):,} tables of {self._names}"

    async def grow(self, tables: int) -> Figure:
        """Add tables until there are as many as asked for; return how much memory each takes."""
        progress(f"setting up {tables:,} tables of {self._names}")
        before, already = self._server.resident(), len(self._pairs)
        games = itertools.islice(self._games, tables - already)
        self._pairs += await gather(self._server, games, already)
        # The load should not collect garbage while it is measured.
        gc.collect()
        gc.freeze()
        grown = (self._server.resident() - before) / (tables - already) / 1024
        # With few tables, the server's fixed memory would count too much.
        wanted = MEMORY if len(self._pairs) >= FULL.tables else None
        return Figure(f"{self._name}: memory a table", grown, "KB", wanted, at_most=True)

    def leave(self) -> None:
        """Close all connections."""
        gc.unfreeze()
        for pair in self._pairs:
            pair.leave()

    async def run(self, times: float = 1.0) -> Run:
        """Let moves be due at the default rate, or some times as many."""
        rate = times * self._scale.rate * len(self._pairs)
        progress(f"{self._name}: {rate:,.0f} moves/s")
        return await Load(self._pairs, self._scale.run_in).run(rate, self._scale.seconds)

    async def highest_rate(self) -> Figure:
        """Raise the rate until moves are acknowledged too late, or the load itself cannot keep up."""
        highest = 0.0
        for number in range(self._scale.tries):
            run = await self.run(STEP**number)
            if run.late_p99 > LATE or run.acknowledged_p99 > IN_TIME or run.arrived < KEPT_UP * run.due:
                break
            highest = run.rate
        return Figure(f"{self._name}: most moves/s at p99 below {IN_TIME:.0f} ms", highest, "moves/s")

    def figures(self, run: Run, is_promised: bool) -> list[Figure]:
        """Return the figures of a run."""
        name = f"{self._name}, {run.rate:,.0f} moves/s"
        if run.late_p99 > LATE:
            name += " (not valid: the load was late)"
        wanted = IN_TIME if is_promised else None
        kept_up = KEPT_UP * run.rate if is_promised else None
        heard = 1000 * quantile(run.heard, 0.99)
        return [
            Figure(f"{name}: acknowledged a second", run.arrived / run.seconds, "moves/s", kept_up),
            Figure(f"{name}: acknowledged, p50", 1000 * quantile(run.acknowledged, 0.5), "ms"),
            Figure(f"{name}: acknowledged, p99", run.acknowledged_p99, "ms", wanted, at_most=True),
            Figure(f"{name}: seen by the other, p99", heard, "ms", wanted, at_most=True),
            Figure(f"{name}: the server needs of a core", 100 * run.served, "%"),
            Figure(f"{name}: the load needs of a core", 100 * run.loaded, "%"),
        ]


@dataclass
class Run:
    """Measurements of some seconds. All times count from when a move was due, in seconds."""

    rate: float
    begin: float
    end: float
    # How late the load itself was.
    late: list[float] = field(default_factory=list)
    # When moves that were due in this time were acknowledged, and when the other player's stream showed them.
    acknowledged: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    # Number of acknowledgements that arrived in this time.
    arrived: int = 0
    # Share of a core that the server and the load used.
    served: float = 0.0
    loaded: float = 0.0

    @property
    def seconds(self) -> float:
        """The duration of the run."""
        return self.end - self.begin

    @property
    def due(self) -> float:
        """The number of moves that were due."""
        return self.rate * self.seconds

    @property
    def late_p99(self) -> float:
        """How late the load generator was, in milliseconds."""
        return 1000 * quantile(self.late, 0.99)

    @property
    def acknowledged_p99(self) -> float:
        """How long players waited, in milliseconds."""
        return 1000 * quantile(self.acknowledged, 0.99)

    def covers(self, moment: float) -> bool:
        """Whether a moment is within the run."""
        return self.begin <= moment < self.end


class Load:
    """Pairs that make moves when they are due, at a constant rate, however long the server takes."""

    def __init__(self, pairs: Sequence[Pair], run_in: float) -> None:
        self._server = pairs[0].server
        self._run_in = run_in
        self._rotation = itertools.cycle(pairs)
        self._due: dict[Pair, deque[float]] = {pair: deque() for pair in pairs}
        self._at_work: set[Pair] = set()
        self._between_games: set[Pair] = set()

    async def run(self, rate: float, seconds: float) -> Run:
        """Let moves be due at a rate per second, and measure for some seconds."""
        start = now()
        run = Run(rate, start + self._run_in, start + self._run_in + seconds)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._measure_cores(run))
            for number in range(int(rate * (self._run_in + seconds + RUN_OUT))):
                due = start + number / rate
                while (wait := due - now()) > 0:  # noqa: ASYNC110  # timers fire a little too early
                    await asyncio.sleep(wait)
                if run.covers(due):
                    run.late.append(now() - due)
                self._assign(due, run, tasks)
        await self._wait_for_streams(run)
        return run

    async def _measure_cores(self, run: Run) -> None:
        await asyncio.sleep(run.begin - now())
        began, served, loaded = now(), self._server.seconds(), time.process_time()
        await asyncio.sleep(run.end - now())
        seconds = now() - began
        run.served = (self._server.seconds() - served) / seconds
        run.loaded = (time.process_time() - loaded) / seconds

    def _assign(self, due: float, run: Run, tasks: asyncio.TaskGroup) -> None:
        """Let the next pair that is not between two games make a move."""
        pair = next(pair for pair in self._rotation if pair not in self._between_games)
        self._due[pair].append(due)
        if pair not in self._at_work:
            self._at_work.add(pair)
            tasks.create_task(self._work(pair, run, tasks))

    async def _work(self, pair: Pair, run: Run, tasks: asyncio.TaskGroup) -> None:
        due = self._due[pair]
        while due and await pair.is_to_move():
            await self._move(pair, due.popleft(), run)
        if pair.over:
            self._between_games.add(pair)
            while due:  # other pairs make its moves
                self._assign(due.popleft(), run, tasks)
            await pair.sit_down()
            self._between_games.discard(pair)
        self._at_work.discard(pair)

    async def _move(self, pair: Pair, due: float, run: Run) -> None:
        counts = run.covers(due)
        await pair.move((lambda: run.heard.append(now() - due)) if counts else None)
        arrived = now()
        run.arrived += run.covers(arrived)
        if counts:
            run.acknowledged.append(arrived - due)

    async def _wait_for_streams(self, run: Run) -> None:
        """Wait until streams have shown the last moves; a move that is never shown counts as very late."""
        for _ in range(int(PATIENCE / PAUSE)):
            if len(run.heard) == len(run.acknowledged):
                return
            await asyncio.sleep(PAUSE)
        run.heard += [now() - run.begin] * (len(run.acknowledged) - len(run.heard))
