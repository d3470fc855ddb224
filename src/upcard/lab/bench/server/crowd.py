"""Many pairs at once: they sit down, and they make moves when moves are due."""

from __future__ import annotations

__all__ = ["Load", "Run", "gather", "play", "some_at_once"]

import asyncio
import itertools
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from upcard.lab.bench.server.house import House
from upcard.lab.bench.server.measuring import now
from upcard.lab.bench.server.players import Made, Pair

# So many pairs sit down, or do anything else that is not measured, at once.
AT_ONCE = 24
# How many moves a game has, more or less, if two play at random.
MOVES = {"stockpile": 77, "lines": 18, "stacks": 135}
# The load begins so many seconds before what is measured, and goes on for some after it.
RUN_IN = 3.0
RUN_OUT = 0.5
# So many seconds is waited for streams that have not told everything yet.
PATIENCE = 30.0
PAUSE = 0.01


async def some_at_once(work: Iterable[Awaitable[object]]) -> None:
    """Do all pieces of some work, a few at a time."""
    waiting = iter(work)

    async def worker() -> None:
        for piece in waiting:
            await piece

    async with asyncio.TaskGroup() as tasks:
        for _ in range(AT_ONCE):
            tasks.create_task(worker())


async def gather(
    house: House, games: Iterable[str], begun: int = 0, told: Callable[[int], None] = lambda _: None
) -> list[Pair]:
    """Let a pair sit down for each of some games, and play until they are anywhere in the middle of it.

    `begun` is how many there are already; `told` is called with how many there are.
    """
    pairs = [Pair(house, game, number) for number, game in enumerate(games, begun)]
    ready = itertools.count(begun + 1)

    async def settle(pair: Pair) -> None:
        await pair.arrive()
        await pair.sit_down()
        for _ in range(random.Random(pair.number).randrange(MOVES[pair.game])):
            if not await pair.is_to_move():
                await pair.sit_down()
                await pair.is_to_move()
            await pair.move()
        told(next(ready))

    await some_at_once(settle(pair) for pair in pairs)
    return pairs


async def play(pair: Pair, moves: int | None = None) -> list[Made]:
    """Let a pair make so many moves, or play to the end; return what was made."""
    made: list[Made] = []
    while (moves is None or len(made) < moves) and await pair.is_to_move():
        made.append(await pair.move())
    return made


@dataclass
class Run:
    """What was measured in some seconds. All times count from when a move was due."""

    rate: float
    begin: float
    end: float
    # How late the load itself was.
    late: list[float] = field(default_factory=list)
    # When the moves that were due in this time were acknowledged, and when the other player heard of them.
    acknowledged: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    unheard: int = 0
    # How many acknowledgements arrived in this time.
    arrived: int = 0
    # How much of a core the server and the load had.
    served: float = 0.0
    loaded: float = 0.0

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.end - self.begin

    def covers(self, moment: float) -> bool:
        """Whether something happened in this time."""
        return self.begin <= moment < self.end


class Load:
    """Pairs that make moves when they are due, at a constant rate, however long the server takes."""

    def __init__(self, pairs: Sequence[Pair], run_in: float = RUN_IN) -> None:
        self._house = pairs[0].house
        self._run_in = run_in
        self._rotation = itertools.cycle(pairs)
        self._due: dict[Pair, deque[float]] = {pair: deque() for pair in pairs}
        self._at_work: set[Pair] = set()
        self._between_games: set[Pair] = set()

    async def run(self, rate: float, seconds: float) -> Run:
        """Let so many moves a second be due, and measure for some seconds."""
        start = now()
        run = Run(rate, start + self._run_in, start + self._run_in + seconds)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._count(run))
            for number in range(int(rate * (self._run_in + seconds + RUN_OUT))):
                due = start + number / rate
                while (wait := due - now()) > 0:  # noqa: ASYNC110  # timers ring a little too early
                    await asyncio.sleep(wait)
                if run.covers(due):
                    run.late.append(now() - due)
                self._hand_out(due, run, tasks)
        await self._hear_out(run)
        return run

    async def _count(self, run: Run) -> None:
        """Find out how much of the machine the server and we need."""
        await asyncio.sleep(run.begin - now())
        began, served, loaded = now(), self._house.seconds(), time.process_time()
        await asyncio.sleep(run.end - now())
        seconds = now() - began
        run.served = (self._house.seconds() - served) / seconds
        run.loaded = (time.process_time() - loaded) / seconds

    def _hand_out(self, due: float, run: Run, tasks: asyncio.TaskGroup) -> None:
        """Let the next pair that is not between two games make a move."""
        pair = next(pair for pair in self._rotation if pair not in self._between_games)
        self._due[pair].append(due)
        if pair not in self._at_work:
            self._at_work.add(pair)
            tasks.create_task(self._work_off(pair, run, tasks))

    async def _work_off(self, pair: Pair, run: Run, tasks: asyncio.TaskGroup) -> None:
        due = self._due[pair]
        while due and await pair.is_to_move():
            await self._move(pair, due.popleft(), run)
        if pair.over:
            self._between_games.add(pair)
            while due:  # other pairs make its moves
                self._hand_out(due.popleft(), run, tasks)
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

    async def _hear_out(self, run: Run) -> None:
        """Wait until streams have told the last moves; what they never tell is as late as can be."""
        for _ in range(int(PATIENCE / PAUSE)):
            if len(run.heard) == len(run.acknowledged):
                return
            await asyncio.sleep(PAUSE)
        run.unheard = len(run.acknowledged) - len(run.heard)
        run.heard += [now() - run.begin] * run.unheard
