"""What one address can do to everyone else: each attack is run from one address within the default limits."""

from __future__ import annotations

__all__ = ["measure"]

import asyncio
import contextlib
import itertools
import statistics
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.figures import Figure, now, progress
from benchmarks.server.http import DISCONNECTED, HOST, JSON, Answer, Connection, get, post
from benchmarks.server.process import UNLIMITED, Server, event_loop
from upcard.server.config import Settings

# Promised limits: added milliseconds until an acknowledgement (median), slowdown of a bot, and added MB.
ADDED = 5.0
SLOWER = 2.0
GROWTH = 60.0
# Duration of an attack, pause between two commands of the others, and time for their bot to move, in seconds.
SECONDS = 6.0
PAUSE = 0.05
PATIENCE = 60.0
# Connections of an attacker, entries of a long log, tables with experts, and streams that are never read.
CONNECTIONS = 8
LONG = 600
EXPERTS = 20
UNREAD = 200
MOVES_TAKEN_BACK = 400
CLASS = 15
# An attacker within the limits waits after a refusal, in seconds.
RETRY_AFTER = 1.0

ATTACKER, SCHOOL = "127.0.0.9", "127.0.0.30"
SHARE = "ab" * 32
_ids = itertools.count()


class Client:
    """One device at an address of this machine."""

    def __init__(self, port: int, address: str) -> None:
        self._port = port
        self._address = address
        self._connection: Connection | None = None
        self.token = ""
        self.refused = 0

    async def ask(self, request: bytes) -> Answer:
        """Send a request over a connection that is kept open."""
        if self._connection is None or not self._connection.is_open:
            opened = await asyncio.open_connection(HOST, self._port, local_addr=(self._address, 0))
            self._connection = Connection(*opened)
        answer = await self._connection.ask(request)
        self.refused += answer.status in (429, 503)
        return answer

    async def arrive(self) -> Client:
        """Register with the server."""
        self.token = msgspec.json.decode((await self.ask(post("/api/session", b"{}"))).body)["token"]
        return self

    async def do(self, path: str, **fields: Any) -> Any:
        """Send a command, and return the answer."""
        body = msgspec.json.encode({"id": str(next(_ids)), **fields})
        return msgspec.json.decode((await self.ask(post(path, body, self.token))).body)

    async def get(self, path: str) -> Any:
        """Return a JSON document."""
        return msgspec.json.decode((await self.ask(get(path, self.token, JSON))).body)

    async def open(self, *bots: str, people: int = 1, **setup: Any) -> str:
        """Set up a table for people and bots, and sit down if there is a seat."""
        seats: list[dict[str, str]] = [{}] * people + [{"bot": bot} for bot in bots]
        options = {"players": len(seats)}
        opened = await self.do("/api/tables", game="lines", options=options, seats=seats, pace=0, **setup)
        table = str(opened.get("table", ""))
        if people:
            await self.do(f"/api/tables/{table}/sit", name=f"P{next(_ids)}", share=SHARE)
        return table


class Scene:
    """A server with an attacker, someone who talks at a table, and someone who plays with a bot."""

    def __init__(self, server: Server) -> None:
        self.server = server
        # The tables of attackers: one with a long log, and one at which moves are taken back.
        self.long = ""
        self.undone = ""

    async def client(self, address: str = HOST) -> Client:
        """Return a new device."""
        return await Client(self.server.port, address).arrive()

    async def measure(self) -> tuple[float, float]:
        """Return the median time of an acknowledgement, and of a move of the bot `hard`, in milliseconds."""
        talker, player = await self.client(), await self.client()
        quiet = await talker.open("easy")
        table = await player.open("hard")
        await player.do(f"/api/tables/{table}/start")
        said: list[float] = []
        moved: list[float] = []
        end = now() + SECONDS
        while now() < end:
            began = now()
            await talker.do(f"/api/tables/{quiet}/say", phrase="hello")
            said.append(now() - began)
            state = await player.get(f"/api/tables/{table}")
            if state["phase"] != "playing":
                table = await player.open("hard")
                await player.do(f"/api/tables/{table}/start")
            elif state["legal"]:
                base, move = state["seq"], state["legal"][0]
                done = await player.do(f"/api/tables/{table}/play", base=base, move=move)
                began = now()
                if done["state"]["to_move"] == 2:
                    while done["state"]["to_move"] == 2 and now() < began + PATIENCE:
                        await asyncio.sleep(PAUSE / 5)
                        done = {"state": await player.get(f"/api/tables/{table}")}
                    moved.append(now() - began)
            await asyncio.sleep(PAUSE)
        return 1000 * statistics.median(said), 1000 * statistics.median(moved or [PATIENCE])


Attack = Callable[[Scene, Client, int], Awaitable[object]]


async def qr_codes(_scene: Scene, client: Client, number: int) -> None:
    """Ask for QR codes that were never drawn before."""
    await client.ask(get(f"/qr/http%3A%2F%2Fupcard%2Fj%2F{number}.svg", client.token))


async def histories(scene: Scene, client: Client, _number: int) -> None:
    """Ask for a long history again and again."""
    await client.ask(get(f"/api/tables/{scene.long}/events?since=0", client.token, JSON))


async def stale_moves(scene: Scene, client: Client, _number: int) -> None:
    """Send moves that are based on the beginning of a long history."""
    await client.do(f"/api/tables/{scene.long}/play", base=0, move="pass")


async def bots(_scene: Scene, client: Client, number: int) -> None:
    """Open tables of five experts without sitting down there."""
    if number < EXPERTS:
        table = await client.open(*["expert"] * 5, people=0)
        await client.do(f"/api/tables/{table}/start")
    await asyncio.sleep(PAUSE)


async def undos(scene: Scene, client: Client, number: int) -> None:
    """Make a move and take it back, again and again, at one table after another."""
    if number % MOVES_TAKEN_BACK == 0 or not scene.undone:
        scene.undone = await client.open("random")
        await client.do(f"/api/tables/{scene.undone}/start")
    path = f"/api/tables/{scene.undone}"
    state = await client.get(path)
    if state["legal"]:
        await client.do(f"{path}/play", base=state["seq"], move=state["legal"][0])
    await client.do(f"{path}/undo", base=(await client.get(path))["seq"])


async def unread_streams(scene: Scene, client: Client, number: int) -> None:
    """Open streams from the beginning of a long history, and read nothing."""
    if number < UNREAD:
        _, writer = await asyncio.open_connection(HOST, scene.server.port, local_addr=(ATTACKER, 0), limit=1)
        writer.write(get(f"/api/tables/{scene.long}/events", client.token, "Last-Event-ID: 0"))
        _unread.append(writer)
    await asyncio.sleep(PAUSE)


_unread: list[asyncio.StreamWriter] = []
ATTACKS: list[Attack] = [qr_codes, histories, stale_moves, undos, bots, unread_streams]


def measure() -> Iterator[Figure]:
    """Measure each attack, and a class behind one address."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as folder,
        asyncio.Runner(loop_factory=event_loop()) as runner,
    ):
        yield from runner.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Figure]:
    defaults = Settings()
    with Server(folder, {name: getattr(defaults, name) for name in UNLIMITED}).running() as server:
        await server.wait()
        scene = Scene(server)
        await scene.measure()  # the bot is compiled
        figures = await _class(scene)
        scene.long = await _long_table(scene)
        for attack in ATTACKS:
            name = attack.__name__.replace("_", " ")
            progress(name)
            # Measured again each time: other programs on the machine come and go.
            quiet, bot = await scene.measure()
            before = server.resident()
            async with _attacking(scene, attack):
                slow, slow_bot = await scene.measure()
            grown = (server.resident() - before) / 2**20
            figures += [
                Figure(f"{name}: acknowledged without it, p50", quiet, "ms"),
                Figure(f"{name}: added to p50", slow - quiet, "ms", ADDED, at_most=True),
                Figure(f"{name}: hard takes", slow_bot / bot, "times", SLOWER, at_most=True),
                Figure(f"{name}: memory grows by", grown, "MB", GROWTH, at_most=True),
            ]
    return figures


async def _long_table(scene: Scene) -> str:
    """Make a table with a long log, at the pace that the limits allow."""
    client = await scene.client(ATTACKER)
    table = await client.open("easy")
    for _ in range(LONG):
        await client.do(f"/api/tables/{table}/say", phrase="hello")
        await asyncio.sleep(PAUSE)
    return table


@contextlib.asynccontextmanager
async def _attacking(scene: Scene, attack: Attack) -> AsyncIterator[None]:
    numbers = itertools.count()

    async def repeat() -> None:
        client = await scene.client(ATTACKER)
        while True:
            refused = client.refused
            with contextlib.suppress(*DISCONNECTED, KeyError):
                await attack(scene, client, next(numbers))
            if client.refused > refused:
                await asyncio.sleep(RETRY_AFTER)

    tasks = [asyncio.create_task(repeat()) for _ in range(CONNECTIONS)]
    await asyncio.sleep(1)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while _unread:
            _unread.pop().close()


async def _class(scene: Scene) -> list[Figure]:
    """Let pairs behind one address open, join and start, all at the same time."""
    clients: list[Client] = []

    async def pair() -> None:
        host, other = await scene.client(SCHOOL), await scene.client(SCHOOL)
        clients.extend((host, other))
        for client in (host, other):
            await client.ask(get("/", client.token))
        table = await host.open(people=2)
        code = (await host.get(f"/api/tables/{table}"))["code"]
        body = msgspec.json.encode({"code": code})
        await other.ask(post("/api/join", body, other.token))
        await other.do(f"/api/tables/{table}/sit", name=f"P{next(_ids)}", share=SHARE)
        await host.do(f"/api/tables/{table}/start")
        for client in (host, other):
            state = await client.get(f"/api/tables/{table}")
            if state["legal"]:
                await client.do(f"/api/tables/{table}/play", base=state["seq"], move=state["legal"][0])

    await asyncio.gather(*(pair() for _ in range(CLASS)))
    refused = sum(client.refused for client in clients)
    return [Figure("a class of 30 behind one address: refusals", refused, "", 0, at_most=True)]
