"""The speed of the rules and of all that is built on them, beside what Upcard promises."""

from __future__ import annotations

__all__ = ["measure"]

import functools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from upcard.core.compiler import compiled
from upcard.core.memory import dtype_of
from upcard.core.record import assign
from upcard.games import all_games, find
from upcard.lab.arena import Arena
from upcard.lab.bench.figures import ROUNDS, Figure, best_of
from upcard.lab.simulate import Plan, simulate
from upcard.match import read_seed

SEED = read_seed("bench")
GAMES = {"stockpile": 20_000, "lines": 30_000, "stacks": 5_000}


def measure() -> Iterator[Figure]:
    """Measure everything, one figure after another."""
    yield from _compiled_speed()
    yield from _plain_speed()
    yield from _copies()
    yield from _simulation()
    yield from _starts()


# Compiled play, and the same game in C


def _compiled_speed() -> Iterator[Figure]:
    speeds = dict.fromkeys(GAMES, 0.0)
    for _ in range(ROUNDS):  # in turns, so that a slow moment of the machine meets all of them
        for name in GAMES:
            speeds[name] = max(speeds[name], _play_compiled(name))
    yield from _against_c()
    stockpile = speeds["stockpile"]
    yield Figure("random play, compiled, one core: stockpile", stockpile / 1e6, "million moves/s")
    for name in ("lines", "stacks"):
        yield Figure(f"random play, compiled, one core: {name}", speeds[name] / 1e6, "million moves/s")
        yield Figure(f"{name} where stockpile makes 11", 11 * speeds[name] / stockpile, "million moves/s", 3)


@functools.cache
def _arena(game: str) -> Arena:
    arena = Arena(find(game), {}, ["random"])
    arena.warm_up()
    return arena


def _play_compiled(name: str) -> float:
    arena = _arena(name)
    keys = arena.keys(SEED, 0, GAMES[name])
    started = time.perf_counter()
    batch = arena.run(keys)
    return batch.moves / (time.perf_counter() - started)


def _against_c() -> Iterator[Figure]:
    """Play the same games in C and compiled, in turns, and check that they are the same."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        print("No C compiler here: the comparison with C is left out.", file=sys.stderr)
        return
    games = GAMES["stockpile"]
    keys = _arena("stockpile").keys(SEED, 0, games)
    with tempfile.TemporaryDirectory() as folder:
        program, key_file = Path(folder) / "stockpile", Path(folder) / "keys"
        keys.tofile(key_file)
        with resources.as_file(resources.files("upcard.lab.bench") / "stockpile.c") as source:
            subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        ours = theirs = 0.0
        for _ in range(2 * ROUNDS):
            started = time.perf_counter()
            batch = _arena("stockpile").run(keys)
            ours = max(ours, batch.moves / (time.perf_counter() - started))
            output = subprocess.run([program, key_file, str(games)], capture_output=True, check=True)
            moves, _, seconds = output.stdout.split()
            if int(moves) != batch.moves:
                raise AssertionError(f"C made {int(moves)} moves, the compiled rules {batch.moves}")
            theirs = max(theirs, int(moves) / float(seconds))
    yield Figure("the same games in C", theirs / 1e6, "million moves/s")
    yield Figure("stockpile, compiled against C", 100 * ours / theirs, "%", 75)


# Plain play


def _plain_speed() -> Iterator[Figure]:
    for game in all_games():
        speed = best_of(functools.partial(_play_plain, game.id))
        wanted = 30_000 if game.id == "stockpile" else None
        yield Figure(f"random play, plain: {game.id}", speed, "moves/s", wanted)


def _play_plain(name: str) -> float:
    return float(subprocess.check_output([sys.executable, "-m", "upcard.lab.bench.plain", name]))


# Copies


@compiled
def copy_back_and_forth(tables: Any, times: int) -> int:
    """Copy a table from place to place."""
    for step in range(times):
        assign(tables[(step + 1) % len(tables)], tables[step % len(tables)])
    return times


def _copies() -> Iterator[Figure]:
    for game in all_games():
        tables = np.zeros(4, dtype_of(game.Table))
        copy_back_and_forth(tables, 1)
        nanoseconds = 1e9 / best_of(functools.partial(_copy, tables))
        yield Figure(f"copy of a compiled table: {game.id}", nanoseconds, "ns", 200, at_most=True)


def _copy(tables: Any) -> float:
    started = time.perf_counter()
    return int(copy_back_and_forth(tables, 200_000)) / (time.perf_counter() - started)


# Many games


def _simulation() -> Iterator[Figure]:
    plan = Plan("stockpile", (), ("random",), SEED)
    seconds = 1 / best_of(lambda: 1 / simulate(plan, 100_000, 2).seconds)
    yield Figure("100,000 games of stockpile, two jobs", seconds, "s", 3, at_most=True)


# Starting


def _starts() -> Iterator[Figure]:
    for game in all_games():
        with tempfile.TemporaryDirectory() as cache:
            first = _run("simulate", game.id, "--games", "1", cache=cache)
            again = min(_run("simulate", game.id, "--games", "1", cache=cache) for _ in range(3))
            greedy = _run("simulate", game.id, "--games", "1", "--bots", "greedy", cache=cache)
        yield Figure(f"cold compile and first game: {game.id}", first, "s", 20, at_most=True)
        yield Figure(f"the same with a bot that looks: {game.id}", greedy, "s", 20, at_most=True)
        yield Figure(f"second start to the end of a game: {game.id}", again, "s", 1, at_most=True)
    yield Figure("upcard --help", min(_run("--help") for _ in range(5)), "s", 0.3, at_most=True)


def _run(*arguments: str, cache: str | None = None) -> float:
    environment = os.environ | ({"UPCARD_CACHE": cache} if cache else {})
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "upcard.cli", *arguments], env=environment, capture_output=True, check=True
    )
    return time.perf_counter() - started
