"""How quick the learning environments are, beside what Upcard promises and beside those of others."""

from __future__ import annotations

__all__ = ["Speed", "measure"]

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from upcard.core.errors import UpcardError
from upcard.games import GAMES
from upcard.rl import peers
from upcard.rl.vector import VectorEnv, default_threads

TABLES = 4_096
ROUNDS = 7
# Steps until tables are at all stages of their games, and steps in each measurement.
WARM_UP = 200
STEPS = 100
# Numbers of tables at which a second thread is measured, and steps of all of them in each measurement.
THREADED_TABLES = (512, 1_024, 2_048, 4_096, 8_192, 16_384)
THREADED_STEPS = 100_000
AGENT_STEPS = 20_000
SPIEL_SECONDS = 0.5
WANTED = 2.0
WANTED_OF_OPENSPIEL = 60_000.0
WANTED_OF_AGENTS = 40_000
MILLION = 1e6

Say = Callable[[str], None]


class Speed(NamedTuple):
    """A figure: what was measured, and what to reach at least."""

    name: str
    value: float
    unit: str
    wanted: float | None = None


def measure(with_peers: bool, say: Say) -> Iterator[Speed]:
    """Measure everything, one figure after another; others' environments where they are wanted."""
    vector = {game: _vector_speed(game, say) for game in GAMES}
    agents = {game: _agents_speed(game, say) for game in GAMES}
    for game, speed in vector.items():
        wanted = WANTED if game == "stockpile" else None
        name = f"{TABLES:,} tables, random legal actions, {_threads(default_threads(TABLES))}: {game}"
        yield Speed(name, speed / MILLION, "million steps/s", wanted)
    for game in GAMES:
        for tables in THREADED_TABLES:
            default = _threads(default_threads(tables))
            name = f"2 threads against 1, {tables:,} tables (default: {default}): {game}"
            yield Speed(name, _gain_of_threads(game, tables, say), "times")
    for game, speed in agents.items():
        yield Speed(f"PettingZoo, raw_env: {game}", speed, "steps/s", WANTED_OF_AGENTS)
    # OpenSpiel is not for everybody: it is measured where it is installed (in .venv, for one).
    spiel = {} if find_spec("pyspiel") is None else {game: _spiel_speed(game, say) for game in GAMES}
    for game, speed in spiel.items():
        yield Speed(f"OpenSpiel: {game}", speed, "decisions/s", WANTED_OF_OPENSPIEL)
    if with_peers:
        faces = {"pgx": vector, "pettingzoo": agents, "openspiel": spiel}
        yield from _beside_peers({face: speeds.get("stockpile") for face, speeds in faces.items()}, say)


def _vector_speed(game: str, say: Say) -> float:
    """Return how many steps a second all tables make together.

    Actions are drawn outside, from the masks, by a compiled helper, and that counts; so does all that is
    written (observations, masks, rewards), and dealing the next games.
    """
    say(f"{TABLES:,} tables of {game}")
    env = _warm(game, TABLES)
    best = max(STEPS * TABLES / _seconds(env, STEPS) for _ in range(ROUNDS))
    env.close()
    return best


def _gain_of_threads(game: str, tables: int, say: Say) -> float:
    """Return how many times as quick two threads are as one.

    Both are measured in turn, and their medians are compared: other programs on the machine slow down two
    threads most, and the best of several rounds would hide that.
    """
    say(f"{tables:,} tables of {game}, 1 thread and 2")
    one, two = _warm(game, tables, 1), _warm(game, tables, 2)
    steps = THREADED_STEPS // tables
    rounds = [(_seconds(one, steps), _seconds(two, steps)) for _ in range(ROUNDS)]
    one.close()
    two.close()
    return statistics.median(first for first, _ in rounds) / statistics.median(second for _, second in rounds)


def _warm(game: str, tables: int, threads: int | None = None) -> VectorEnv:
    """Return tables at all stages of their games."""
    env = VectorEnv(game, tables, threads=threads)
    env.reset("bench")
    _seconds(env, WARM_UP)
    return env


def _seconds(env: VectorEnv, steps: int) -> float:
    """Return how long some steps take."""
    started = time.perf_counter()
    for _ in range(steps):
        env.step(env.random_actions())
    return time.perf_counter() - started


def _threads(count: int) -> str:
    return f"{count} thread{'s' * (count > 1)}"


def _agents_speed(game: str, say: Say) -> float:
    say(f"PettingZoo: {game}")
    env = import_module(f"upcard.rl.{game}_v1").raw_env()
    env.reset(seed=1)
    peers.play_agents(env, 1_000, random.Random(1))
    return max(peers.play_agents(env, AGENT_STEPS, random.Random(1)) for _ in range(ROUNDS))


def _spiel_speed(game: str, say: Say) -> float:
    say(f"OpenSpiel: {game}")
    decisions_per_second: Callable[..., float] = import_module("upcard.rl.openspiel").decisions_per_second
    return max(decisions_per_second(game, SPIEL_SECONDS) for _ in range(ROUNDS))


# Others


def _beside_peers(stockpile: Mapping[str, float | None], say: Say) -> Iterator[Speed]:
    """Install the environments of others where they disturb nobody, and measure them on this machine, now;
    each beside our Stockpile as whoever uses that package has it."""
    with tempfile.TemporaryDirectory() as folder:
        say("Installing the environments of others ...")
        python = _installed(Path(folder))
        for peer in peers.PEERS:
            say(f"{peer.package}: {peer.name}")
            theirs = _measured(python, peer)
            if theirs is None:
                print(f"{peer.package} {peer.name} did not run here.", file=sys.stderr)
                continue
            yield Speed(f"{peer.package}: {peer.name}", theirs, peer.unit)
            ours = stockpile[peer.package]
            if ours is not None:
                yield Speed(f"stockpile against {peer.name}", ours / theirs, "times")


def _installed(folder: Path) -> Path:
    """Return the Python of a new virtual environment that has all of them."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *peers.PACKAGES]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise UpcardError(f"the environments of others cannot be installed: {said[-1] if said else '?'}")
    return python


def _measured(python: Path, peer: peers.Peer) -> float | None:
    """Return how many steps a second another environment makes; None where it does not run."""
    command = [str(python), str(peers.__file__), peer.package, peer.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(done.stdout.split()[-1]) if done.returncode == 0 else None
