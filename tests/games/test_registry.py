"""Games of other packages: found by entry points, and harmless if they are broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ENTRY_POINTS = """\
[upcard.games]
absent = there_is_no_such_module:GAME
broken = broken_game:GAME
misnamed = upcard.games.lines:GAME
stockpile = broken_game:GAME
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with a distribution whose games cannot be played."""
    (tmp_path / "broken_game.py").write_text("raise ValueError('no cards')")
    info = tmp_path / "broken_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return tmp_path


def upcard(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "upcard", *arguments],
        env={"PYTHONPATH": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_games_that_cannot_be_loaded_are_reported_in_a_sentence_each_and_left_out(installed: Path) -> None:
    done = upcard(installed, "games")
    listed = [line.partition(":")[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert listed == ["stockpile", "lines", "stacks"]
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "there are two games 'stockpile': upcard.games.stockpile:GAME is used, broken_game:GAME is not",
        (
            "the game absent of there_is_no_such_module:GAME cannot be loaded: "
            "ModuleNotFoundError: No module named 'there_is_no_such_module'"
        ),
        "the game broken of broken_game:GAME cannot be loaded: ValueError: no cards",
        "the game misnamed of upcard.games.lines:GAME cannot be loaded: it is not a Game with that id",
    ]


def test_a_game_that_cannot_be_loaded_is_refused_in_a_sentence(installed: Path) -> None:
    done = upcard(installed, "rules", "broken")
    assert done.returncode != 0
    assert "the game broken of broken_game:GAME cannot be loaded: ValueError: no cards" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_that_cannot_be_loaded_is_unknown_to_programs_and_to_the_server(installed: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import upcard; upcard.new('broken')"],
        env={"PYTHONPATH": str(installed), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "UnknownGame: the game broken of broken_game:GAME cannot be loaded" in done.stderr
