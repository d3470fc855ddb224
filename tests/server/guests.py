"""Guests: clients of a real server, for tests. One guest is one device."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from tests.waiting import PAUSE, wait_until
from upcard.core.entropy import random_bytes
from upcard.server.app import make_app
from upcard.server.config import Settings
from upcard.server.http.protocol import HttpProtocol
from upcard.server.http.rate_limit import RateLimits
from upcard.server.runtime.tables import Tables
from upcard.server.table.state import TableState

UNLIMITED = {
    "commands_per_second": 1e6,
    "burst": 1e6,
    "tables_per_minute": 1e6,
    "guesses_per_minute": 1e6,
    "max_streams_per_person": 1000,
}


# Long enough for any machine: these servers do not disconnect clients that are merely slow.
NEVER = 3600


class PatientProtocol(HttpProtocol):
    """A protocol that does not time out clients on a busy machine."""

    request_seconds = NEVER


class QuickUvicorn(uvicorn.Server):
    """Uvicorn checks ten times a second whether it should stop, and then waits for requests under way. This
    one is notified, and stops right away."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        # Set once it serves.
        self.ready = threading.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        self._stopped: asyncio.Event | None = None

    async def main_loop(self) -> None:
        """Serve until `stop` is called."""
        self.loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        await self.on_tick(0)
        self.ready.set()
        await self._stopped.wait()

    def start(self, thread: threading.Thread) -> None:
        """Start its thread, and return once it serves."""
        thread.start()
        wait_until(lambda: self.ready.is_set() or not thread.is_alive())
        assert self.ready.is_set(), "the server has not started"

    def stop(self) -> None:
        """Stop, from any thread."""
        assert self.loop is not None
        assert self._stopped is not None
        self.loop.call_soon_threadsafe(self._stopped.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections and the application."""
        for server in self.servers:
            server.close()
        for listening in sockets or ():
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        for task in list(self.server_state.tasks):
            task.cancel()
        await asyncio.gather(*self.server_state.tasks, return_exceptions=True)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for server in self.servers:
            await server.wait_closed()
        await self.lifespan.shutdown()


class Running:
    """A server that runs in a thread of this process. Its clock stands still until a test advances it, so no
    deadline passes because a machine is busy."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now = time.time()
        limits = RateLimits(settings, clock=lambda: self.now)
        self.app = make_app(settings, clock=lambda: self.now, limits=limits)
        config = uvicorn.Config(
            self.app,
            http=PatientProtocol,
            ws="none",
            port=0,
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=NEVER,
        )
        self.uvicorn = QuickUvicorn(config)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        async def main() -> None:
            self.loop = asyncio.get_running_loop()
            await self.uvicorn.serve()

        asyncio.run(main())

    @property
    def tables(self) -> Tables:
        tables: Tables = self.app.state.services.tables
        return tables

    @property
    def url(self) -> str:
        port = self.uvicorn.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def start(self) -> None:
        self.uvicorn.start(self.thread)

    def pass_time(self, seconds: float) -> None:
        """Let time pass at all tables."""
        passed = threading.Event()

        def move_on() -> None:
            self.now += seconds
            self.tables.reschedule_all()
            passed.set()

        assert self.loop is not None
        self.loop.call_soon_threadsafe(move_on)
        passed.wait()

    def state(self, table: str) -> TableState:
        """Return the state of a table while nothing is being written there."""
        assert self.loop is not None
        looked = asyncio.run_coroutine_threadsafe(self.tables.snapshot(table), self.loop)
        state: TableState = looked.result()[0]
        return state

    def settled(self, table: str) -> TableState:
        """Let the bots of a table move, and return its state when it is a person's turn."""
        while True:
            state = self.state(table)
            if state.bot_to_move is None:
                return state
            seq, due = state.seq, state.due
            if due is not None and due > self.now:
                self.pass_time(due - self.now)
            wait_until(lambda: self.state(table).seq > seq)  # noqa: B023 - it is called immediately

    def has_answered(self, table: str, seat: int) -> bool:
        """Whether a seat has answered in the open window, or that window is closed."""
        actor = self.tables.actors[table]
        return actor.state.window is None or seat in actor.notes

    def is_held(self, table: str, seat: int) -> bool:
        """Whether a seat has asked everyone to wait."""
        window = self.state(table).window
        return window is not None and seat in window.held_by

    def close_window(self, table: str) -> None:
        """Let the time pass until the window closes."""
        state = self.state(table)
        assert state.window is not None
        seq = state.seq
        self.pass_time(max(0.0, state.window.closes - self.now))
        wait_until(lambda: self.state(table).seq > seq)

    def stop(self) -> None:
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self.tables.begin_shutdown)
        self.uvicorn.stop()
        self.thread.join()


@contextlib.contextmanager
def running(folder: Path, **settings: Any) -> Iterator[Running]:
    """Run a server whose tables are in a folder."""
    flags = {"database": f"sqlite:///{folder}/tables.db", "secret": "x" * 40, "log_level": "error"}
    server = Running(Settings.of(flags | UNLIMITED | settings, {}))
    server.start()
    try:
        yield server
    finally:
        server.stop()


# No time limit: an answer that never arrives fails by the time limit of the test.
PATIENCE: float | None = None
# There is no TLS here, and loading certificates takes longer than many requests, hence no `verify`.


def get(url: str, **how: Any) -> httpx.Response:
    """Send a GET request without an identity."""
    return httpx.get(url, timeout=PATIENCE, verify=False, **how)


def post(url: str, **how: Any) -> httpx.Response:
    """Send a POST request without an identity."""
    return httpx.post(url, timeout=PATIENCE, verify=False, **how)


# All guests of a test, whose connections close after it (see conftest.py).
HERE: list[Guest] = []


class Guest:
    """A device with a token of its own."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, verify=False)
        HERE.append(self)
        self._numbers = itertools.count()
        self._name = random_bytes("guest", 4).hex()
        self.token = token or self.http.post("/api/session", json={}).json()["token"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def id(self) -> str:
        """Return a new id for a command."""
        return f"{self._name}-{next(self._numbers)}"

    def post(self, path: str, **fields: Any) -> httpx.Response:
        return self.http.post(path, json=fields)

    def open(self, game: str, players: int = 2, **fields: Any) -> str:
        """Set up a table, and return its name."""
        options = {"players": players, **fields.pop("options", {})}
        fields = {"pace": 0, "window_seconds": 0, "patience": "none", **fields}
        answer = self.post("/api/tables", id=self.id(), game=game, options=options, **fields)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["table"])

    def do(self, table: str, what: str, **fields: Any) -> httpx.Response:
        """Send a command."""
        return self.post(f"/api/tables/{table}/{what}", **{"id": self.id(), **fields})

    def sit(self, table: str, name: str, seat: int | None = None) -> dict[str, Any]:
        answer = self.do(table, "sit", name=name, share=random_bytes("share", 32).hex(), seat=seat)
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()["state"]
        return state

    def look(self, table: str) -> dict[str, Any]:
        answer = self.http.get(f"/api/tables/{table}")
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def news(self, table: str, since: int = 0) -> list[dict[str, Any]]:
        """Return everything since a number, page by page."""
        news: list[dict[str, Any]] = []
        more = True
        while more:
            answer = self.http.get(
                f"/api/tables/{table}/events",
                params={"since": news[-1]["seq"] if news else since},
                headers={"Accept": "application/json"},
            )
            assert answer.status_code == 200, answer.text
            news += answer.json()["news"]
            more = answer.json()["more"]
        return news

    @contextlib.contextmanager
    def stream(
        self, table: str, since: int | None = None, **parameters: str
    ) -> Iterator[Iterator[Projected]]:
        """Open a stream of events."""
        headers = {} if since is None else {"Last-Event-ID": str(since)}
        with self.http.stream(
            "GET", f"/api/tables/{table}/events", params=parameters, headers=headers
        ) as response:
            assert response.status_code == 200
            yield read_events(response.iter_lines())


class Projected:
    """One event of a stream."""

    def __init__(self, kind: str, seq: int | None, data: Any) -> None:
        self.kind = kind
        self.seq = seq
        self.data = data

    def __repr__(self) -> str:
        return f"Told({self.kind}, {self.seq}, {self.data})"


def read_events(lines: Iterator[str]) -> Iterator[Projected]:
    """Read server-sent events."""
    kind, seq, data = "message", None, ""
    for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "id":
            seq = int(value)
        elif name == "data":
            data = value
        elif line == "" and data:
            yield Projected(kind, seq, json.loads(data))
            kind, seq, data = "message", None, ""


def seated(url: str, game: str, players: int = 2, **fields: Any) -> tuple[str, list[Guest]]:
    """Open a table, and seat a guest at each seat."""
    guests = [Guest(url) for _ in range(players)]
    table = guests[0].open(game, players, **fields)
    for number, guest in enumerate(guests, 1):
        guest.sit(table, f"Guest {number}", number)
    return table, guests


def begun(url: str, game: str, players: int = 2, **fields: Any) -> tuple[str, list[Guest]]:
    """Open a table, let guests sit down, and start."""
    table, guests = seated(url, game, players, **fields)
    assert guests[0].do(table, "start").status_code == 200
    return table, guests


# Even a short game lasts longer than this, whatever the cards.
SOME_MOVES = 8


def play_on(table: str, guests: list[Guest], dice: random.Random, most: int = 10_000) -> dict[str, Any]:
    """Let guests play at random until the game is over, or for a number of moves. Return the state for the
    first of them once windows are closed and bots have moved."""
    turn = _turn(table, guests)
    for _ in range(most):
        if turn is None:
            break
        guest, state = turn
        answer = guest.do(table, "play", base=state["seq"], move=dice.choice(state["legal"]))
        assert answer.status_code == 200, answer.text
        state = answer.json()["state"]
        # Usually the last answer says who is next.
        turn = (guest, state) if state["legal"] else _turn(table, guests)
    return guests[0].look(table)


def _turn(table: str, guests: list[Guest]) -> tuple[Guest, dict[str, Any]] | None:
    """Wait until it is a guest's turn; return the guest and the state of the table. None: the game is
    over."""
    while (state := guests[0].look(table))["phase"] == "playing":
        seat = state["to_move"]
        if seat is not None and seat <= len(guests):
            mine = state if seat == state["you"] else guests[seat - 1].look(table)
            if mine["legal"]:
                return guests[seat - 1], mine
        time.sleep(PAUSE)  # a window, which closes on its own, or a bot
    return None


# States in which others are asked whether they block.
PILES = ("R1", "R2", "B1", "B2")


def asked(url: str, players: int = 3, **fields: Any) -> tuple[str, list[Guest], dict[str, Any]]:
    """Open tables until players are asked at one whether they block; return its state."""
    while True:
        table, guests = begun(url, "stacks", players, options={"block": "anytime"}, **fields)
        while (state := guests[0].look(table))["phase"] == "playing":
            if state["window"] is not None:
                return table, guests, state
            mover = guests[state["to_move"] - 1]
            legal = mover.look(table)["legal"]
            piles = [move for move in legal if move.split()[-1] in PILES]
            answer = mover.do(table, "play", base=state["seq"], move=(piles or legal)[0])
            assert answer.status_code == 200, answer.text
