"""The speed of the learning environments, OpenSpiel's beside that of a Python game of its own."""

from __future__ import annotations

__all__ = ["measure"]

import random
import statistics
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from benchmarks.figures import ROUNDS, Figure, best_of, now, progress
from upcard.games import all_games
from upcard.rl.threads import default_threads
from upcard.rl.vector import VectorEnv

TABLES = 4_096
# Steps until tables are at all stages of their games, and steps in each measurement.
WARM_UP = 200
STEPS = 100
# Numbers of tables at which two threads are compared with one, and steps of all tables in each measurement.
THREADED_TABLES = (512, 2_048, 8_192)
THREADED_STEPS = 100_000
AGENT_STEPS = 20_000
# OpenSpiel's Python game whose games are longest: dominoes in two teams.
PEER = "python_team_dominoes"
SPIEL_SECONDS = 0.5


def measure() -> Iterator[Figure]:
    """Measure everything, one figure after another."""
    games = [game.id for game in all_games()]
    for game in games:
        progress(f"{TABLES:,} tables of {game}")
        env = _warm(game, TABLES)
        speed = TABLES * STEPS / min(_seconds(env, STEPS) for _ in range(ROUNDS))
        env.close()
        threads = default_threads(TABLES)
        name = f"{TABLES:,} tables, random legal actions, {threads} thread{'s' * (threads > 1)}: {game}"
        yield Figure(name, speed / 1e6, "million steps/s", 2 if game == "stockpile" else None)
    for game in games:
        for tables in THREADED_TABLES:
            name = f"2 threads against 1, {tables:,} tables (default: {default_threads(tables)}): {game}"
            yield Figure(name, _gain_of_threads(game, tables), "times")
    for game in games:
        yield Figure(f"PettingZoo, raw_env: {game}", _agents_speed(game), "steps/s", 40_000)
    yield from _spiel_speeds(games)


def _warm(game: str, tables: int, threads: int | None = None) -> VectorEnv:
    """Return tables at all stages of their games."""
    env = VectorEnv(game, tables, threads=threads)
    env.reset("bench")
    _seconds(env, WARM_UP)
    return env


def _seconds(env: VectorEnv, steps: int) -> float:
    """Return how long some steps take, with drawing the actions and dealing the next games."""
    started = now()
    for _ in range(steps):
        env.step(env.random_actions())
    return now() - started


def _gain_of_threads(game: str, tables: int) -> float:
    """Return how many times as fast two threads are as one.

    Both are measured in turn, and their medians compared: other programs on the machine slow down two threads
    most, and the best of several rounds would hide that.
    """
    progress(f"{tables:,} tables of {game}, 1 thread and 2")
    one, two = _warm(game, tables, 1), _warm(game, tables, 2)
    steps = THREADED_STEPS // tables
    rounds = [(_seconds(one, steps), _seconds(two, steps)) for _ in range(ROUNDS)]
    one.close()
    two.close()
    return statistics.median(first for first, _ in rounds) / statistics.median(second for _, second in rounds)


def _agents_speed(game: str) -> float:
    progress(f"PettingZoo: {game}")
    env = import_module(f"upcard.rl.{game}_v1").raw_env()
    env.reset(seed=1)
    _play_agents(env, 1_000)
    return best_of(lambda: _play_agents(env, AGENT_STEPS))


def _play_agents(env: Any, steps: int) -> float:
    """Play games of a PettingZoo environment at random, and return its steps per second."""
    dice = random.Random(1)
    made = 0
    started = now()
    while made < steps:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(dice.random() * len(legal))]))
                made += 1
    return made / (now() - started)


def _spiel_speeds(games: list[str]) -> Iterator[Figure]:
    """Measure our games in OpenSpiel and one of its own, all in turns."""
    import pyspiel

    import_module("open_spiel.python.games")
    import_module("upcard.rl.openspiel")
    loaded = {name: pyspiel.load_game(name) for name in (PEER, *(f"python_upcard_{game}" for game in games))}
    speeds = dict.fromkeys(loaded, 0.0)
    for _ in range(ROUNDS):
        for name, game in loaded.items():
            progress(f"OpenSpiel: {name}")
            speeds[name] = max(speeds[name], _decisions(game, random.Random(1)))
    for name, speed in speeds.items():
        wanted = None if name == PEER else speeds[PEER]
        yield Figure(f"OpenSpiel: {name}", speed, "decisions/s", wanted)


def _decisions(game: Any, dice: random.Random) -> float:
    """Play at random, and return decisions per second."""
    made = 0
    started = now()
    while now() < started + SPIEL_SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, odds)[0])
            else:
                state.apply_action(dice.choice(state.legal_actions()))
                made += 1
    return made / (now() - started)
