"""Whenever a connection breaks, a viewer who reconnects knows exactly what everyone else knows."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server import guests
from tests.server.guests import Guest, running
from tests.server.soak import (
    Caller,
    House,
    begun,
    house,
    lay,
    let_quick_bots_play,
    quick_folder,
    run,
    settled,
    standing_clock,
    step,
    until,
)
from tests.server.soak_reader import Reader
from tests.server.tables import Tried, any_game, each_game
from tests.waiting import wait_until
from upcard.server.runtime import streams, watched_table
from upcard.server.runtime.streams import Stream
from upcard.server.runtime.watched_table import MAX_MISSED
from upcard.server.table import entries as log


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    let_quick_bots_play(monkeypatch)


class Viewer:
    """A viewer of a table whose connections break all the time."""

    def __init__(self, caller: Caller, table: str, states: bool) -> None:
        self.caller = caller
        self.table = table
        self.states = states
        self.reader = Reader()
        self.stream: Stream | None = None

    async def connect(self) -> None:
        """Connect, or reconnect."""
        self.stream = await self.caller.watch(self.table, self.reader.last, self.states)

    async def read(self, dice: random.Random) -> None:
        """Read what has arrived, but only up to some byte; the rest is lost with the connection."""
        data = await self._come_in()
        self.reader.take(data[: dice.randint(0, len(data))])
        self.hang_up()

    async def read_all(self) -> None:
        self.reader.take(await self._come_in())

    async def _come_in(self) -> bytes:
        assert self.stream is not None
        reading = asyncio.ensure_future(self.stream.read())
        await until(reading.done)
        return await reading

    def hang_up(self) -> None:
        assert self.stream is not None
        self.reader.break_off()
        self.stream.end()
        self.caller.house.tables.unwatch(self.table, self.stream)

    async def check(self) -> None:
        """Check that it knows exactly what the server does, and has received everything once."""
        state = await self.caller.look(self.table)
        reader = self.reader
        assert reader.last == state["seq"]
        since = state["seq"] - len(reader.seen)
        assert reader.seen == list(range(since + 1, state["seq"] + 1))
        assert reader.entries == await self.caller.news(self.table, since)
        assert reader.state is not None
        assert {key: state[key] for key in reader.state if key != "present"} == {
            key: told for key, told in reader.state.items() if key != "present"
        }
        assert reader.seats == state["seats"]


# Short games with many windows.
SHORT: dict[str, dict[str, Any]] = {
    "stockpile": {"stock": 5},
    "lines": {},
    "stacks": {"turn_limit": 15, "block": "anytime"},
}


async def break_off_at_every_event(place: House, game: str, players: int, seed: int) -> Counter[str]:
    """Play a game that everyone follows by connections that break at every event; return what was counted."""
    dice = random.Random(f"{game} {players} {seed}")
    table, callers = await begun(place, game, players, options=SHORT[game])
    spectator = await place.caller()
    viewers = [Viewer(caller, table, states) for caller in (*callers, spectator) for states in (True, False)]
    for viewer in viewers:
        viewer.reader.last = 0  # they follow everything from the beginning
        await viewer.connect()
    counts: Counter[str] = Counter(games=1)
    while (actor := await place.actor(table)).state.phase == "playing":
        before = actor.state.seq
        await step(place, table, callers, dice)
        if actor.state.seq > before:
            for viewer in viewers:
                await viewer.read(dice)
                await viewer.connect()
            counts["breaks"] += len(viewers)
    for viewer in viewers:
        await viewer.read_all()
        await viewer.check()
        assert viewer.reader.seen[0] == 1
        viewer.hang_up()
    counts["events"] += actor.state.seq
    return counts


async def games_with_breaks(game: str, players: int, seeds: range) -> Counter[str]:
    total: Counter[str] = Counter()
    for seed in seeds:
        with quick_folder() as folder:
            async with house(folder) as place:
                total += await break_off_at_every_event(place, game, players, seed)
    return total


@pytest.mark.parametrize("players", [2, 3])
@each_game
def test_a_connection_that_breaks_at_every_event_loses_and_doubles_nothing(game: str, players: int) -> None:
    counts = run(games_with_breaks(game, players, range(1)))
    assert counts["breaks"] > 50


@pytest.mark.soak
@each_game
def test_connections_that_break_at_every_event_of_a_thousand_games(game: str) -> None:
    total: Counter[str] = Counter()
    most = max(guests_of(game))
    for players in guests_of(game):
        total += run(games_with_breaks(game, players, range(334 // (most - 1) + 1)))
    print(f"resync: {game}, {total['games']} games, {total['events']} events, {total['breaks']} breaks")


def guests_of(game: str) -> range:
    """Return the numbers of players."""
    return {"stockpile": range(2, 5), "lines": range(2, 5), "stacks": range(2, 7)}[game]


@each_game
def test_a_spectator_misses_nothing_when_the_server_restarts(game: str) -> None:
    async def restart_often(folder: Path) -> None:
        dice, reader, table = random.Random(game), Reader(), ""
        tokens: list[tuple[str, str]] = []
        for _ in range(6):
            async with house(folder) as place:
                if not table:
                    table, made = await begun(place, game)
                    tokens = [(caller.token, caller.mark) for caller in made]
                callers = [Caller(place, *token) for token in tokens]
                viewer = Viewer(callers[0], table, states=True)
                viewer.reader = reader
                await viewer.connect()
                await viewer.read_all()
                await viewer.check()
                for _ in range(5):
                    await step(place, table, callers, dice)
                await callers[1].do(table, "say", phrase="wow")
                await viewer.read(dice)
        assert len(reader.seen) > 10

    with quick_folder() as folder:
        run(restart_often(folder))


@any_game
def test_over_sockets_too_a_broken_connection_resumes_where_it_was(game: str) -> None:
    dice, readers = random.Random(game), [Reader(), Reader()]
    with quick_folder() as folder, running(folder) as server:
        table, players = guests.begun(server.url, game)
        viewers = [players[1], Guest(server.url)]
        for _ in range(25):
            guests.play_on(table, players, dice, most=1)
            for reader, guest in zip(readers, viewers, strict=True):
                read_one(reader, guest, table)
        for reader in readers:
            assert reader.seen == list(range(2, 2 + len(reader.seen)))
            assert len(reader.seen) == min(25, players[0].look(table)["seq"] - 1)


def read_one(reader: Reader, guest: Guest, table: str) -> None:
    """Connect, read one event with a number, and break off."""
    if reader.last is None:
        reader.last = 1
    with guest.stream(table, reader.last) as told:
        event = next(told)
        assert event.seq is not None
        if event.kind == "message":
            reader.entries.append(event.data)
        reader.last = event.seq


# Slow readers


@pytest.fixture
def little_waits(monkeypatch: pytest.MonkeyPatch) -> int:
    """Lower the limit of bytes that wait for a reader, so that a test can reach it quickly; return the
    limit."""
    monkeypatch.setattr(streams, "MAX_WAITING", 32 * 1024)
    return streams.MAX_WAITING


@pytest.mark.parametrize("missed", [MAX_MISSED, MAX_MISSED + 1])
def test_a_client_that_missed_too_much_gets_the_state_alone(missed: int) -> None:
    """Missed entries are prepared and kept in memory for a client, so they are limited; the state is not."""

    async def come_late(folder: Path) -> None:
        async with house(folder) as place:
            table = Tried("lines")
            table.now = standing_clock().now
            table.start()
            table.write([log.Said(1, "well_played")] * (missed - table.state.seq))
            callers = [await place.caller() for _ in range(2)]
            name = await lay(place, table, callers)
            reader = Reader()
            reader.begin(await callers[0].watch(name, 0))
            await settled()
            assert reader.last == table.state.seq
            assert reader.seen == (list(range(1, missed + 1)) if missed <= MAX_MISSED else [])
            assert len(await callers[1].news(name)) == missed

    with quick_folder() as folder:
        run(come_late(folder))


def test_streams_that_nobody_reads_take_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Missed entries count towards the limit of a stream like everything else."""
    monkeypatch.setattr(watched_table, "MAX_MISSED_BYTES", 4096)

    async def watch_without_reading(folder: Path) -> None:
        async with house(folder) as place:
            table = Tried("lines")
            table.now = standing_clock().now
            table.start()
            table.write([log.Said(1, "well_played")] * 150)
            name = await lay(place, table, [await place.caller() for _ in range(2)])
            streams = [await place.tables.watch(name, None, f"10.0.0.{n}", 0, True) for n in range(20)]
            state = len((await streams[0].read()).partition(b"event: state")[2])
            waiting = [len(await stream.read()) for stream in streams[1:]]
            assert max(waiting) < 4096 + 2 * state

    with quick_folder() as folder:
        run(watch_without_reading(folder))


@pytest.mark.usefixtures("little_waits")
def test_a_client_that_reads_too_slowly_is_cut_off_and_can_come_back() -> None:
    with quick_folder() as folder, running(folder) as server:
        table, players = guests.begun(server.url, "stacks", 6)
        with contextlib.closing(reading_slowly(server, players[1], table)) as slow:
            said = 0
            while server.tables.stream_quota:
                assert players[0].do(table, "say", phrase="hello").status_code == 200
                said += 1
                assert said < 10_000, "nobody is ever cut off"
            wait_until(lambda: not is_connected(server, slow))
            reader = Reader()
            read_to_the_end(slow, reader)
        last = server.state(table).seq
        assert reader.seen == list(range(1, 1 + len(reader.seen)))
        assert len(reader.seen) < last
        with players[1].stream(table, reader.last or 0) as told:
            while (event := next(told)).kind == "message":
                reader.entries.append(event.data)
        assert reader.seen == list(range(1, last + 1))


def is_connected(server: guests.Running, client: socket.socket) -> bool:
    """Whether the server still has the connection of a client."""
    connections = list(server.uvicorn.server_state.connections)
    peers = [connection.transport.get_extra_info("peername") for connection in connections]
    return client.getsockname() in peers


def reading_slowly(server: guests.Running, guest: Guest, table: str) -> socket.socket:
    """Open a stream over a connection with the smallest buffers, and read nothing from it."""
    for listening in server.uvicorn.servers[0].sockets:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    url = httpx.URL(server.url)
    slow.connect((url.host, url.port or 80))
    slow.sendall(
        f"GET /api/tables/{table}/events?since=0 HTTP/1.1\r\nHost: {url.host}\r\n"
        f"Authorization: Bearer {guest.token}\r\n\r\n".encode()
    )
    wait_until(lambda: bool(server.tables.stream_quota))
    return slow


def read_to_the_end(slow: socket.socket, reader: Reader) -> None:
    """Read what was still sent to a client that was cut off."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while part := slow.recv(65_536):
            data += part
    reader.take(without_chunks(data.partition(b"\r\n\r\n")[2]))


def without_chunks(data: bytes) -> bytes:
    """Join a chunked body, whose last chunk may be incomplete."""
    whole = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        if not size:
            break
        length = int(size, 16)
        whole, data = whole + data[:length], data[length + 2 :]
    return whole
