"""The speed of the rules, compiled and plain, and of starting."""

from __future__ import annotations

__all__ = ["measure"]

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.figures import ROUNDS, Figure, best_of, now, progress
from upcard.games import all_games, find
from upcard.lab.arena import Arena
from upcard.lab.simulate import SimulationPlan, simulate
from upcard.match import read_seed

SEED = read_seed("bench")
# Games in each measurement: about as long for every game.
GAMES = {"stockpile": 20_000, "lines": 30_000, "stacks": 5_000}


def measure() -> Iterator[Figure]:
    """Measure everything, one figure after another."""
    yield from _compiled_speed()
    yield from _plain_speed()
    plan = SimulationPlan("stockpile", (), ("random",), SEED)
    seconds = 1 / best_of(lambda: 1 / simulate(plan, 100_000, 2).seconds)
    yield Figure("100,000 games of stockpile, two jobs", seconds, "s", 3, at_most=True)
    yield from _starts()


# Compiled play, and the same game in C


def _compiled_speed() -> Iterator[Figure]:
    speeds = dict.fromkeys(GAMES, 0.0)
    for _ in range(ROUNDS):  # in turns, so that a slow moment of the machine affects all of them
        for name in GAMES:
            speeds[name] = max(speeds[name], _play(name)[1])
    yield from _against_c()
    stockpile = speeds["stockpile"]
    yield Figure("random play, compiled, one core: stockpile", stockpile / 1e6, "million moves/s")
    for name in ("lines", "stacks"):
        yield Figure(f"random play, compiled, one core: {name}", speeds[name] / 1e6, "million moves/s")
        yield Figure(f"{name} where stockpile makes 11", 11 * speeds[name] / stockpile, "million moves/s", 3)


@functools.cache
def _arena(game: str) -> tuple[Arena, Any]:
    """Return an arena, and the keys of the games to play."""
    arena = Arena(find(game), {}, ["random"])
    arena.warm_up()
    return arena, arena.keys(SEED, 0, GAMES[game])


def _play(game: str) -> tuple[int, float]:
    """Return the number of moves, and the moves per second."""
    arena, keys = _arena(game)
    started = now()
    moves = arena.run(keys).moves
    return moves, moves / (now() - started)


def _against_c() -> Iterator[Figure]:
    """Play the same games in C and compiled, in turns, and check that they are the same."""
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        print("There is no C compiler: the comparison with C is left out.", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        program, keys = Path(folder) / "stockpile", Path(folder) / "keys"
        _arena("stockpile")[1].tofile(keys)
        source = Path(__file__).with_name("stockpile.c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        ours = theirs = 0.0
        for _ in range(2 * ROUNDS):
            moves, speed = _play("stockpile")
            output = subprocess.check_output([program, keys, str(GAMES["stockpile"])])
            moves_in_c, _, seconds = output.split()
            if int(moves_in_c) != moves:
                raise AssertionError(f"C made {int(moves_in_c)} moves, the compiled rules {moves}")
            ours, theirs = max(ours, speed), max(theirs, moves / float(seconds))
    yield Figure("the same games in C", theirs / 1e6, "million moves/s")
    yield Figure("stockpile, compiled against C", 100 * ours / theirs, "%", 75)


# Plain play


def _plain_speed() -> Iterator[Figure]:
    for game in all_games():
        speed = float(subprocess.check_output([sys.executable, "-m", "benchmarks.plain", game.id]))
        wanted = 30_000 if game.id == "stockpile" else None
        yield Figure(f"random play, plain: {game.id}", speed, "moves/s", wanted)


# Starting


def _starts() -> Iterator[Figure]:
    for game in all_games():
        progress(f"compiling {game.id}")
        with tempfile.TemporaryDirectory() as cache:
            first = _run("simulate", game.id, "--games", "1", cache=cache)
            again = min(_run("simulate", game.id, "--games", "1", cache=cache) for _ in range(3))
        yield Figure(f"cold compile and first game: {game.id}", first, "s", 20, at_most=True)
        yield Figure(f"second start to the end of a game: {game.id}", again, "s", 1, at_most=True)
    yield Figure("upcard --help", min(_run("--help") for _ in range(5)), "s", 0.3, at_most=True)


def _run(*arguments: str, cache: str | None = None) -> float:
    """Return the duration of a command in seconds."""
    environment = os.environ | ({"UPCARD_CACHE": cache} if cache else {})
    started = now()
    subprocess.run(
        [sys.executable, "-m", "upcard.cli", *arguments], env=environment, capture_output=True, check=True
    )
    return now() - started
