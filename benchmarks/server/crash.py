"""Whether moves are lost when the server is killed, again and again, during play."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Moves", "Scale", "measure"]

import asyncio
import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.figures import Figure, now, progress, quantile
from benchmarks.server.players import Made, Pair, a_few_at_a_time
from benchmarks.server.process import Server, raise_file_limit
from upcard.core.errors import UpcardError
from upcard.games import all_games

# Promised: time until all tables continue, in seconds.
SOON = 5.0
# The share of tables that counts as all.
ALL = 0.99
# Time in which answers from before a kill may still arrive, in seconds.
STILL_ARRIVING = 0.05
# Time limit for tables to continue after a kill, in seconds.
PATIENCE = 120.0


@dataclass(frozen=True)
class Scale:
    """How often the server is killed, at how many tables, at how many moves a second in all, and after how
    many acknowledged moves the measurement ends."""

    kills: int
    tables: int
    rate: float
    moves: int


FULL = Scale(100, 200, 500.0, 1_000_000)
QUICK = Scale(5, 50, 500.0, 10_000)


async def measure(scale: Scale, folder: Path) -> list[Figure]:
    """Play and kill, then compare the acknowledged moves with those that a new process finds."""
    raise_file_limit(4 * scale.tables + 200)
    server = Server(folder, {"log_level": "warning"})
    with server.running():
        await server.wait()
        play = _Play(server, scale)
        await play.run()
        server.kill()
        server.start()
        await server.wait()
        found = await play.moves.compare()
    name = f"{scale.kills} × kill -9, {play.acknowledged:,} moves acknowledged"
    return [
        Figure(f"{name}: lost", found["lost"], "moves", 0, at_most=True),
        Figure(f"{name}: done twice, or by nobody", found["doubled"], "moves", 0, at_most=True),
        Figure(f"{name}: cut off, and sent again", play.repeats, "requests"),
        *_times("kill -9 to the first move", [first for first, _ in play.times]),
        *_times("kill -9 until 99 % of the tables play", [last for _, last in play.times]),
    ]


def _times(name: str, times: Sequence[float]) -> Iterator[Figure]:
    yield Figure(f"{name}: median", quantile(times, 0.5), "s")
    yield Figure(f"{name}: worst", max(times), "s", SOON, at_most=True)


class _Play:
    """Pairs play while the server is killed now and then."""

    def __init__(self, server: Server, scale: Scale) -> None:
        self._server = server
        self._scale = scale
        games = itertools.cycle(game.id for game in all_games())
        self._pairs = [Pair(server, next(games), number) for number in range(scale.tables)]
        self._dice = random.Random(0)
        self.moves = Moves()
        self.acknowledged = 0
        # For each kill, the seconds until the first and until almost all tables continued.
        self.times: list[tuple[float, float]] = []
        # Set at every acknowledged move, and at every kill.
        self._moved = asyncio.Event()
        self._killed = asyncio.Event()
        # The time of each pair's first move since the last kill.
        self._continued: dict[Pair, float] = {}
        self._is_last = False

    @property
    def repeats(self) -> int:
        """How many requests were cut off."""
        return sum(player.repeats for pair in self._pairs for player in pair.players)

    async def run(self) -> None:
        """Play until enough moves are acknowledged, and kill meanwhile."""
        async with asyncio.TaskGroup() as tasks:
            for pair in self._pairs:
                tasks.create_task(self._play(pair))
            for kill in range(1, self._scale.kills + 1):
                while self.acknowledged < kill * self._scale.moves // (self._scale.kills + 1):
                    await self._next_move()
                await self._kill()
                progress(f"{kill} of {self._scale.kills} kills, {self.acknowledged:,} moves")
            self._is_last = True
        for pair in self._pairs:
            pair.leave()

    async def _play(self, pair: Pair) -> None:
        await pair.arrive()
        await pair.sit_down()
        while not self._is_last or self.acknowledged < self._scale.moves:
            if await pair.is_to_move():
                self.moves.add(pair, await pair.move())
                self.acknowledged += 1
                self._continued.setdefault(pair, now())
                self._moved.set()
                await self._think()
            else:
                await pair.sit_down()

    async def _think(self) -> None:
        """Pause. A kill ends the pause: the time that a player thinks is not the server's delay."""
        pause = self._dice.uniform(0, 2) * self._scale.tables / self._scale.rate
        try:
            await asyncio.wait_for(self._killed.wait(), pause)
        except TimeoutError:
            return

    async def _next_move(self) -> None:
        self._moved.clear()
        await self._moved.wait()

    async def _kill(self) -> None:
        """Kill the server, start it again, and wait until almost all tables continue."""
        self._server.kill()
        killed = now()
        self._killed.set()
        await asyncio.sleep(STILL_ARRIVING)
        self._killed.clear()
        self._continued.clear()
        self._server.start()
        try:
            async with asyncio.timeout(PATIENCE):
                while len(self._continued) < ALL * self._scale.tables:
                    await self._next_move()
        except TimeoutError:
            waiting = self._scale.tables - len(self._continued)
            raise UpcardError(f"{PATIENCE:.0f} seconds after a kill, {waiting} tables wait") from None
        self.times.append((min(self._continued.values()) - killed, now() - killed))


class _Entry(msgspec.Struct, frozen=True):
    """A log entry, as far as it concerns moves."""

    seq: int
    kind: str
    seat: int = 0
    move: str = ""
    by: str = "person"


class _Log(msgspec.Struct, frozen=True):
    news: list[_Entry]


_read_log = msgspec.json.Decoder(_Log).decode


class Moves:
    """Every acknowledged move, by the pair that made it and its table."""

    def __init__(self) -> None:
        self._tables: defaultdict[Pair, defaultdict[str, list[Made]]]
        self._tables = defaultdict(lambda: defaultdict(list))

    def add(self, pair: Pair, move: Made) -> None:
        """Remember a move that was acknowledged to a pair."""
        self._tables[pair][pair.table].append(move)

    async def compare(self) -> Counter[str]:
        """Compare them with the logs of the server; count the moves that were `lost`, and those that are
        there without an acknowledgement, or more than once (`doubled`)."""
        found: Counter[str] = Counter()
        await a_few_at_a_time(self._compare(pair, found) for pair in self._tables)
        return found

    async def _compare(self, pair: Pair, found: Counter[str]) -> None:
        for table, moves in self._tables[pair].items():
            log = _read_log(await pair.players[0].get(f"/api/tables/{table}/events?since=0"))
            acknowledged = Counter((move.seq, move.seat, move.move) for move in moves)
            there = Counter(
                (entry.seq, entry.seat, entry.move)
                for entry in log.news
                if entry.kind == "moved" and entry.by == "person"
            )
            found["lost"] += (acknowledged - there).total()
            found["doubled"] += (there - acknowledged).total()
        pair.leave()
