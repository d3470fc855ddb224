"""Players: pairs of devices, each with a connection for commands and a stream, that play at random."""

from __future__ import annotations

__all__ = ["PATIENT", "USUAL", "Made", "Pair", "Player", "State"]

import asyncio
import contextlib
import functools
import random
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError
from upcard.lab.bench.server.house import House
from upcard.lab.bench.server.http import Answer, Hear, Line, Listener, get, post

# Who is not answered tries again after about so many seconds: as with our pages, not all at the same time.
RETRY = 0.25
# A table with everything as usual, but that nobody waits for answers out of turn, and that nobody loses
# patience (though it is looked after, as at all tables).
USUAL: Mapping[str, Any] = {"patience_seconds": 86_400, "window_seconds": 0}
# The same, and nobody is looked after: as long as nobody does anything, nothing happens.
PATIENT: Mapping[str, Any] = {**USUAL, "patience": "none"}

write = msgspec.json.Encoder().encode


class State(msgspec.Struct, frozen=True):
    """How a table stands for one of them, as far as it matters here."""

    seq: int
    phase: str
    legal: list[str]


class _Done(msgspec.Struct, frozen=True):
    """The answer to a command."""

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
    """One device. What is not answered is sent again, until it is."""

    def __init__(self, house: House, mark: str, token: str, line: Line) -> None:
        self._house = house
        self._line = line
        # Whom the server writes down, and what the device shows.
        self.mark = mark
        self.token = token
        # How many requests were cut off, and sent again.
        self.repeats = 0
        self._stream: Listener | None = None
        self._reopening: asyncio.Future[None] | None = None
        # The table that the stream is to tell of, and the last number that it told.
        self._table = ""
        self._known = 0

    @classmethod
    async def new(cls, house: House) -> Player:
        """Become known to the server."""
        line = await Line.to(house.host, house.port)
        answer = msgspec.json.decode((await line.ask(post("/api/session", b"{}"))).body)
        return cls(house, answer["mark"], answer["token"], line)

    async def ask(self, request: bytes) -> Answer:
        """Send a request, again and again if the server is gone."""
        while True:
            if self._line.is_open:
                try:
                    return await self._line.ask(request)
                except ConnectionError:
                    self.repeats += 1
            try:
                self._line = await Line.to(self._house.host, self._house.port)
            except OSError:
                await _pause()

    async def do(self, path: str, fields: Mapping[str, object], wanted: int = 200) -> bytes:
        """Send a command that must succeed, and return the answer."""
        return _expected(path, await self.ask(post(path, write(fields), self.token)), wanted)

    async def get(self, path: str) -> bytes:
        """Return what is told as JSON."""
        return _expected(path, await self.ask(get(path, self.token, "Accept: application/json")))

    async def listen(self, table: str, hear: Hear) -> None:
        """Open the stream of a table instead of another; if it breaks, it is opened again."""

        def heard(number: int | None, kind: bytes, data: bytes) -> None:
            self._known = number or self._known
            hear(number, kind, data)

        self._hang_up()
        self._table, self._known = table, 0
        await self._open(table, heard)

    async def _open(self, table: str, hear: Hear) -> None:
        while self._table == table:
            request = get(f"/api/tables/{table}/events", self.token, f"Last-Event-ID: {self._known}")
            again = functools.partial(self._reopen, table, hear)
            try:
                stream = await Listener.to(self._house.host, self._house.port, request, hear, again)
            except OSError:
                await _pause()
                continue
            if self._table == table:
                self._stream = stream
                return
            stream.close()

    def _reopen(self, table: str, hear: Hear) -> None:
        self._stream = None
        self._reopening = asyncio.ensure_future(self._open(table, hear))

    def _hang_up(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def leave(self) -> None:
        """Close all connections."""
        if self._reopening is not None:
            self._reopening.cancel()
        self._table = ""
        self._hang_up()
        self._line.close()


async def _pause() -> None:
    await asyncio.sleep(RETRY * random.uniform(0.75, 1.25))


def _expected(path: str, answer: Answer, wanted: int = 200) -> bytes:
    if answer.status != wanted:
        raise UpcardError(f"{path} was answered by {answer.status}: {answer.body.decode()[:300]}")
    return answer.body


# The number that a move was based on, and what is to be done when it is heard.
_Unheard = tuple[int, Callable[[], None]]


class Pair:
    """Two players at one table after another."""

    def __init__(self, house: House, game: str, number: int, setup: Mapping[str, Any] = USUAL) -> None:
        self.house = house
        self.game = game
        self.number = number
        self.table = ""
        self.over = False
        self.players: list[Player] = []
        # What the stream of each has not told yet.
        self._unheard: tuple[deque[_Unheard], deque[_Unheard]] = deque(), deque()
        self._setup = setup
        self._dice = random.Random(number)
        self._commands = 0
        # The last number that anybody was told, and the one that the last move is based on.
        self._seq = 0
        self._acted = 0
        # Who can move, and how it stands for them; None while nobody can.
        self.turn: tuple[int, State] | None = None
        self._changed: asyncio.Future[None] | None = None

    async def arrive(self) -> None:
        """Become known to the server."""
        self.players = [await Player.new(self.house) for _ in range(2)]

    def leave(self) -> None:
        """Close all connections."""
        for player in self.players:
            player.leave()

    async def open(self) -> None:
        """Set up a new table."""
        opening = {"id": self._id(), "game": self.game, "options": {"players": 2}, **self._setup}
        opened = msgspec.json.decode(await self.players[0].do("/api/tables", opening, 201))
        self.table, self.over = opened["table"], False
        self._seq = self._acted = 0
        self.turn = None

    async def sit_down(self) -> None:
        """Set up a new table, and begin to play."""
        await self.open()
        for seat in (1, 2):
            await self.sit(seat)
        self._learn(1, (await self._do(self.players[0], "start")).state)

    async def sit(self, seat: int) -> None:
        """Let one of them sit down, and listen to what happens."""
        player, share = self.players[seat - 1], random_bytes("share", 32).hex()
        await self._do(player, "sit", name=f"Player {seat}", share=share, seat=seat)
        await player.listen(self.table, functools.partial(self._hear, seat))

    async def is_to_move(self) -> bool:
        """Wait until one of them can move; say no if the game is over."""
        while self.turn is None and not self.over:
            self._changed = asyncio.get_running_loop().create_future()
            await self._changed
        return not self.over

    async def move(self, heard: Callable[[], None] | None = None) -> Made:
        """Make any move, and return when it is acknowledged; `heard` is called when the other player's stream
        has it."""
        assert self.turn is not None
        (seat, state), self.turn = self.turn, None
        self._acted = state.seq
        if heard is not None:
            self._unheard[2 - seat].append((state.seq, heard))
        move, name = self._dice.choice(state.legal), self._id()
        body = write({"id": name, "base": state.seq, "move": move})
        player = self.players[seat - 1]
        answer = await player.ask(post(f"/api/tables/{self.table}/play", body, player.token))
        if answer.status != 200:
            raise UpcardError(
                f"the move {move} was answered by {answer.status}: {answer.body.decode()[:300]}"
            )
        done = _read_done(answer.body)
        self._learn(seat, done.state)
        return Made(done.seq, seat, name, move)

    async def _do(self, player: Player, what: str, **fields: object) -> _Done:
        return _read_done(await player.do(f"/api/tables/{self.table}/{what}", {"id": self._id(), **fields}))

    def _id(self) -> str:
        self._commands += 1
        return str(self._commands)

    # What they are told

    def _hear(self, seat: int, number: int | None, kind: bytes, data: bytes) -> None:
        if kind == b"state":
            self._learn(seat, _read_state(data))
        elif number is not None:
            unheard = self._unheard[seat - 1]
            while unheard and unheard[0][0] < number:
                unheard.popleft()[1]()

    def _learn(self, seat: int, state: State) -> None:
        """Take in how it stands, if that is not older than what is known."""
        if state.seq < self._seq or state.seq <= self._acted:
            return
        self._seq = state.seq
        if state.phase == "over":
            self.over = True
        elif state.legal:
            self.turn = seat, state
        else:
            return
        if self._changed is not None:
            with contextlib.suppress(asyncio.InvalidStateError):
                self._changed.set_result(None)
