"""Plain and compiled rules agree, and compiling happens once."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest
from numba.core import config

import upcard
from tests.cases import each_case
from upcard.core import compiler
from upcard.core.cache import KEPT_CACHES, SPEAKING
from upcard.core.chance import Chance, chance_of, randint
from upcard.core.compiler import compiled
from upcard.core.memory import INT, empty, load, store
from upcard.core.rule import RULES
from upcard.core.table import Result
from upcard.testing.compiled import CompiledContract

pytestmark = pytest.mark.compiled


@each_case
class TestCompiled(CompiledContract):
    pass


def test_streams_are_the_same_plain_and_compiled() -> None:
    chance = chance_of(b"stream")
    memory = store(chance)
    bounds = [below for below in (1, 2, 3, 7, 96, 120, 65_537) for _ in range(20)]
    drawn = np.zeros(len(bounds), INT)
    draw_all(memory, np.array(bounds, INT), drawn)
    assert drawn.tolist() == [randint(chance, below) for below in bounds]
    assert load(Chance, memory) == chance


@compiled
def draw_all(chance: Any, bounds: Any, drawn: Any) -> None:
    for number in range(len(bounds)):
        drawn[number] = randint(chance, bounds[number])


# A small function that compiles quickly but calls a rule.
SECOND_START = """
import numpy
from tests.test_compiled import draw_all
from upcard.core.chance import Chance, chance_of
from upcard.core.memory import INT, empty
draw_all(empty(Chance), numpy.ones(3, INT), numpy.zeros(3, INT))
"""


def test_a_second_start_compiles_nothing_unless_the_cache_lost_its_files(tmp_path: Path) -> None:
    assert "Compiling the rules for this machine" in start(SECOND_START, tmp_path).stderr
    assert start(SECOND_START, tmp_path).stderr == ""
    for path in tmp_path.rglob("*.nb[ic]"):
        path.unlink()
    assert "Compiling the rules for this machine" in start(SECOND_START, tmp_path).stderr
    assert start(SECOND_START, tmp_path).stderr == ""


def test_no_rule_has_generators_or_closures() -> None:
    """Generators double the compile time, and closures miss the cache."""
    ours = [rule for rule in RULES if "upcard" in rule.plain.__module__]
    assert len(ours) > 200
    for rule in ours:
        for function in (inspect.unwrap(rule.plain), rule.compiled, rule.in_view or rule.compiled):
            inner = [constant for constant in function.__code__.co_consts if isinstance(constant, CodeType)]
            assert inner == [], rule
            assert function.__closure__ is None, rule


CACHE_FOLDER = """
import upcard.games.stockpile
from upcard.core.cache import cache_folder
print(cache_folder().name)
"""


def test_a_change_in_any_rule_leads_to_another_cache_folder(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(Path(upcard.__file__).parent, source / "upcard")
    before = start(CACHE_FOLDER, tmp_path, source).stdout
    assert start(CACHE_FOLDER, tmp_path, source).stdout == before
    # A function that is only called by others: Numba alone would not notice.
    piles = source / "upcard" / "core" / "piles.py"
    piles.write_text(piles.read_text("utf-8").replace("pile.count += 1", "pile.count += 2"), "utf-8")
    assert start(CACHE_FOLDER, tmp_path, source).stdout != before


def test_only_the_newest_cache_folders_are_kept(tmp_path: Path) -> None:
    for number in range(9):
        folder = tmp_path / "compiled" / f"old{number}"
        folder.mkdir(parents=True)
        (folder / "used").write_text("")
    kept = start(CACHE_FOLDER, tmp_path).stdout.strip()
    folders = [folder.name for folder in (tmp_path / "compiled").iterdir()]
    assert kept in folders
    assert len(folders) == KEPT_CACHES


@pytest.mark.parametrize("settings", [("NUMBA_BOUNDSCHECK", "0", "1"), ("NUMBA_OPT", "1", "3")])
def test_code_that_is_compiled_otherwise_is_kept_elsewhere(settings: tuple[str, str, str]) -> None:
    name, *values = settings
    program = "from upcard.core.cache import cache_folder; print(cache_folder().name)"
    folders = {
        subprocess.check_output([sys.executable, "-c", program], env={**os.environ, name: value})
        for value in values
    }
    assert len(folders) == 2


@pytest.mark.skipif(not config.BOUNDSCHECK, reason="`make test` checks bounds")
def test_reading_past_the_end_of_a_list_is_an_error() -> None:
    with pytest.raises(IndexError):
        read_place(empty(Result), 1_000)


@compiled
def read_place(result: Any, place: int) -> int:
    return int(result.scores[place])


def start(program: str, cache: Path, source: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {"UPCARD_CACHE": str(cache), "PATH": ""}
    if source is not None:
        environment["PYTHONPATH"] = str(source)
    return subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )


def test_no_rule_stands_in_a_module_that_only_speaks() -> None:
    assert not [rule for rule in RULES if Path(rule.plain.__code__.co_filename).name in SPEAKING]


def test_that_a_game_is_compiled_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiler, "_announced", set())
    for title in ("Lines", "Lines", "Stacks", "Lines"):
        compiler.announce(f"Compiling {title} ...")
    assert capsys.readouterr().err == "Compiling Lines ...\nCompiling Stacks ...\n"
    monkeypatch.setattr(compiler, "parent_process", lambda: "the one that says it")
    compiler.announce("Compiling Stockpile ...")
    assert capsys.readouterr().err == ""
