"""Whether a server withstands many bad requests."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Scale", "measure"]

import asyncio
import hashlib
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure, now, progress, quantile
from benchmarks.server.http import DISCONNECTED, HOST, Connection, get
from benchmarks.server.players import MOVES, PATIENT, Pair, Player, play
from benchmarks.server.process import Server
from benchmarks.server.requests import KINDS, Bad, BadRequests, Scene
from upcard.games import all_games

# Connections that send bad requests at the same time.
CONNECTIONS = 16
# Time limit for an answer, in seconds.
PATIENCE = 30.0
# Number of memory samples. Between the second tenth and the last, memory may grow by this many percent.
SAMPLES = 100
GROWTH = 5.0
# Stands for a status where the server closed the connection without an answer.
HUNG_UP = 0


@dataclass(frozen=True)
class Scale:
    """How many bad requests are sent."""

    requests: int


FULL = Scale(1_000_000)
QUICK = Scale(20_000)


async def measure(scale: Scale, folder: Path) -> list[Figure]:
    """Send bad requests to tables of every game, before, during and after a game."""
    server = Server(folder, {"log_level": "warning"})
    with server.running():
        await server.wait()
        pairs = [pair for game in all_games() for pair in await _pairs(server, game.id)]
        scenes = [scene for _, scene in pairs]
        before = [*await _visible(server, scenes), _stored(server)]
        stranger = await Player.new(server)
        attack = _Attack(server, scale.requests)
        await attack.run(scenes, stranger.token)
        stranger.leave()
        after = [*await _visible(server, scenes), _stored(server)]
        for pair, scene in pairs:
            if scene.phase == "playing":  # play continues
                await pair.move()
            pair.leave()
    changed = sum(one != other for one, other in zip(before, after, strict=True))
    errors = server.log.read_bytes().count(b'"level":"error"')
    name = f"{scale.requests:,} bad requests of {len(KINDS)} kinds"
    failed, not_refused = attack.failed, attack.not_refused
    return [
        Figure(f"{name}: 5xx{_kinds(failed)}", failed.total(), "answers", 0, at_most=True),
        Figure(f"{name}: not refused{_kinds(not_refused)}", not_refused.total(), "answers", 0, at_most=True),
        Figure(f"{name}: errors in the log", errors, "lines", 0, at_most=True),
        Figure(f"{name}: tables or stored data changed", changed, "things", 0, at_most=True),
        Figure(f"{name}: growth of memory after a tenth", attack.growth, "%", GROWTH, at_most=True),
        Figure(f"{name}: sent a second", attack.rate, "requests/s"),
    ]


def _kinds(found: Counter[str]) -> str:
    kinds = sorted(+found)
    return f" ({', '.join(kinds)})" if kinds else ""


async def _pairs(server: Server, game: str) -> list[tuple[Pair, Scene]]:
    """Return a table that waits for another player, one in play, and one after the game."""
    opened, playing, over = (Pair(server, game, number, PATIENT) for number in range(3))
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


async def _visible(server: Server, scenes: Sequence[Scene]) -> list[bytes]:
    """Return everything that players and strangers can see of the tables."""
    with closing(await Connection.open(server.port)) as connection:
        return [
            (
                await connection.ask(
                    get(f"/api/tables/{scene.table}{what}", token, "Accept: application/json")
                )
            ).body
            for scene in scenes
            for token in ("", *scene.tokens)
            for what in ("", "/events?since=0", "/record")
        ]


def _stored(server: Server) -> bytes:
    """Return a digest of the database."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(f"{server.database.as_uri()}?mode=ro", uri=True)) as link:
        for line in link.iterdump():
            digest.update(line.encode())
    return digest.digest()


class _Attack:
    """Several connections that send bad requests, one after another each."""

    def __init__(self, server: Server, requests: int) -> None:
        self._server = server
        self._requests = requests
        self._sent = 0
        self._memory: list[float] = []
        # By kind: requests that the server could not handle, and those that it should have refused.
        self.failed: Counter[str] = Counter()
        self.not_refused: Counter[str] = Counter()
        self.rate = 0.0

    async def run(self, scenes: Sequence[Scene], stranger: str) -> None:
        """Send all requests."""
        started = now()
        async with asyncio.TaskGroup() as tasks:
            for seed in range(CONNECTIONS):
                tasks.create_task(self._send(BadRequests(scenes, stranger, seed)))
        self.rate = self._requests / (now() - started)

    @property
    def growth(self) -> float:
        """Growth of the server's memory from the second tenth to the last, in percent."""
        tenth = max(1, len(self._memory) // 10)
        early = self._memory[tenth : 2 * tenth] or self._memory
        return 100 * (quantile(self._memory[-tenth:], 0.5) / quantile(early, 0.5) - 1)

    async def _send(self, maker: BadRequests) -> None:
        connection = await Connection.open(self._server.port)
        while self._sent < self._requests:
            self._sent += 1
            if self._sent % max(1, self._requests // SAMPLES) == 0:
                self._memory.append(self._server.resident())
                progress(f"{self._sent:,} of {self._requests:,} bad requests")
            kind, bad = maker.make()
            if not connection.is_open:
                connection.close()
                connection = await Connection.open(self._server.port)
            status = await (self._send_alone(bad) if bad.is_alone else _ask(connection, bad))
            self._judge(kind, bad, status)
        connection.close()

    async def _send_alone(self, bad: Bad) -> int:
        """Send a request that its connection does not survive, and nothing after it."""
        reader, writer = await asyncio.open_connection(HOST, self._server.port)
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


async def _ask(connection: Connection, bad: Bad) -> int:
    try:
        return (await asyncio.wait_for(connection.ask(bad.request), PATIENCE)).status
    except (*DISCONNECTED, TimeoutError):
        connection.close()
        return HUNG_UP
