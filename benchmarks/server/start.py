"""How soon a server with many tables answers after its start."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Scale", "measure"]

import asyncio
import contextlib
import itertools
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure, now, progress
from benchmarks.server.players import DEFAULTS, MOVES, PATIENT, Pair, a_few_at_a_time, play
from benchmarks.server.process import Server
from upcard.games import all_games

# Promised: time until the first answer, in seconds.
SOON = 1.5
# Of every ten tables: six where the game is over, two where players left, one that waits for players, and one
# where a bot continues immediately after the start.
SETUPS = [*6 * ["over"], *2 * ["left"], "waiting", "due"]
IMPATIENT = {**DEFAULTS, "patience": "bot", "patience_seconds": 1}


@dataclass(frozen=True)
class Scale:
    """How many tables there are, how many finished ones are added, and how often the server is started."""

    tables: int
    starts: int
    finished: int


FULL = Scale(10_000, 5, 50_000)
QUICK = Scale(1_000, 2, 50_000)


async def measure(scale: Scale, folder: Path) -> list[Figure]:
    """Play at many tables, and start again and again."""
    server = Server(folder, {"log_level": "warning"})
    games = itertools.cycle(game.id for game in all_games())
    pairs = [
        Pair(server, next(games), number, IMPATIENT if setup == "due" else PATIENT)
        for number, setup in zip(range(scale.tables), itertools.cycle(SETUPS), strict=False)
    ]
    progress(f"playing at {scale.tables:,} tables")
    with server.running():
        await server.wait()
        await a_few_at_a_time(_set_up(pair) for pair in pairs)
    figures = await _starts(server, pairs[0], scale, f"{scale.tables:,} tables")
    progress(f"adding {scale.finished:,} finished tables")
    await asyncio.to_thread(_add_finished, server.database, scale.finished)
    return figures + await _starts(server, pairs[0], scale, f"{scale.finished:,} finished tables more")


async def _starts(server: Server, pair: Pair, scale: Scale, tables: str) -> list[Figure]:
    times = [await _start(server, pair) for _ in range(scale.starts)]
    answered, looked = (min(each) for each in zip(*times, strict=True))
    return [
        Figure(f"start with {tables}: first answer", answered, "s", SOON, at_most=True),
        Figure(f"start with {tables}: first look at one", looked, "s", SOON, at_most=True),
    ]


def _add_finished(database: Path, count: int) -> None:
    """Copy the shortest finished table many times: playing that many games would take hours."""
    columns = "game, NULL, public, phase, seq, due, opened, touched"
    with contextlib.closing(sqlite3.connect(database)) as link:
        [(table,)] = link.execute("SELECT id FROM tables WHERE phase = 'over' ORDER BY seq LIMIT 1")
        link.execute("CREATE TEMP TABLE copies (id TEXT)")
        link.executemany("INSERT INTO copies VALUES (?)", ((f"copy{number}",) for number in range(count)))
        link.execute(
            "INSERT INTO tables (id, game, code, public, phase, seq, due, opened, touched)"
            f" SELECT copies.id, {columns} FROM copies, tables WHERE tables.id = ?",
            (table,),
        )
        link.execute(
            "INSERT INTO entries (table_id, seq, at, body)"
            " SELECT copies.id, seq, at, body FROM copies, entries WHERE table_id = ?",
            (table,),
        )
        link.commit()


async def _set_up(pair: Pair) -> None:
    """Play as far as the pair's setup says, and leave."""
    setup = SETUPS[pair.number % len(SETUPS)]
    await pair.arrive()
    if setup == "waiting":
        await pair.open()
    else:
        await pair.sit_down()
        await play(pair, None if setup == "over" else MOVES[pair.game] // 4)
    pair.leave()


async def _start(server: Server, pair: Pair) -> tuple[float, float]:
    """Start it; return the seconds until it answers, and until it shows a table."""
    started = now()
    with server.running():
        await server.wait()
        answered = now() - started
        await pair.players[0].get(f"/api/tables/{pair.table}")
        looked = now() - started
        pair.leave()
    return answered, looked
