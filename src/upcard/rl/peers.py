"""The environments of others, measured as ours are: random legal actions, observed, dealt anew.

A virtual environment that has them, and knows nothing of Upcard, runs this file: `python peers.py PACKAGE
NAME` prints steps a second.
"""

from __future__ import annotations

__all__ = ["PACKAGES", "PEERS", "Peer", "play_agents"]

import random
import sys
import time
from importlib import import_module
from typing import Any, NamedTuple

PACKAGES = ("pgx", "jax", "pettingzoo[classic]", "open_spiel")
TABLES = 4_096
STEPS = 100
ROUNDS = 5
AGENT_STEPS = 5_000
DECISIONS = 20_000


class Peer(NamedTuple):
    """An environment of somebody else."""

    package: str
    name: str
    unit: str


PEERS = (
    Peer("pgx", "leduc_holdem", "steps/s"),
    Peer("pgx", "2048", "steps/s"),
    Peer("pgx", "sparrow_mahjong", "steps/s"),
    Peer("pettingzoo", "leduc_holdem_v4", "steps/s"),
    Peer("pettingzoo", "texas_holdem_v4", "steps/s"),
    Peer("pettingzoo", "texas_holdem_no_limit_v6", "steps/s"),
    Peer("openspiel", "leduc_poker", "decisions/s"),
    Peer("openspiel", "gin_rummy", "decisions/s"),
    Peer("openspiel", "crazy_eights", "decisions/s"),
)


def play_agents(env: Any, steps: int, dice: random.Random) -> float:
    """Play games of an environment of PettingZoo, and return how many steps a second there were."""
    made = 0
    started = time.perf_counter()
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
    return made / (time.perf_counter() - started)


def pettingzoo(name: str) -> float:
    """Measure one of PettingZoo's own card games."""
    env = import_module(f"pettingzoo.classic.{name}").raw_env()
    env.reset(seed=1)
    return max(play_agents(env, AGENT_STEPS, random.Random(1)) for _ in range(ROUNDS))


def pgx(name: str) -> float:
    """Measure a game of pgx: all tables in one compiled loop, which draws the actions too."""
    jax = import_module("jax")
    env = import_module("pgx").make(name)
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, for_actions, for_steps = jax.random.split(key, 3)
        odds = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(for_actions, odds, axis=-1)
        state = step(state, actions, jax.random.split(for_steps, TABLES))
        return (state, key), state.observation.sum()

    run = jax.jit(lambda carry: jax.lax.scan(one, carry, None, STEPS))
    key = jax.random.PRNGKey(0)
    carry = (jax.jit(jax.vmap(env.init))(jax.random.split(key, TABLES)), key)
    carry, seen = jax.block_until_ready(run(carry))
    best = 0.0
    for _ in range(ROUNDS):
        started = time.perf_counter()
        carry, seen = run(carry)
        jax.block_until_ready(seen)
        best = max(best, STEPS * TABLES / (time.perf_counter() - started))
    return best


def openspiel(name: str) -> float:
    """Measure a game of OpenSpiel, played from Python, with the tensor that a learner would be shown."""
    game = import_module("pyspiel").load_game(name)
    return max(_decisions(game, random.Random(1)) for _ in range(ROUNDS))


def _decisions(game: Any, dice: random.Random) -> float:
    made = 0
    started = time.perf_counter()
    while made < DECISIONS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, odds)[0])
            else:
                state.observation_tensor(state.current_player())
                state.apply_action(dice.choice(state.legal_actions()))
                made += 1
    return made / (time.perf_counter() - started)


MEASURES = {"pgx": pgx, "pettingzoo": pettingzoo, "openspiel": openspiel}

if __name__ == "__main__":
    print(MEASURES[sys.argv[1]](sys.argv[2]))
