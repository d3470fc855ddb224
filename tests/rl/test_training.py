"""The example learns, and what it has learned plays without torch."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from upcard.bots.net import load
from upcard.lab.tournament.deals import TournamentPlan
from upcard.lab.tournament.run import run_tournament

torch = pytest.importorskip("torch")

pytestmark = [pytest.mark.learn, pytest.mark.soak, pytest.mark.compiled]
SCRIPT = Path(__file__).parents[2] / "examples" / "train.py"


@pytest.fixture(scope="module")
def train() -> ModuleType:
    described = importlib.util.spec_from_file_location("train", SCRIPT)
    assert described is not None
    assert described.loader is not None
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    torch.set_num_threads(1)
    return module


def test_a_few_rounds_of_lines_are_better_than_none(train: ModuleType, tmp_path: Path) -> None:
    learner = train.Learner("lines", 1, players=2)
    before = learner.share_of_wins("random")
    for _ in range(8):
        learner.learn(1.0)
    after = learner.share_of_wins("random")
    assert after > before + 0.1
    learner.save(str(tmp_path / "lines.npz"))
    assert load(str(tmp_path / "lines.npz")).players == (2,)
    plan = TournamentPlan.of("lines", {}, [f"net:{tmp_path / 'lines.npz'}", "random"], b"few rounds")
    (row,) = (row for row in run_tournament(plan, 80).to_json()["standings"] if row["bot"] != "random")
    assert row["interval"][0] > 0.5


@pytest.mark.parametrize("game", ["stockpile", "stacks"])
def test_every_game_can_be_learned(
    train: ModuleType, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = str(tmp_path / "net.npz")
    arguments = [game, "--rounds", "1", "--players", "3", "--threads", "1", "--out", out]
    monkeypatch.setattr(sys, "argv", ["train.py", *arguments])
    train.main()
    assert load(out).players == (3,)


def test_the_same_seed_learns_the_same(train: ModuleType) -> None:
    shares = []
    for _ in range(2):
        learner = train.Learner("lines", 3, players=2)
        for _ in range(30):
            learner.learn(1.0)
        shares.append(learner.share_of_wins())
    assert shares[0] == shares[1] > 0.35
