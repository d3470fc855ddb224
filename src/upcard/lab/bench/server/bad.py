"""What becomes of a server to which many bad requests are sent."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Plan", "measure"]

import asyncio
import hashlib
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from upcard.games import all_games
from upcard.lab.bench.figures import Figure
from upcard.lab.bench.server.crowd import MOVES, play
from upcard.lab.bench.server.house import House
from upcard.lab.bench.server.http import Line, get
from upcard.lab.bench.server.measuring import Say, now, quantile
from upcard.lab.bench.server.mischief import KINDS, Bad, Mischief, Scene
from upcard.lab.bench.server.players import PATIENT, Pair, Player

# So many send bad requests at once.
AT_ONCE = 16
# A connection on which nothing is answered is given up after so many seconds.
PATIENCE = 30.0
# Memory is looked at so many times. All that a server needs at all it has after the first tenth; from there
# to the last tenth it may grow by so many percent.
LOOKS = 100
GROWTH = 5.0
# What a status is not: nobody answered.
HUNG_UP = 0


@dataclass(frozen=True)
class Plan:
    """How many bad requests are sent."""

    requests: int


FULL = Plan(1_000_000)
QUICK = Plan(20_000)


async def measure(plan: Plan, folder: Path, say: Say) -> list[Figure]:
    """Send bad requests to tables of every game, before, during and after it."""
    house = House(folder, {"log_level": "warning"})
    with house.running():
        await house.wait()
        pairs = [pair for game in all_games() for pair in await _pairs(house, game.id)]
        scenes = [scene for _, scene in pairs]
        before = [*await _told(house, scenes), _stored(house)]
        stranger = await Player.new(house)
        attack = _Attack(house, say)
        await attack.run(plan.requests, scenes, stranger.token)
        stranger.leave()
        after = [*await _told(house, scenes), _stored(house)]
        for pair, scene in pairs:
            if scene.phase == "playing":  # and they play on
                await pair.move()
            pair.leave()
    changed = sum(one != other for one, other in zip(before, after, strict=True))
    name = f"{plan.requests:,} bad requests of {len(KINDS)} kinds"
    return [
        Figure(f"{name}: 5xx{_kinds(attack.failed)}", attack.failed.total(), "answers", 0, at_most=True),
        Figure(
            f"{name}: not refused{_kinds(attack.not_refused)}",
            attack.not_refused.total(),
            "answers",
            0,
            at_most=True,
        ),
        Figure(f"{name}: errors in the log", _errors(house), "lines", 0, at_most=True),
        Figure(f"{name}: tables, or what is stored, changed", changed, "things", 0, at_most=True),
        Figure(f"{name}: growth of memory after a tenth", attack.growth, "%", GROWTH, at_most=True),
        Figure(f"{name}: sent a second", attack.rate, "requests/s"),
    ]


def _kinds(found: Counter[str]) -> str:
    """Name the kinds of requests that something was found for."""
    kinds = sorted(kind.replace("_", " ") for kind in +found)
    return f" ({', '.join(kinds)})" if kinds else ""


# The tables


async def _pairs(house: House, game: str) -> list[tuple[Pair, Scene]]:
    """Let pairs sit at a table that waits for another player, at one in play, and at one after the game."""
    opened, playing, over = (Pair(house, game, number, PATIENT) for number in range(3))
    for pair in (opened, playing, over):
        await pair.arrive()
    await opened.open()
    await opened.sit(1)
    await playing.sit_down()
    made = await play(playing, MOVES[game] // 4)
    await playing.is_to_move()
    assert playing.turn is not None
    seat, state = playing.turn
    await over.sit_down()
    await play(over)
    return [
        (opened, Scene(opened.table, "open", _tokens(opened))),
        (playing, Scene(playing.table, "playing", _tokens(playing), state.seq, seat, state.legal, made)),
        (over, Scene(over.table, "over", _tokens(over))),
    ]


def _tokens(pair: Pair) -> list[str]:
    return [player.token for player in pair.players]


async def _told(house: House, scenes: Sequence[Scene]) -> list[bytes]:
    """Return all that anybody is told of the tables: who sits there, and somebody who does not."""
    told = []
    with await Line.to(house.host, house.port) as line:
        for scene in scenes:
            for token in ("", *scene.tokens):
                for what in ("", "/events?since=0", "/record"):
                    path = f"/api/tables/{scene.table}{what}"
                    told.append((await line.ask(get(path, token, "Accept: application/json"))).body)
    return told


def _stored(house: House) -> bytes:
    """Return a digest of all that is in the database."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(f"{house.database.as_uri()}?mode=ro", uri=True)) as link:
        for line in link.iterdump():
            digest.update(line.encode())
    return digest.digest()


def _errors(house: House) -> int:
    return house.log.read_bytes().count(b'"level":"error"')


# The attack


class _Attack:
    """Some who send bad requests, one after another each."""

    def __init__(self, house: House, say: Say) -> None:
        self._house = house
        self._say = say
        self._sent = 0
        self._memory: list[float] = []
        # By their kinds: what the server could not cope with, and what it should have refused.
        self.failed: Counter[str] = Counter()
        self.not_refused: Counter[str] = Counter()
        self.rate = 0.0

    async def run(self, requests: int, scenes: Sequence[Scene], stranger: str) -> None:
        """Send so many requests in all."""
        started = now()
        async with asyncio.TaskGroup() as tasks:
            for seed in range(AT_ONCE):
                tasks.create_task(self._send(requests, Mischief(scenes, stranger, seed)))
        self.rate = requests / (now() - started)

    @property
    def growth(self) -> float:
        """By how many percent the memory of the server has grown from the second tenth to the last."""
        tenth = max(1, len(self._memory) // 10)
        early = self._memory[tenth : 2 * tenth] or self._memory
        return 100 * (quantile(self._memory[-tenth:], 0.5) / quantile(early, 0.5) - 1)

    async def _send(self, requests: int, mischief: Mischief) -> None:
        line = await Line.to(self._house.host, self._house.port)
        while self._sent < requests:
            self._sent += 1
            if self._sent % max(1, requests // LOOKS) == 0:
                self._memory.append(self._house.resident())
                self._say(f"{self._sent:,} of {requests:,} bad requests")
            kind, bad = mischief.think_of()
            if not line.is_open:
                line = await Line.to(self._house.host, self._house.port)
            self._judge(kind, bad, await (self._alone(bad) if bad.is_alone else self._ask(line, bad)))
        line.close()

    async def _ask(self, line: Line, bad: Bad) -> int:
        try:
            return (await asyncio.wait_for(line.ask(bad.request), PATIENCE)).status
        except (ConnectionError, TimeoutError):
            line.close()
            return HUNG_UP

    async def _alone(self, bad: Bad) -> int:
        """Send something that a connection does not survive, and nothing after it."""
        reader, writer = await asyncio.open_connection(self._house.host, self._house.port)
        try:
            writer.write(bad.request)
            writer.write_eof()
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
        except (OSError, TimeoutError):
            answer = b""
        finally:
            writer.close()
        return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else HUNG_UP

    def _judge(self, kind: str, bad: Bad, status: int) -> None:
        if status >= 500:
            self.failed[kind] += 1
        elif status == HUNG_UP:
            self.not_refused[kind] += not bad.may_hang_up
        elif not (status == 200 if bad.is_repeated else 400 <= status < 500):
            self.not_refused[kind] += 1
