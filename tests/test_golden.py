"""Golden games: the rules must always give the same game for a seed.

`make golden` writes each file. A change of the rules or of the format that alters them affects players of old
games: think before writing them again.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from upcard.core.game import Game
from upcard.games import all_games, find
from upcard.lab.simulate import SimulationPlan, simulate
from upcard.match import read_seed, replay

pytestmark = pytest.mark.compiled

GOLDEN = Path(__file__).parent / "golden"
# As `make golden` has them.
GAMES, SEED, PLAYERS, BOTS = 4, "golden", 3, ("greedy", "random")

each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


def golden(game: Game) -> str:
    return (GOLDEN / f"{game.id}.jsonl").read_text("utf-8")


@each_game
def test_golden_records_are_right(game: Game) -> None:
    lines = golden(game).splitlines()
    assert len(lines) == GAMES
    for line in lines:
        match = replay(json.loads(line))
        assert match.to_json(legal=True) == line


@each_game
def test_the_same_seed_still_gives_the_golden_records(game: Game) -> None:
    options = find(game.id).complete({"players": PLAYERS})
    plan = SimulationPlan(game.id, tuple(options.items()), BOTS, read_seed(SEED), records=True, legal=True)
    file = io.StringIO()
    simulate(plan, GAMES, jobs=1, records=file)
    assert file.getvalue() == golden(game)


def simulated_elsewhere(game: Game, **compiled: str) -> str:
    """Return the records of another process, whose code is compiled as these variables of Numba say."""
    command = [sys.executable, "-m", "upcard.cli", "simulate", game.id, "--games", str(GAMES)]
    command += ["--seed", SEED, "--players", str(PLAYERS), "--bots", ",".join(BOTS)]
    command += ["--jobs", "2", "--legal", "--records", "-"]
    environment = {**os.environ, **compiled}
    output = subprocess.run(
        command, capture_output=True, check=True, text=True, encoding="utf-8", env=environment
    )
    return output.stdout


@each_game
def test_another_process_gives_the_golden_records_too(game: Game) -> None:
    assert simulated_elsewhere(game) == golden(game)


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[] if game.id == "stockpile" else pytest.mark.soak) for game in all_games()],
    ids=lambda game: game.id,
)
def test_code_compiled_as_users_have_it_gives_the_golden_records_too(game: Game) -> None:
    assert simulated_elsewhere(game, NUMBA_BOUNDSCHECK="0", NUMBA_OPT="3") == golden(game)
