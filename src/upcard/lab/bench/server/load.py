"""How many tables one core serves, and how long people wait for what they do and for what others do."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Plan", "measure"]

import contextlib
import gc
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from upcard.games import all_games
from upcard.lab.bench.figures import Figure
from upcard.lab.bench.server.crowd import RUN_IN, Load, Run, gather
from upcard.lab.bench.server.house import House, apart, open_many_files
from upcard.lab.bench.server.measuring import Say, quantile
from upcard.lab.bench.server.players import Pair

# Promised is that 99 % of the moves are acknowledged in so many seconds, and so many bytes for a table.
IN_TIME = 0.05
MEMORY = 100 * 1024
# If this much of them is acknowledged while others become due, they do not pile up.
KEPT_UP = 0.995
# A load that is itself so many seconds late, at 99 % of its moves, says nothing about a server.
LATE = 0.01
# The most moves a second are known well enough when so many times as many are known to be too much.
CLOSE = 1.06
STEP = 1.25
# Less than so much of what is usual is not tried.
HOPELESS = 0.2
# Both of a pair have a stream and a connection for commands; the server needs some files for itself.
FILES_A_PAIR = 4
FILES = 200


@dataclass(frozen=True)
class Plan:
    """How many tables are measured, and for how many seconds."""

    tables: int
    more_tables: tuple[int, ...]
    seconds: float
    # While the most moves a second are looked for, each rate is tried for so long, and so many at most.
    trying: float
    tries: int = 20
    run_in: float = RUN_IN
    moves_a_second: float = 0.6  # for each table


FULL = Plan(1_000, (1_500, 2_000, 3_000), 30.0, 10.0)
QUICK = Plan(150, (200, 300), 5.0, 3.0, run_in=1.0)


async def measure(plan: Plan, folder: Path, say: Say) -> list[Figure]:
    """Measure Stockpile alone, with more and more tables, and then all games mixed."""
    open_many_files(FILES_A_PAIR * max(plan.tables, *plan.more_tables) + FILES)
    figures = []
    with _crowd(folder / "alone", ["stockpile"], plan, say) as crowd:
        figures += [await crowd.grow(plan.tables)]
        figures += crowd.figures(await crowd.run(plan.seconds))
        figures += [await crowd.most()]
        for tables in plan.more_tables:
            await crowd.grow(tables)
            figures += crowd.figures(await crowd.run(plan.seconds), is_promised=False)
    with _crowd(folder / "mixed", [game.id for game in all_games()], plan, say) as crowd:
        figures += [await crowd.grow(plan.tables)]
        figures += crowd.figures(await crowd.run(plan.seconds))
    return figures


@contextlib.contextmanager
def _crowd(folder: Path, games: Sequence[str], plan: Plan, say: Say) -> Iterator[_Crowd]:
    """Start a server on a core of its own, and send everybody home afterwards."""
    folder.mkdir()
    with apart() as core, House(folder, core=core).running() as house:
        crowd = _Crowd(house, games, plan, say)
        try:
            yield crowd
        finally:
            crowd.leave()


class _Crowd:
    """All pairs at a server."""

    def __init__(self, house: House, games: Sequence[str], plan: Plan, say: Say) -> None:
        self._house = house
        self._names = ", ".join(games)
        self._games = itertools.cycle(games)
        self._plan = plan
        self._say = say
        self._pairs: list[Pair] = []

    @property
    def _name(self) -> str:
        return f"{len(self._pairs):,} tables of {self._names}"

    async def grow(self, tables: int) -> Figure:
        """Let others sit down until there are so many tables; return how much memory these take."""
        await self._house.wait()
        before, already = self._house.resident(), len(self._pairs)
        games = itertools.islice(self._games, tables - already)
        self._pairs += await gather(
            self._house, games, already, lambda sat: self._say(f"{sat:,} of {tables:,} tables in play")
        )
        # Nothing of what there is now will be garbage, so nobody has to look for it while it is measured.
        gc.collect()
        gc.freeze()
        grown = (self._house.resident() - before) / (tables - already)
        # What a server needs once, for whatever number of tables, is too much for a few of them.
        wanted = MEMORY / 1024 if len(self._pairs) >= FULL.tables else None
        return Figure(f"{self._name}: memory a table", grown / 1024, "KB", wanted, at_most=True)

    def leave(self) -> None:
        """Let everybody go home."""
        gc.unfreeze()
        for pair in self._pairs:
            pair.leave()

    @property
    def _usual(self) -> float:
        return len(self._pairs) * self._plan.moves_a_second

    async def run(self, seconds: float, rate: float | None = None) -> Run:
        """Let so many moves a second be due, or as many as is usual for so many tables."""
        rate = rate or self._usual
        self._say(f"{self._name}: {rate:,.0f} moves/s for {self._plan.run_in + seconds:.0f} s")
        return await Load(self._pairs, self._plan.run_in).run(rate, seconds)

    async def most(self) -> Figure:
        """Find the most moves a second that are acknowledged in time."""
        enough, too_much = 0.0, float("inf")
        rate = self._usual
        for _ in range(self._plan.tries):
            run = await self.run(self._plan.trying, rate)
            if _is_late(run):
                break
            if _is_in_time(run):
                enough = rate
            else:
                too_much = rate
            if too_much <= CLOSE * enough or too_much < HOPELESS * self._usual:
                break
            rate = _between(enough, too_much)
        name = f"{self._name}: most moves/s at p99 below {1000 * IN_TIME:.0f} ms"
        return Figure(name, enough, "moves/s")

    def figures(self, run: Run, is_promised: bool = True) -> list[Figure]:
        """Return what a run has shown."""
        name = f"{self._name}, {run.rate:,.0f} moves/s"
        if _is_late(run):
            name += " (not valid: the load was late)"
        wanted = 1000 * IN_TIME if is_promised else None
        kept_up = KEPT_UP * run.rate if is_promised else None
        acknowledged, heard = run.acknowledged, run.heard
        return [
            Figure(f"{name}: acknowledged a second", run.arrived / run.seconds, "moves/s", kept_up),
            Figure(f"{name}: acknowledged, p50", 1000 * quantile(acknowledged, 0.5), "ms"),
            Figure(f"{name}: acknowledged, p99", 1000 * quantile(acknowledged, 0.99), "ms", wanted, True),
            Figure(f"{name}: seen by the other, p99", 1000 * quantile(heard, 0.99), "ms", wanted, True),
            Figure(f"{name}: the server needs of a core", 100 * run.served, "%"),
            Figure(f"{name}: the load needs of a core", 100 * run.loaded, "%"),
            Figure(
                f"{name}: the load is late, p99", 1000 * quantile(run.late, 0.99), "ms", 1000 * LATE, True
            ),
        ]


def _is_late(run: Run) -> bool:
    return quantile(run.late, 0.99) > LATE


def _is_in_time(run: Run) -> bool:
    return quantile(run.acknowledged, 0.99) < IN_TIME and run.arrived >= KEPT_UP * run.rate * run.seconds


def _between(enough: float, too_much: float) -> float:
    """Return the next rate to try: in the middle, or beyond all that was tried."""
    if too_much == float("inf"):
        return enough * STEP
    return too_much / STEP if enough == 0 else (enough + too_much) / 2
