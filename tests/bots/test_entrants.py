"""Bots by name, their budgets, and bots of other packages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from upcard.bots import Budget, Turn, find, known
from upcard.bots.levels import LEVELS
from upcard.core.errors import UpcardError
from upcard.games import all_games

NAMED = {
    "greedy": Budget(),
    "search@500": Budget(simulations=500),
    "search@200ms": Budget(seconds=0.2),
    "search@1.5s": Budget(seconds=1.5),
    "search:threads=2@500": Budget(simulations=500),
    "hard": LEVELS["hard"][1],
    "hard@20": Budget(simulations=20),
}


def test_a_bot_is_found_by_its_name_with_its_budget() -> None:
    assert {find(text).text: find(text).budget for text in NAMED} == NAMED


TOO_LITTLE_OR_MUCH = "a bot thinks for 1 to 999999999 simulations, or up to an hour, not for"
WRONG = {
    "frob": "there is no bot 'frob': choose ",
    "": "there is no bot '': choose ",
    "search@": "a bot thinks for 500 (simulations), 200ms or 2s, not for ''",
    "search@soon": "a bot thinks for 500 (simulations), 200ms or 2s, not for 'soon'",
    "search@-5": "a bot thinks for 500 (simulations), 200ms or 2s, not for '-5'",
    "search@0": f"{TOO_LITTLE_OR_MUCH} '0'",
    "search@0ms": f"{TOO_LITTLE_OR_MUCH} '0ms'",
    "search@9999s": f"{TOO_LITTLE_OR_MUCH} '9999s'",
    f"search@{'9' * 5_000}": f"{TOO_LITTLE_OR_MUCH} '{'9' * 40}'...",
    f"search@{'9' * 5_000}s": f"{TOO_LITTLE_OR_MUCH} '{'9' * 40}'...",
    f"search:threads={'9' * 5_000}": f"search takes threads=1 to 64, not 'threads={'9' * 32}'...",
    "greedy:fast": "greedy has no options, so leave out 'fast'",
    "easy:fast": "easy has no options, so leave out 'fast'",
    "search:fast": "search takes threads=1 to 64, not 'fast'",
    "clairvoyant": "clairvoyant is shown every card, so it plays in tournaments of the lab only",
    "clairvoyant@5": "clairvoyant is shown every card, so it plays in tournaments of the lab only",
}


def test_an_invalid_name_gets_one_sentence(subtests: pytest.Subtests) -> None:
    for text, sentence in WRONG.items():
        with subtests.test(text):
            with pytest.raises(UpcardError) as caught:
                find(text)
            assert str(caught.value).startswith(sentence)


def test_the_levels_are_among_the_bots_from_the_weakest_to_the_strongest() -> None:
    assert [name for name in known() if name in LEVELS] == ["easy", "normal", "hard", "expert"]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_easy_now_and_then_overlooks_what_greedy_sees_but_never_what_is_not_there(game: object) -> None:
    from upcard.core.game import Game

    assert isinstance(game, Game)
    table = game.deal({"players": 3}, b"deal")
    turn = Turn(game, game.view(table, table.to_move), game.legal_moves(table))
    chosen = [find("easy").make(bytes([number])).choose(turn) for number in range(100)]
    best = find("greedy").make(b"").choose(turn)
    assert set(chosen) <= set(turn.moves)
    assert 30 < chosen.count(best) < 100


# A package by another author.

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "upcard-lastmover"
version = "1.0"

[tool.hatch.build.targets.wheel]
include = ["lastmover.py"]

[project.entry-points."upcard.bots"]
last = "lastmover:Last"
broken = "lastmover:Missing"
"""

MODULE = '''
class Last:
    """Plays the last of the legal moves."""

    def __init__(self, seed, options):
        self.options = options

    def choose(self, turn):
        return turn.moves[-1]
'''

USE = """
import sys
sys.path.insert(0, sys.argv[1])
from upcard.bots import find, known
assert {"broken", "last"} <= set(known()), known()
assert find("last:x@5").make(b"").options == "x"
from upcard.cli import main
main(sys.argv[2:])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package with pip into an empty folder."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("target")
    (source / "pyproject.toml").write_text(PROJECT)
    (source / "lastmover.py").write_text(MODULE)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    ways = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(target), str(source)]
    subprocess.run([*pip, *ways], check=True, capture_output=True)
    return target


def use(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", USE, str(installed), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_package_that_is_installed_adds_its_bot_to_those_that_can_be_named(installed: Path) -> None:
    words = ["simulate", "lines", "--bots", "last,greedy", "--games", "3", "--seed", "1", "--jobs", "1"]
    ran = use(installed, *words, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert '"bots": ["last", "greedy"]' in ran.stdout


def test_a_bot_that_cannot_be_loaded_is_told_in_one_sentence(installed: Path) -> None:
    ran = use(installed, "simulate", "lines", "--bots", "broken")
    assert ran.returncode == 2
    assert ran.stderr.startswith("upcard: the bot broken of lastmover:Missing cannot be loaded: ")
    assert ran.stderr.count("\n") == 1
