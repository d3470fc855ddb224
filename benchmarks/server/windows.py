"""Whether answers are lost that two nodes acknowledge just before a window closes."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Scale", "measure"]

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchmarks.figures import Figure, progress
from benchmarks.server.http import post
from benchmarks.server.players import PATIENT, Player
from benchmarks.server.process import Server
from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError

# Duration of a window, and how long before its end answers are sent, in seconds.
WINDOW = 0.4
LAST_MOMENT = (0.002, 0.04)
# Time between two looks at a table, in seconds.
LOOK = 0.05
SETUP = {**PATIENT, "pace": 0, "window_seconds": WINDOW, "options": {"players": 2, "block": "anytime"}}
# Moves to these places complete piles, which opens windows.
PILES = ("R1", "R2", "B1", "B2")


@dataclass(frozen=True)
class Scale:
    """How many answers are acknowledged, at how many tables at the same time."""

    answers: int
    tables: int


FULL = Scale(1_000, 24)
QUICK = Scale(100, 8)


class Acknowledged(NamedTuple):
    """An answer that a node has acknowledged."""

    table: str
    window: int
    seat: int
    move: str


@dataclass
class Results:
    """What was acknowledged, and how many answers were refused because they arrived too late."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    late: int = 0


async def measure(scale: Scale, folder: Path) -> list[Figure]:
    """Answer in windows at the last moment, each player at a node of their own, and look into the log."""
    with contextlib.ExitStack() as stack:
        database, bus = stack.enter_context(_servers(folder))
        secret = random_bytes("secret of two nodes", 32).hex()
        nodes = []
        for name in ("here", "there"):
            (folder / name).mkdir()
            settings = {"secret": secret, "bus": bus, "log_level": "error"}
            node = Server(folder / name, settings, database=database)
            nodes.append(stack.enter_context(node.running()))
            await node.wait()
        results = Results()
        progress(f"answering in windows at {scale.tables} tables")
        async with asyncio.TaskGroup() as tasks:
            for number in range(scale.tables):
                tasks.create_task(_answer(nodes, results, scale.answers, random.Random(number)))
        # Until the last windows have closed.
        await asyncio.sleep(WINDOW + 5.0)
        lost = await asyncio.to_thread(_lost, database, results.acknowledged)
    name = f"{len(results.acknowledged):,} answers acknowledged at the last moment by two nodes"
    return [
        Figure(f"{name}: lost", lost, "", 0, at_most=True),
        Figure(f"{name}: refused as too late besides", results.late, ""),
    ]


@contextlib.contextmanager
def _servers(folder: Path) -> Iterator[tuple[str, str]]:
    """Run PostgreSQL and Redis as the tests do."""
    try:
        from tests.server.servers import Postgres, Redis
    except ImportError as error:
        raise UpcardError("windows on two nodes are measured in a checkout, with PostgreSQL") from error
    for name in ("postgresql", "redis"):
        (folder / name).mkdir()
    with Postgres(folder / "postgresql") as postgres, Redis(folder / "redis") as redis:
        yield postgres.url, redis.url


async def _answer(nodes: list[Server], results: Results, wanted: int, dice: random.Random) -> None:
    """Play at one table after another, and answer in every window."""
    players = [await Player.new(node) for node in nodes]
    ids = itertools.count()
    while len(results.acknowledged) < wanted:
        table = await _begun(players, ids)
        state, answered = await _state(players[0], table), 0
        while state["phase"] == "playing" and len(results.acknowledged) < wanted:
            window = state["window"]
            if window is None:
                await _move(players[state["to_move"] - 1], table, ids, dice)
            elif window["opened"] != answered:
                answered = window["opened"]
                asked = [(players[seat - 1], seat) for seat in window["asked"]]
                await asyncio.gather(*(_react(*one, table, results, ids, dice) for one in asked))
            else:
                await asyncio.sleep(LOOK)  # it closes in a moment
            state = await _state(players[0], table)
    for player in players:
        player.leave()


async def _begun(players: list[Player], ids: Iterator[int]) -> str:
    opened = await players[0].do("/api/tables", {"id": str(next(ids)), "game": "stacks", **SETUP}, 201)
    table = str(msgspec.json.decode(opened)["table"])
    for seat, player in enumerate(players, 1):
        share = random_bytes("share", 32).hex()
        sitting = {"id": str(next(ids)), "name": f"Player {seat}", "share": share, "seat": seat}
        await player.do(f"/api/tables/{table}/sit", sitting)
    await players[0].do(f"/api/tables/{table}/start", {"id": str(next(ids))})
    return table


async def _state(player: Player, table: str) -> Any:
    return msgspec.json.decode(await player.get(f"/api/tables/{table}"))


async def _move(player: Player, table: str, ids: Iterator[int], dice: random.Random) -> None:
    """Make a move that helps to complete a pile, if there is one."""
    state = await _state(player, table)
    piles = [move for move in state["legal"] if move.split()[-1] in PILES]
    if not state["legal"]:
        await asyncio.sleep(LOOK)  # this node does not know of the last move yet
        return
    fields = {"id": str(next(ids)), "base": state["seq"], "move": dice.choice(piles or state["legal"])}
    await player.ask(post(f"/api/tables/{table}/play", msgspec.json.encode(fields), player.token))


async def _react(
    player: Player, seat: int, table: str, results: Results, ids: Iterator[int], dice: random.Random
) -> None:
    """Answer shortly before the window closes, by a block if there is one."""
    state = await _state(player, table)
    window = state["window"]
    if window is None or not window["answers"]:
        return
    await asyncio.sleep(window["closes"] - time.time() - dice.uniform(*LAST_MOMENT))
    move = window["answers"][0]
    fields = {"id": str(next(ids)), "base": state["seq"], "move": move}
    answer = await player.ask(post(f"/api/tables/{table}/react", msgspec.json.encode(fields), player.token))
    if answer.status == 200:
        results.acknowledged.append(Acknowledged(table, window["opened"], seat, move))
    else:
        results.late += 1


def _lost(database: str, acknowledged: list[Acknowledged]) -> int:
    """Return how many answers are not in the entry that closed their window."""
    import psycopg

    closing = (
        "SELECT body FROM entries WHERE table_id = %s AND seq > %s"
        """ AND convert_from(body, 'UTF8') LIKE '%%"kind":"closed"%%' ORDER BY seq LIMIT 1"""
    )
    lost = 0
    with psycopg.connect(database) as link:
        for answer in acknowledged:
            found = link.execute(closing, (answer.table, answer.window)).fetchone()
            answers = {} if found is None else msgspec.json.decode(found[0]).get("answers", {})
            lost += answers.get(str(answer.seat)) != answer.move
    return lost
