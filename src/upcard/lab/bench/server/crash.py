"""What becomes of moves when the server is killed, again and again, while everybody plays."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Ledger", "Plan", "measure"]

import asyncio
import itertools
import random
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import msgspec

from upcard.core.errors import UpcardError
from upcard.games import all_games
from upcard.lab.bench.figures import Figure
from upcard.lab.bench.server.crowd import some_at_once
from upcard.lab.bench.server.house import House, open_many_files
from upcard.lab.bench.server.measuring import Say, now, quantile
from upcard.lab.bench.server.players import Made, Pair

# Promised is that everybody plays again after so many seconds.
SOON = 5.0
# Almost everybody, that is.
EVERYBODY = 0.99
# What was answered before the server was killed arrives within so many seconds.
STILL_ARRIVING = 0.05
# A server that nobody can play at after so many seconds is not waited for.
PATIENCE = 120.0


@dataclass(frozen=True)
class Plan:
    """How often the server is killed, at how many tables people play meanwhile and how many moves a second
    in all, and until how many moves are acknowledged."""

    kills: int
    tables: int
    rate: float
    moves: int


FULL = Plan(100, 200, 500.0, 1_000_000)
QUICK = Plan(5, 50, 500.0, 10_000)


async def measure(plan: Plan, folder: Path, say: Say) -> list[Figure]:
    """Play and kill, then compare what was acknowledged with what there is."""
    open_many_files(4 * plan.tables + 200)
    house = House(folder, {"log_level": "warning"})
    with house.running():
        await house.wait()
        storm = _Storm(house, plan, say)
        await storm.blow()
        # What there is, is what another process finds.
        house.kill()
        house.start()
        await house.wait()
        say(f"reading the logs of {len(storm.ledger):,} tables")
        findings = await storm.ledger.compare(house)
    name = f"{plan.kills} × kill -9, {storm.acknowledged:,} moves acknowledged"
    return [
        Figure(f"{name}: lost", findings["lost"], "moves", 0, at_most=True),
        Figure(f"{name}: done twice, or by nobody", findings["doubled"], "moves", 0, at_most=True),
        Figure(f"{name}: cut off, and sent again", storm.repeats, "requests"),
        *_times("kill -9 to the first move", [first for first, _ in storm.times]),
        *_times("kill -9 until 99 % of the tables play", [everybody for _, everybody in storm.times]),
    ]


def _times(name: str, times: Sequence[float]) -> Iterator[Figure]:
    yield Figure(f"{name}: median", quantile(times, 0.5), "s")
    yield Figure(f"{name}: worst", max(times), "s", SOON, at_most=True)


class _Storm:
    """Everybody plays, and the server is killed now and then."""

    def __init__(self, house: House, plan: Plan, say: Say) -> None:
        self._house = house
        self._plan = plan
        self._say = say
        games = itertools.cycle(game.id for game in all_games())
        self._pairs = [Pair(house, next(games), number) for number in range(plan.tables)]
        self._dice = random.Random(0)
        self.ledger = Ledger()
        self.acknowledged = 0
        # For each kill, when the first and when almost everybody had made a move again.
        self.times: list[tuple[float, float]] = []
        # Is done at the next kill.
        self._struck: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Since the last kill: who has not made a move, and when the first was made.
        self._missing: set[Pair] = set()
        self._first = 0.0
        self._playing_again = asyncio.Event()
        # Whether there will be no other kill.
        self._ends = False
        # Rings when so many moves are acknowledged.
        self._wanted = 0
        self._enough = asyncio.Event()

    @property
    def repeats(self) -> int:
        """How many requests were cut off."""
        return sum(player.repeats for pair in self._pairs for player in pair.players)

    async def blow(self) -> None:
        """Play until enough moves are acknowledged, and kill meanwhile."""
        async with asyncio.TaskGroup() as tasks:
            for pair in self._pairs:
                tasks.create_task(self._play(pair))
            for kill in range(1, self._plan.kills + 1):
                await self._reach(kill * self._plan.moves // (self._plan.kills + 1))
                await self._kill()
                self._say(f"{kill} of {self._plan.kills} kills, {self.acknowledged:,} moves")
            self._ends = True
        for pair in self._pairs:
            pair.leave()

    async def _play(self, pair: Pair) -> None:
        await pair.arrive()
        await pair.sit_down()
        while not self._ends or self.acknowledged < self._plan.moves:
            if await pair.is_to_move():
                self._made(pair, await pair.move())
                await self._think()
            else:
                self.ledger.close(pair)
                await pair.sit_down()
        self.ledger.close(pair)

    async def _think(self) -> None:
        """Let some time pass. When the server is killed everybody wants to move at once: how long somebody
        thinks then is not how long the server makes them wait."""
        pause = self._dice.uniform(0, 2) * self._plan.tables / self._plan.rate
        await asyncio.wait([self._struck], timeout=pause)

    def _made(self, pair: Pair, move: Made) -> None:
        self.ledger.write(pair, move)
        self.acknowledged += 1
        if self.acknowledged >= self._wanted:
            self._enough.set()
        if pair in self._missing:
            self._first = self._first or now()
            self._missing.discard(pair)
            if len(self._missing) <= (1 - EVERYBODY) * self._plan.tables:
                self._playing_again.set()

    async def _reach(self, moves: int) -> None:
        """Wait until so many moves are acknowledged."""
        self._wanted = moves
        self._enough.clear()
        await self._enough.wait()

    async def _kill(self) -> None:
        """Kill the server, start it again, and wait until everybody plays."""
        self._house.kill()
        killed = now()
        self._struck.set_result(None)
        self._struck = asyncio.get_running_loop().create_future()
        await asyncio.sleep(STILL_ARRIVING)
        self._first = 0.0
        self._missing = set(self._pairs)
        self._playing_again.clear()
        self._house.start()
        try:
            await asyncio.wait_for(self._playing_again.wait(), PATIENCE)
        except TimeoutError:
            raise UpcardError(
                f"{PATIENCE:.0f} seconds after a kill, {len(self._missing)} tables wait"
            ) from None
        self.times.append((self._first - killed, now() - killed))


class _Entry(msgspec.Struct, frozen=True):
    """What the log of a table says of a move."""

    seq: int
    kind: str
    seat: int = 0
    move: str = ""
    by: str = "person"


class _News(msgspec.Struct, frozen=True):
    news: list[_Entry]


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[Made]).decode
_read_news = msgspec.json.Decoder(_News).decode


class Ledger:
    """Every move that was acknowledged, at every table."""

    def __init__(self) -> None:
        # Of each pair the tables at which it has played; packed, for a million moves take much room.
        self._tables: defaultdict[Pair, dict[str, bytes]] = defaultdict(dict)
        self._open: dict[str, list[Made]] = {}

    def __len__(self) -> int:
        return sum(len(tables) for tables in self._tables.values())

    def write(self, pair: Pair, move: Made) -> None:
        """Write down a move that was acknowledged to a pair."""
        self._open.setdefault(pair.table, []).append(move)

    def close(self, pair: Pair) -> None:
        """Write down that a pair plays no more at its table."""
        self._tables[pair][pair.table] = _pack(self._open.pop(pair.table, []))

    async def compare(self, house: House) -> Counter[str]:
        """Compare it with the logs that the server tells, and with the commands in its database; return how
        many moves were `lost`, and how many are there that nobody was told of or that were `doubled`."""
        findings: Counter[str] = Counter()
        with closing(sqlite3.connect(f"{house.database.as_uri()}?mode=ro", uri=True)) as link:
            await some_at_once(self._look(pair, link, findings) for pair in self._tables)
        return findings

    async def _look(self, pair: Pair, link: sqlite3.Connection, findings: Counter[str]) -> None:
        marks = [player.mark for player in pair.players]
        for table, packed in self._tables[pair].items():
            acknowledged = _unpack(packed)
            answer = await pair.players[0].get(f"/api/tables/{table}/events?since=0")
            logged = [entry for entry in _read_news(answer).news if entry.kind == "moved"]
            _count(
                findings,
                [(move.seq, move.seat, move.move) for move in acknowledged],
                [(entry.seq, entry.seat, entry.move) for entry in logged if entry.by == "person"],
            )
            numbers = {entry.seq for entry in logged}
            done = link.execute("SELECT person, id, seq FROM commands WHERE table_id = ?", (table,))
            _count(
                findings,
                [(marks[move.seat - 1], move.id, move.seq) for move in acknowledged],
                [command for command in done if command[2] in numbers],
            )
        pair.leave()


def _count(
    findings: Counter[str], acknowledged: list[tuple[object, ...]], there: list[tuple[object, ...]]
) -> None:
    """Count what is missing of all that was acknowledged, and what is there besides it."""
    findings["lost"] += (Counter(acknowledged) - Counter(there)).total()
    findings["doubled"] += (Counter(there) - Counter(acknowledged)).total()
