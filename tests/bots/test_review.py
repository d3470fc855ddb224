"""`upcard review`: what a bot says about the moves of a game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Run, running
from upcard.bots import Budget
from upcard.bots.review import Decision, Review, review
from upcard.games import GAMES
from upcard.match.reading import record_in

GOLDEN = Path(__file__).parents[1] / "golden"
GLANCE = Budget(simulations=200)

pytestmark = pytest.mark.compiled


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)


@pytest.fixture(scope="module", params=list(GAMES))
def reviewed(request: pytest.FixtureRequest) -> tuple[Review, Review]:
    """Return a review of a game between greedy and random bots, made twice."""
    record = record_in(GOLDEN / f"{request.param}.jsonl", 1)
    return review(record, GLANCE), review(record, GLANCE)


def test_the_same_is_found_every_time(reviewed: tuple[Review, Review]) -> None:
    assert reviewed[0] == reviewed[1]


def test_every_decision_has_a_better_or_equal_move_and_a_reason(reviewed: tuple[Review, Review]) -> None:
    decisions = reviewed[0].decisions
    assert decisions
    for one in decisions:
        assert 0 <= one.chance <= 1
        assert one.cost >= 0
        assert one.why.endswith(".")
    assert any(one.cost > 0 for one in decisions)


def test_a_random_player_gives_away_more_than_a_greedy_one(reviewed: tuple[Review, Review]) -> None:
    found = reviewed[0]

    def agreement(kind: str) -> float:
        seats = [seat for seat, name in enumerate(found.names, 1) if name.startswith(kind)]
        made: list[Decision] = [one for seat in seats for one in found.of(seat)]
        return sum(one.move == one.best for one in made) / len(made)

    assert agreement("greedy") > agreement("random")


def test_only_the_decisions_of_a_seat_are_looked_at_if_wanted() -> None:
    record = record_in(GOLDEN / "lines.jsonl", 1)
    assert {one.seat for one in review(record, GLANCE, [2]).decisions} == {2}


def test_the_command_prints_a_table_or_json(run: Run) -> None:
    path = GOLDEN / "lines.jsonl"
    assert "the costliest moves" in run("review", path, "--thought", "200").out
    told = json.loads(run("review", path, "--thought", "200", "--seat", "1", "--json").out)
    assert told["game"] == "lines"
    assert {one["seat"] for one in told["decisions"]} == {1}


def test_what_cannot_be_reviewed_gets_one_sentence(run: Run, tmp_path: Path) -> None:
    path = GOLDEN / "lines.jsonl"
    assert run("review", tmp_path / "no").mistake.endswith("cannot be read: No such file or directory")
    assert run("review", path, "--game", "9").mistake.endswith("has 4 games: there is no game 9")
    assert run("review", path, "--seat", "9").mistake == "there is no seat 9: there are 3 players"
    assert run("review", path, "--thought", "x").mistake.startswith("a bot thinks for 500 (simulations)")
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{")
    assert run("review", broken).mistake.startswith(f"{broken}:1: this is not JSON: ")
    broken.write_text("\n")
    assert run("review", broken).mistake == f"{broken} has 0 games: there is no game 1"
    record = json.loads(path.read_text().splitlines()[0])
    record["log"][2]["move"] = "frob"
    broken.write_text(json.dumps(record))
    told = run("review", broken, "--game", "1").mistake
    assert told.startswith(f"{broken}, game 1: entry 3: 'frob' is not a move of Lines")
