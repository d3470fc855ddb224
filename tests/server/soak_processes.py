"""Real servers in processes that tests kill, and clients that cope with that."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from tests.cli.running import command
from tests.server.guests import PILES, UNLIMITED, Guest, get
from tests.server.soak_reader import Reader
from tests.waiting import PAUSE, wait_until

# The server stops, is overloaded, or did not receive the whole request in time.
LATER = (408, 503)


class Serving:
    """`upcard serve`: one node. It has a different port after each start."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self._log = folder / "log"
        given = {"database": f"sqlite:///{folder}/tables.db", "secret": "x" * 40, "port": 0}
        settings = given | UNLIMITED | {"log_level": "warning"} | settings
        self._environment = {f"UPCARD_{name.upper()}": str(value) for name, value in settings.items()}
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def __enter__(self) -> Serving:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._end(signal.SIGTERM if error is None else signal.SIGKILL)

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        """Start it, and return once it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command("serve"),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | self._environment,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("Upcard is at "), self._log.read_text()
        self.url = line.split()[3]
        assert get(f"{self.url}/healthz").status_code == 200

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it cleanly, and return its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        assert process is not None
        try:
            process.send_signal(how)
            process.wait()
        finally:
            process.kill()
            code = process.wait()
            assert process.stdout is not None
            process.stdout.close()
        return code


class Device:
    """A guest of several nodes, some of which may be gone: a command is repeated until it is answered."""

    def __init__(self, nodes: list[Serving], token: str | None = None) -> None:
        self._nodes = nodes
        self._guest = Guest(nodes[0].url, token)
        self._guest.http.headers["Accept"] = "application/json"
        # How often a request was repeated because there was no answer.
        self.retries = 0
        # The answers are no longer awaited.
        self.given_up = False

    @property
    def token(self) -> str:
        return self._guest.token

    def close(self) -> None:
        """Close the connections."""
        self._guest.http.close()

    def ask(self, path: str, fields: dict[str, Any] | None = None) -> httpx.Response:
        """Repeat a request until there is an answer, each time at another node."""
        http = self._guest.http
        while not self.given_up:
            http.base_url = self._nodes[0].url
            with contextlib.suppress(httpx.TransportError):
                answer = http.get(path) if fields is None else http.post(path, json=fields)
                if answer.status_code not in LATER:
                    return answer
            self.retries += 1
            self._nodes = [*self._nodes[1:], self._nodes[0]]
            time.sleep(PAUSE)
        raise AssertionError(f"nobody waits for an answer to {path} any more")

    def open(self, game: str, players: int, **fields: Any) -> str:
        return self._guest.open(game, players, **fields)

    def id(self) -> str:
        """Return a new id for a command."""
        return self._guest.id()

    def do(self, table: str, what: str, **fields: Any) -> httpx.Response:
        """Send a command until it is answered."""
        return self.ask(f"/api/tables/{table}/{what}", {"id": self.id(), **fields})

    def look(self, table: str) -> Any:
        return self.ask(f"/api/tables/{table}").json()

    def news(self, table: str) -> list[dict[str, Any]]:
        news: list[dict[str, Any]] = []
        more = True
        while more:
            last = news[-1]["seq"] if news else 0
            page = self.ask(f"/api/tables/{table}/events?since={last}").json()
            news += page["news"]
            more = page["more"]
        return news


def seated_at(nodes: list[Serving], game: str, players: int = 2, **fields: Any) -> tuple[str, list[Device]]:
    """Let devices sit down at a table, each of which asks another node first."""
    turns = [nodes[seat % len(nodes) :] + nodes[: seat % len(nodes)] for seat in range(players)]
    devices = [Device(turn) for turn in turns]
    table = devices[0].open(game, players, **fields)
    for number, seat in enumerate(devices[0].look(table)["seats"], 1):
        if seat["kind"] == "free":
            share = random.Random(number).randbytes(32).hex()
            sat = devices[number - 1].do(table, "sit", name=f"Guest {number}", share=share, seat=number)
            assert sat.status_code == 200, sat.text
    return table, devices


def begun_at(nodes: list[Serving], game: str, players: int = 2, **fields: Any) -> tuple[str, list[Device]]:
    """Start a game between devices, each of which asks another node first."""
    table, devices = seated_at(nodes, game, players, **fields)
    started = devices[0].do(table, "start")
    assert started.status_code == 200, started.text
    return table, devices


def asked_at(nodes: list[Serving], players: int = 3, **fields: Any) -> tuple[str, list[Device]]:
    """Open tables until players are asked at one whether they block."""
    while True:
        table, devices = begun_at(nodes, "stacks", players, options={"block": "anytime"}, **fields)
        while (state := devices[0].look(table))["phase"] == "playing":
            if state["window"] is not None:
                return table, devices
            mover = devices[state["to_move"] - 1]
            legal = mover.look(table)["legal"]
            piles = [move for move in legal if move.split()[-1] in PILES]
            mover.do(table, "play", base=state["seq"], move=(piles or legal)[0])


class Players(threading.Thread):
    """All players of one table, who play at random: a number of moves, or in a thread of their own until they
    are stopped, or until the end."""

    def __init__(self, nodes: list[Serving], game: str, seed: int, players: int = 2) -> None:
        super().__init__(name=f"players of {game}")
        self.table, self.devices = begun_at(nodes, game, players)
        self.stopping = threading.Event()
        # Every acknowledged move: its number, its player, and its notation.
        self.moves: list[tuple[int, int, str]] = []
        # The last of them, as it was sent.
        self._sent: dict[str, Any] = {}
        self._dice = random.Random(seed)
        self._problem: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.stopping.is_set() and self._play():
                pass
        except BaseException as error:
            self._problem = error

    def play(self, moves: int) -> None:
        """Make a number of moves, one after another."""
        wanted = len(self.moves) + moves
        wait_until(lambda: not self._play() or len(self.moves) == wanted)
        assert len(self.moves) == wanted, "the game is over too soon"

    def repeat(self) -> None:
        """Repeat the last move, like a device that did not get an answer: it must count only once."""
        last, seat, _ = self.moves[-1]
        again = self.devices[seat - 1].do(self.table, "play", **self._sent)
        assert (again.status_code, again.json()["seq"]) == (200, last), again.text

    def _play(self) -> bool:
        """Let the player to move do so; return whether the game continues."""
        state = self.devices[0].look(self.table)
        if state["phase"] != "playing":
            return False
        seat = state["to_move"]
        if seat is None:
            return True  # a window, which closes on its own
        if seat > 1:
            state = self.devices[seat - 1].look(self.table)
        if not state["legal"]:
            return True  # another node does not know the last move yet
        device, move = self.devices[seat - 1], self._dice.choice(state["legal"])
        sent = {"id": device.id(), "base": state["seq"], "move": move}
        answer = device.do(self.table, "play", **sent)
        assert answer.status_code in (200, 409), answer.text
        if answer.status_code == 200:
            self.moves.append((answer.json()["seq"], seat, move))
            self._sent = sent
        return True

    @property
    def retries(self) -> int:
        """The number of repeated requests."""
        return sum(device.retries for device in self.devices)

    def check(self) -> int:
        """Check that the log contains exactly the acknowledged moves, each once, and close the connections;
        return the number of the last entry."""
        if self._problem is not None:
            raise self._problem
        if self.moves:
            # The node that answers may not be the one that made the last move.
            last = self.moves[-1][0]
            wait_until(lambda: self.devices[0].look(self.table)["seq"] >= last)
        news = self.devices[0].news(self.table)
        assert [entry["seq"] for entry in news] == list(range(1, len(news) + 1))
        moved = [(entry["seq"], entry["seat"], entry["move"]) for entry in news if entry["kind"] == "moved"]
        assert moved == self.moves
        for device in self.devices:
            device.close()
        return len(news)


def moves_of(tables: list[Players]) -> int:
    """Return the number of acknowledged moves."""
    return sum(len(players.moves) for players in tables)


def wait_for_moves(tables: list[Players], wanted: int) -> None:
    """Wait until a number of moves were acknowledged, or all games are over."""
    wait_until(lambda: moves_of(tables) >= wanted or not any(players.is_alive() for players in tables))


@contextlib.contextmanager
def playing(tables: list[Players]) -> Iterator[None]:
    """Let them play, and stop them in the end."""
    for table in tables:
        table.start()
    try:
        yield
    except BaseException:
        for device in (device for table in tables for device in table.devices):
            device.given_up = True
        raise
    finally:
        for table in tables:
            table.stopping.set()
        for table in tables:
            table.join()


class Follower(threading.Thread):
    """A device that watches a table, and reconnects whenever it is cut off."""

    def __init__(self, node: Serving, token: str, table: str, states: bool = True) -> None:
        super().__init__(name="follower")
        self.reader = Reader()
        # How often it has connected.
        self.connections = 0
        self._node = node
        self._token = token
        self._path = f"/api/tables/{table}/events{'' if states else '?states=no'}"
        self._stopping = threading.Event()
        self._line: socket.socket | None = None

    def __enter__(self) -> Follower:
        self.start()
        wait_until(lambda: self.reader.state is not None)
        return self

    def __exit__(self, *_error: object) -> None:
        self._stopping.set()
        while self.is_alive():
            if self._line is not None:
                with contextlib.suppress(OSError):
                    self._line.shutdown(socket.SHUT_RDWR)  # the reader gets the exception
            self.join(PAUSE)

    def run(self) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                self._follow()
            self.reader.break_off()
            time.sleep(PAUSE)

    def _follow(self) -> None:
        url = httpx.URL(self._node.url)
        connection = http.client.HTTPConnection(url.host, url.port)
        headers = {"Authorization": f"Bearer {self._token}"}
        if self.reader.last is not None:
            headers["Last-Event-ID"] = str(self.reader.last)
        try:
            connection.connect()
            self._line = connection.sock
            connection.request("GET", self._path, headers=headers)
            response = connection.getresponse()
            if response.status == 200:
                self.connections += 1
                while data := response.read1(65_536):
                    self.reader.take(data)
        finally:
            connection.close()

    def has(self, **wanted: Any) -> bool:
        """Whether a matching event has arrived."""
        return any(wanted.items() <= entry.items() for entry in list(self.reader.entries))

    def wait(self, **wanted: Any) -> None:
        """Wait until a matching event arrives."""
        wait_until(lambda: self.has(**wanted))
