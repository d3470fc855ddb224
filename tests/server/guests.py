"""Guests: clients of a real server, for tests. One guest is one device."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from upcard.server.app import make_app
from upcard.server.config import Settings
from upcard.server.door import Door
from upcard.server.hall import Hall

UNLIMITED = {
    "commands_per_second": 1e6,
    "burst": 1e6,
    "tables_per_minute": 1e6,
    "guesses_per_minute": 1e6,
    "max_streams_per_person": 1000,
}


class Running:
    """A server that runs in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.app = make_app(settings)
        config = uvicorn.Config(
            self.app,
            http=Door,
            ws="none",
            port=0,
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
        self.uvicorn = uvicorn.Server(config)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        async def main() -> None:
            self.loop = asyncio.get_running_loop()
            await self.uvicorn.serve()

        asyncio.run(main())

    @property
    def hall(self) -> Hall:
        hall: Hall = self.app.state.server.hall
        return hall

    @property
    def url(self) -> str:
        port = self.uvicorn.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def start(self) -> None:
        self.thread.start()
        while not self.uvicorn.started:
            assert self.thread.is_alive(), "the server has not started"
            self.thread.join(0.005)

    def stop(self) -> None:
        assert self.loop is not None
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self.hall.say_goodbye)
        self.uvicorn.should_exit = True
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


# So many seconds may an answer take: on a busy machine that is long.
PATIENCE = 60


def get(url: str, **how: Any) -> httpx.Response:
    """Ask as somebody whom the server does not know."""
    return httpx.get(url, timeout=PATIENCE, **how)


def post(url: str, **how: Any) -> httpx.Response:
    """Send something as somebody whom the server does not know."""
    return httpx.post(url, timeout=PATIENCE, **how)


# Everybody who came in a test; they go when it is over (see conftest.py).
HERE: list[Guest] = []


class Guest:
    """A device with a token of its own."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.http = httpx.Client(base_url=url, timeout=PATIENCE, verify=False)
        HERE.append(self)
        self._numbers = itertools.count()
        self._name = secrets.token_hex(4)
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
        answer = self.do(table, "sit", name=name, share=secrets.token_hex(32), seat=seat)
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()["state"]
        return state

    def look(self, table: str) -> dict[str, Any]:
        answer = self.http.get(f"/api/tables/{table}")
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def news(self, table: str, since: int = 0) -> list[dict[str, Any]]:
        """Return all that happened since a number."""
        answer = self.http.get(
            f"/api/tables/{table}/events", params={"since": since}, headers={"Accept": "application/json"}
        )
        assert answer.status_code == 200, answer.text
        news: list[dict[str, Any]] = answer.json()["news"]
        return news

    @contextlib.contextmanager
    def stream(self, table: str, since: int | None = None, **parameters: str) -> Iterator[Iterator[Told]]:
        """Open a stream of events."""
        headers = {} if since is None else {"Last-Event-ID": str(since)}
        with self.http.stream(
            "GET", f"/api/tables/{table}/events", params=parameters, headers=headers
        ) as response:
            assert response.status_code == 200
            yield read_events(response.iter_lines())


class Told:
    """One event of a stream."""

    def __init__(self, kind: str, seq: int | None, data: Any) -> None:
        self.kind = kind
        self.seq = seq
        self.data = data

    def __repr__(self) -> str:
        return f"Told({self.kind}, {self.seq}, {self.data})"


def read_events(lines: Iterator[str]) -> Iterator[Told]:
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
            yield Told(kind, seq, json.loads(data))
            kind, seq, data = "message", None, ""


def seated(url: str, game: str, players: int = 2, **fields: Any) -> tuple[str, list[Guest]]:
    """Open a table, and let a guest sit at each seat."""
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


# No game is over after so few moves, whatever the cards.
SOME_MOVES = 8


def play_on(table: str, guests: list[Guest], dice: random.Random, most: int = 10_000) -> dict[str, Any]:
    """Let guests play at random until the game is over; return how it stands for the first of them."""
    for _ in range(most):
        state = guests[0].look(table)
        if state["phase"] != "playing":
            break
        if state["to_move"] is None or state["to_move"] > len(guests):
            continue  # a window, which closes by itself, or a bot
        guest = guests[state["to_move"] - 1]
        mine = guest.look(table)
        if mine["legal"]:
            answer = guest.do(table, "play", base=mine["seq"], move=dice.choice(mine["legal"]))
            assert answer.status_code in (200, 409), answer.text
    return guests[0].look(table)
