"""How soon a server with many tables answers after its start."""

from __future__ import annotations

__all__ = ["FULL", "QUICK", "Scale", "measure"]

import itertools
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
    """How many tables there are, and how often the server is started."""

    tables: int
    starts: int


FULL = Scale(10_000, 5)
QUICK = Scale(1_000, 2)


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
    times = [await _start(server, pairs[0]) for _ in range(scale.starts)]
    answered, looked = (min(each) for each in zip(*times, strict=True))
    return [
        Figure(f"start with {scale.tables:,} tables: first answer", answered, "s", SOON, at_most=True),
        Figure(f"start with {scale.tables:,} tables: first look at one", looked, "s", SOON, at_most=True),
    ]


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
