"""Pairs of players, each with a connection for commands and a stream, that play at random."""

from __future__ import annotations

__all__ = ["DEFAULTS", "MOVES", "PATIENT", "Made", "Pair", "Player", "State", "a_few_at_a_time", "play"]

import asyncio
import contextlib
import functools
import random
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from benchmarks.server.http import DISCONNECTED, JSON, Answer, Connection, Event, Stream, get, post
from benchmarks.server.process import Server
from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError

# Average time until an unanswered request is sent again, in seconds.
RETRY = 0.25
# A table with default settings, but without waiting for answers out of turn, and nearly endless patience.
DEFAULTS: Mapping[str, Any] = {"patience_seconds": 86_400, "window_seconds": 0}
# A table at which nothing happens unless players do something.
PATIENT: Mapping[str, Any] = {**DEFAULTS, "patience": "none"}
# Approximate number of moves in a random game for two.
MOVES = {"stockpile": 77, "lines": 18, "stacks": 135}
# Tables that are set up, or looked at, at the same time.
AT_A_TIME = 24

write = msgspec.json.Encoder().encode


class State(msgspec.Struct, frozen=True):
    """The part of a table's state that players need."""

    seq: int
    phase: str
    legal: list[str]


class _Done(msgspec.Struct, frozen=True):
    seq: int
    state: State


_read_state = msgspec.json.Decoder(State).decode
_read_done = msgspec.json.Decoder(_Done).decode


class Made(NamedTuple):
    """A move that was acknowledged."""

    seq: int
    seat: int
    id: str
    move: str


class Player:
    """One device. It sends a request again until the request is answered."""

    def __init__(self, server: Server, mark: str, token: str, connection: Connection) -> None:
        self._server = server
        self._connection = connection
        self._stream: Stream | None = None
        self._listening: asyncio.Task[None] | None = None
        # The server's name for this player, and the token that identifies it.
        self.mark = mark
        self.token = token
        # Number of requests that were cut off and sent again.
        self.repeats = 0

    @classmethod
    async def new(cls, server: Server) -> Player:
        """Register with the server."""
        connection = await Connection.open(server.port)
        answer = msgspec.json.decode((await connection.ask(post("/api/session", b"{}"))).body)
        return cls(server, answer["mark"], answer["token"], connection)

    async def ask(self, request: bytes) -> Answer:
        """Send a request, and again if the server is not there."""
        while True:
            if self._connection.is_open:
                try:
                    return await self._connection.ask(request)
                except DISCONNECTED:
                    self.repeats += 1
            self._connection.close()
            try:
                self._connection = await Connection.open(self._server.port)
            except OSError:
                await _pause()

    async def do(self, path: str, fields: Mapping[str, object], wanted: int = 200) -> bytes:
        """Send a command that must succeed, and return the answer."""
        return _expected(path, await self.ask(post(path, write(fields), self.token)), wanted)

    async def get(self, path: str) -> bytes:
        """Return a JSON document."""
        return _expected(path, await self.ask(get(path, self.token, JSON)))

    async def listen(self, table: str, hear: Callable[[Event], None]) -> None:
        """Open the stream of a table in place of another one. A stream that breaks is opened again."""
        self._stop_listening()
        stream = await self._opened(table, 0)
        self._listening = asyncio.create_task(self._hear(stream, table, hear))

    async def _hear(self, stream: Stream, table: str, hear: Callable[[Event], None]) -> None:
        known = 0
        while True:
            with contextlib.suppress(*DISCONNECTED):
                async for event in stream:
                    known = event.number or known
                    hear(event)
            stream = await self._opened(table, known)

    async def _opened(self, table: str, known: int) -> Stream:
        request = get(f"/api/tables/{table}/events", self.token, f"Last-Event-ID: {known}")
        while True:
            self._stop_stream()
            with contextlib.suppress(*DISCONNECTED):
                self._stream = await Stream.open(self._server.port)
                await self._stream.start(request)
                return self._stream
            await _pause()

    def _stop_listening(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            self._listening = None
        self._stop_stream()

    def _stop_stream(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def leave(self) -> None:
        """Close all connections."""
        self._stop_listening()
        self._connection.close()


async def _pause() -> None:
    """Wait, not all players for the same time, as browsers do."""
    await asyncio.sleep(RETRY * random.uniform(0.75, 1.25))


def _expected(path: str, answer: Answer, wanted: int = 200) -> bytes:
    if answer.status != wanted:
        raise UpcardError(f"{path} was answered by {answer.status}: {answer.body.decode()[:300]}")
    return answer.body


class Pair:
    """Two players at one table after another."""

    def __init__(self, server: Server, game: str, number: int, setup: Mapping[str, Any] = DEFAULTS) -> None:
        self.server = server
        self.game = game
        self.number = number
        self.table = ""
        self.over = False
        self.players: list[Player] = []
        # The seat that can move, and the state that it sees; None while neither can.
        self.turn: tuple[int, State] | None = None
        self._setup = setup
        self._dice = random.Random(number)
        self._commands = 0
        # For each seat, moves that its stream has not shown yet: their base, and what to call.
        self._unheard: tuple[deque[tuple[int, Callable[[], None]]], ...] = (deque(), deque())
        # The newest number that either player knows, and the one that the last move is based on.
        self._seq = 0
        self._acted = 0
        self._changed = asyncio.Event()

    async def arrive(self) -> None:
        """Register with the server."""
        self.players = [await Player.new(self.server) for _ in range(2)]

    def leave(self) -> None:
        """Close all connections."""
        for player in self.players:
            player.leave()

    async def open(self) -> None:
        """Set up a new table."""
        opening = {"id": self._id(), "game": self.game, "options": {"players": 2}, **self._setup}
        self.table = msgspec.json.decode(await self.players[0].do("/api/tables", opening, 201))["table"]
        self.over, self.turn = False, None
        self._seq = self._acted = 0

    async def sit_down(self) -> None:
        """Set up a new table, and begin to play."""
        await self.open()
        for seat in (1, 2):
            await self.sit(seat)
        self._learn(1, (await self._do(1, "start")).state)

    async def sit(self, seat: int) -> None:
        """Let a player take a seat, and open its stream."""
        share = random_bytes("share", 32).hex()
        await self._do(seat, "sit", name=f"Player {seat}", share=share, seat=seat)
        await self.players[seat - 1].listen(self.table, functools.partial(self._hear, seat))

    async def is_to_move(self) -> bool:
        """Wait until one of them can move; return False if the game is over."""
        while self.turn is None and not self.over:
            self._changed.clear()
            await self._changed.wait()
        return not self.over

    async def move(self, heard: Callable[[], None] | None = None) -> Made:
        """Make a random move, and return when it is acknowledged. `heard` is called when the other player's
        stream shows it."""
        assert self.turn is not None
        (seat, state), self.turn = self.turn, None
        self._acted = state.seq
        if heard is not None:
            self._unheard[2 - seat].append((state.seq, heard))
        move = self._dice.choice(state.legal)
        done = await self._do(seat, "play", base=state.seq, move=move)
        self._learn(seat, done.state)
        return Made(done.seq, seat, str(self._commands), move)

    async def _do(self, by: int, what: str, **fields: object) -> _Done:
        path = f"/api/tables/{self.table}/{what}"
        return _read_done(await self.players[by - 1].do(path, {"id": self._id(), **fields}))

    def _id(self) -> str:
        self._commands += 1
        return str(self._commands)

    def _hear(self, seat: int, event: Event) -> None:
        if event.kind == b"state":
            self._learn(seat, _read_state(event.data))
        elif event.number is not None:
            unheard = self._unheard[seat - 1]
            while unheard and unheard[0][0] < event.number:
                unheard.popleft()[1]()

    def _learn(self, seat: int, state: State) -> None:
        """Take over a state, unless a newer one is known."""
        if state.seq < self._seq or state.seq <= self._acted:
            return
        self._seq = state.seq
        self.over = state.phase == "over"
        if state.legal and not self.over:
            self.turn = seat, state
        self._changed.set()


async def play(pair: Pair, moves: int | None = None) -> list[Made]:
    """Let a pair make some moves, or play to the end; return the moves."""
    made: list[Made] = []
    while (moves is None or len(made) < moves) and await pair.is_to_move():
        made.append(await pair.move())
    return made


async def a_few_at_a_time(work: Iterable[Awaitable[object]]) -> None:
    """Do all pieces of some work, a few at a time."""
    waiting = iter(work)

    async def worker() -> None:
        for piece in waiting:
            await piece

    async with asyncio.TaskGroup() as tasks:
        for _ in range(AT_A_TIME):
            tasks.create_task(worker())
