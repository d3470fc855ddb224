"""A whole server without sockets, at simulated time, for tests with very many actions.

Everything else is real: the application with its middleware and routes, the tables, the store and its file.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from tests.server.guests import PILES, UNLIMITED
from tests.server.tables import Tried
from upcard.core.entropy import random_bytes
from upcard.server.app import make_app
from upcard.server.config import Settings
from upcard.server.http.endpoints import Services
from upcard.server.runtime import table_actor
from upcard.server.runtime.streams import Stream
from upcard.server.runtime.table_actor import TableActor
from upcard.server.runtime.tables import Tables
from upcard.server.store import Store, TableSummary, open_store
from upcard.server.table import agreements, commands, seating
from upcard.server.table import entries as log
from upcard.server.table.commands import PHRASES
from upcard.server.table.entries import Entry, read_entry, write_entry
from upcard.server.table.projection import project_state
from upcard.server.table.state import TableState

Result = TypeVar("Result")
Fields = dict[str, Any]

# How often all other tasks run, while no thread works for them, before time moves on.
SPINS = 50
# The time at which all these tests begin, in seconds since the epoch.
BEGINNING = 1_700_000_000.0
# Far longer than a test takes, so that no deadline passes before the test advances the time.
SLOW = {"pace": 10, "window_seconds": 60, "patience": "bot", "patience_seconds": 3600}


class StandingClock(asyncio.SelectorEventLoop):
    """An event loop whose time stands still until a test advances it. It knows whether a thread is working
    for it, however long that takes on a busy machine."""

    def __init__(self) -> None:
        self.now = BEGINNING
        super().__init__()
        self._jobs = 0
        self._ended = asyncio.Event()

    def time(self) -> float:
        return self.now

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Count a job of a thread."""
        self._jobs += 1
        try:
            yield
        finally:
            self._jobs -= 1
            self._ended.set()

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.working())
            future = super().run_in_executor(executor, func, *args)
            job = stack.pop_all()
        future.add_done_callback(lambda _: job.close())
        return future

    async def threads_have_worked(self) -> bool:
        """Wait for working threads; return whether there were any."""
        if not self._jobs:
            return False
        self._ended.clear()
        await self._ended.wait()
        return True


class Watched:
    """A store that tells the event loop when it is working."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        method = getattr(self._store, name)

        async def call(*args: Any, **more: Any) -> Any:
            with standing_clock().working():
                return await method(*args, **more)

        return call


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run something in an event loop with a standing clock."""
    with asyncio.Runner(loop_factory=StandingClock) as runner:
        return runner.run(work)


def standing_clock() -> StandingClock:
    """Return the running event loop."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, StandingClock)
    return loop


def let_quick_bots_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use fast bots for absent players and hints; the usual ones would have to be compiled first."""
    for module in (commands, agreements, seating):
        monkeypatch.setattr(module, "STAND_IN", "easy")
    monkeypatch.setattr(table_actor, "HINT_BOT", "easy")


async def until(is_so: Callable[[], bool], seconds: float = 0.01) -> None:
    """Let all other tasks run until a condition holds, advancing the time a little if necessary."""
    loop, spins = standing_clock(), 0
    while not is_so():
        if await loop.threads_have_worked():
            spins = 0
        else:
            spins += 1
            await asyncio.sleep(0)
        if spins == SPINS:
            loop.now += seconds
            spins = 0


async def settled() -> None:
    """Let all other tasks run until they have nothing more to do at this time."""
    loop, spins = standing_clock(), 0
    while spins < SPINS:
        spins = 0 if await loop.threads_have_worked() else spins + 1
        await asyncio.sleep(0)


@dataclass(frozen=True)
class Answer:
    """An answer."""

    status: int
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    @property
    def type(self) -> str:
        """The type of the answer to a command, or of the problem."""
        return str(self.json.get("type"))


class House:
    """A server in this event loop."""

    def __init__(self, app: Any) -> None:
        self.app = app

    @property
    def tables(self) -> Tables:
        services: Services = self.app.state.services
        return services.tables

    async def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """Send a request, and return the complete answer."""
        path, _, query = path.partition("?")
        sent = [("content-type", "application/json")] if body is not None else []
        sent += list((headers or {}).items())
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in sent],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        waiting = [{"type": "http.request", "body": body or b"", "more_body": False}]
        status, parts = 0, []

        async def receive() -> Any:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            parts.append(message.get("body", b""))

        await self.app(scope, receive, send)
        return Answer(status, b"".join(parts).decode())

    async def caller(self) -> Caller:
        """Return a new caller."""
        answer = await self.ask("POST", "/api/session", b"{}")
        return Caller(self, answer.json["token"], answer.json["mark"])

    async def actor(self, table: str) -> TableActor:
        """Return a table while nothing is being written there."""
        actor = await self.tables.actor(table)
        async with actor.lock:
            return actor

    async def pass_time(self, table: str) -> None:
        """Advance the time to the next deadline of a table, and wait until it has been handled."""
        state = (await self.actor(table)).state
        before, due = state.seq, state.due
        assert due is not None, "nothing will ever happen here by itself"
        loop = standing_clock()
        loop.now = max(loop.now, due + 0.001)
        await self.seen_after(table, before)

    async def seen_after(self, table: str, seq: int) -> None:
        """Wait until a table has changed, and all viewers know."""
        actors = self.tables.actors
        await until(lambda: table in actors and actors[table].state.seq > seq)
        await self.actor(table)


@contextlib.contextmanager
def quick_folder() -> Iterator[Path]:
    """Make a folder in memory, if the system has that, so that writing does not wait for a disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="upcard-", dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@contextlib.contextmanager
def broken(folder: Path, *statements: str, mended: str) -> Iterator[None]:
    """Damage the database behind the server's back, and repair it afterwards."""
    with contextlib.closing(
        sqlite3.connect(folder / "tables.db", isolation_level=None, timeout=3600)
    ) as link:
        for statement in statements:
            link.execute(statement)
        try:
            yield
        finally:
            link.execute(mended)


def nothing_is_written(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Let the database refuse every entry."""
    trigger = "CREATE TRIGGER broken BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'broken'); END"
    return broken(folder, trigger, mended="DROP TRIGGER broken")


def no_note_is_read(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Make reading the answers in windows fail."""
    return broken(folder, "ALTER TABLE notes RENAME TO gone", mended="ALTER TABLE gone RENAME TO notes")


@contextlib.asynccontextmanager
async def house(
    folder: Path, clock: Callable[[], float] | None = None, **settings: Any
) -> AsyncIterator[House]:
    """Open a house whose tables are in a folder, with the clock of the event loop or another one."""
    flags = {"database": f"sqlite:///{folder}/tables.db", "secret": "x" * 40, "log_level": "error"}
    chosen = Settings.of(flags | UNLIMITED | settings, {})
    store: Any = Watched(open_store(chosen.database))
    app = make_app(chosen, store=store, clock=clock or standing_clock().time)
    async with app.router.lifespan_context(app):
        yield House(app)


class Caller:
    """One device that sends requests to a house."""

    def __init__(self, house: House, token: str, mark: str) -> None:
        self.house = house
        self.token = token
        self.mark = mark
        self._name = random_bytes("guest", 4).hex()
        self._numbers = itertools.count()

    def id(self) -> str:
        """Return a new id for a command."""
        return f"{self._name}-{next(self._numbers)}"

    async def get(self, path: str) -> Answer:
        return await self.house.ask("GET", path, headers=self._headers())

    async def post(self, path: str, fields: Fields) -> Answer:
        return await self.house.ask("POST", path, json.dumps(fields).encode(), self._headers())

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}

    async def open(self, game: str, players: int = 2, **fields: Any) -> str:
        """Set up a table, and return its name."""
        options = {"players": players, **fields.pop("options", {})}
        asked = {"id": self.id(), "game": game, "options": options, **SLOW, **fields}
        answer = await self.post("/api/tables", asked)
        assert answer.status == 201, answer
        return str(answer.json["table"])

    async def do(self, table: str, what: str, **fields: Any) -> Answer:
        """Send a command."""
        return await self.post(f"/api/tables/{table}/{what}", {"id": self.id(), **fields})

    async def sit(self, table: str, name: str, seat: int | None = None) -> Answer:
        return await self.do(table, "sit", name=name, share=random_bytes("share", 32).hex(), seat=seat)

    async def look(self, table: str) -> Any:
        answer = await self.get(f"/api/tables/{table}")
        assert answer.status == 200, answer
        return answer.json

    async def news(self, table: str, since: int = 0) -> Any:
        """Return everything that happened since a number."""
        news: list[Any] = []
        more = True
        while more:
            last = news[-1]["seq"] if news else since
            page = (await self.get(f"/api/tables/{table}/events?since={last}")).json
            news += page["news"]
            more = page["more"]
        return news

    async def watch(self, table: str, since: int | None = None, states: bool = True) -> Stream:
        """Open a stream of events."""
        return await self.house.tables.watch(table, self.mark, "127.0.0.1", since, states)


async def seated(place: House, game: str, players: int = 2, **fields: Any) -> tuple[str, list[Caller]]:
    """Open a table, and seat a caller at each seat without a bot."""
    callers = [await place.caller() for _ in range(players)]
    table = await callers[0].open(game, players, **fields)
    for number, seat in enumerate((await callers[0].look(table))["seats"], 1):
        if seat["kind"] == "free":
            assert (await callers[number - 1].sit(table, f"Guest {number}", number)).status == 200
    return table, callers


async def begun(place: House, game: str, players: int = 2, **fields: Any) -> tuple[str, list[Caller]]:
    """Open a table, let everyone sit down, and start."""
    table, callers = await seated(place, game, players, **fields)
    assert (await callers[0].do(table, "start")).status == 200
    return table, callers


# Playing


async def asked(place: House, players: int = 3, **fields: Any) -> tuple[str, list[Caller]]:
    """Open tables until players are asked at one whether they block."""
    while True:
        table, callers = await begun(place, "stacks", players, options={"block": "anytime"}, **fields)
        while (state := (await place.actor(table)).state).phase == "playing":
            if state.window is not None:
                return table, callers
            assert state.to_move is not None
            mover = callers[state.to_move - 1]
            legal = (await mover.look(table))["legal"]
            piles = [move for move in legal if move.split()[-1] in PILES]
            answer = await mover.do(table, "play", base=state.seq, move=(piles or legal)[0])
            assert answer.type == "done", answer


async def step(place: House, table: str, callers: list[Caller], dice: random.Random) -> None:
    """Take one step at a table, usually a move. Absent players come back sooner or later."""
    state = (await place.actor(table)).state
    caller, seat = dice.choice(callers), state.to_move
    what = dice.choices(("move", "say", "leave", "come", "undo", "answer", "wait"), (16, 2, 1, 3, 2, 3, 1))[0]
    if what == "move" and seat is not None and state.seats[seat - 1].person is not None:
        mover = next(one for one in callers if one.mark == state.seats[seat - 1].person)
        move = dice.choice((await mover.look(table))["legal"])
        await mover.do(table, "play", base=state.seq, move=move)
    elif what in ("move", "wait") and state.due is not None:
        await place.pass_time(table)
    elif what == "say":
        await caller.do(table, "say", phrase=dice.choice(PHRASES))
    elif what in ("leave", "come"):
        await caller.do(table, what)
    elif what == "undo":
        await caller.do(table, "undo", base=state.seq)
    elif what == "answer":
        asked = 0 if state.undo is None else state.undo.asked
        await caller.do(table, "undo/answer", agreed=dice.random() < 0.8, asked=asked)


# Tables that were played elsewhere


async def lay(place: House, tried: Tried, callers: list[Caller]) -> str:
    """Put a table into the store as if it had been played here; the callers are its players p1, p2 ..."""
    people = {f"p{number}": caller.mark for number, caller in enumerate(callers, 1)}
    table, state = f"laid-{random_bytes('table', 6).hex()}", tried.again()
    rows = [(at, write_entry(_with_people(entry, people))) for at, entry in tried.entries]
    facts = TableSummary(state.game, None, False, state.phase, state.due, state.touched)
    await place.tables.node.store.append(table, 0, rows, facts)
    return table


def _with_people(entry: Entry, people: dict[str, str]) -> Entry:
    match entry:
        case log.Opened():
            return msgspec.structs.replace(entry, host=people.get(entry.host, entry.host))
        case log.Sat() | log.HandedOver():
            return msgspec.structs.replace(entry, person=people.get(entry.person, entry.person))
        case _:
            return entry


async def folded(place: House, table: str) -> TableState:
    """Return the state that follows from the log on disk, after checking that it is what everyone sees."""
    state, actor = TableState(table), await place.actor(table)
    for number, row in enumerate(await place.tables.node.store.load(table), 1):
        assert row.seq == number, "a number is missing"
        state.apply(row.at, read_entry(row.body))
    assert state.seq == actor.state.seq
    for seat in (None, *range(1, len(state.seats) + 1)):
        assert project_state(state, seat) == project_state(actor.state, seat)
    return state
