"""The results log of a tournament: nothing in it is lost, and no other file is mistaken for it."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from upcard.core.errors import UpcardError
from upcard.core.exclusive import exclusive
from upcard.games import GAMES
from upcard.lab.tournament.deals import TournamentPlan, play_deals
from upcard.lab.tournament.results_log import ResultsLog, seed_in
from upcard.match import read_seed

SEED = read_seed(1)


def plan_of(
    game: str = "lines", bots: str = "easy,greedy", seed: bytes = SEED, **options: object
) -> TournamentPlan:
    return TournamentPlan.of(game, options, bots.split(","), seed)


def kept(path: Path, plan: TournamentPlan, deals: int) -> None:
    with ResultsLog(path, plan) as log:
        log.write(play_deals(plan, 0, deals))


@pytest.mark.parametrize("game", GAMES)
def test_what_was_written_is_read_again(tmp_path: Path, game: str) -> None:
    plan, path = plan_of(game, "easy,greedy,random"), tmp_path / "kept"
    dealt = play_deals(plan, 0, 3)
    with ResultsLog(path, plan) as log:
        assert (log.deals, len(log.rows)) == (0, 0)
        log.write(dealt.upto(1))
        log.write(play_deals(plan, 1, 2))
        assert log.deals == 3
    with ResultsLog(path, plan) as log:
        assert np.array_equal(log.rows, dealt.rows)
        log.write(play_deals(plan, 3, 1))
    assert [json.loads(line)["deal"] for line in path.read_text().splitlines()[1:]] == [0, 1, 2, 3]


def test_every_deal_is_in_the_file_as_soon_as_it_is_written(tmp_path: Path) -> None:
    plan, path = plan_of(), tmp_path / "kept"
    with ResultsLog(path, plan) as log:
        assert path.read_bytes().count(b"\n") == 1
        log.write(play_deals(plan, 0, 2))
        assert path.read_bytes().count(b"\n") == 3


def test_the_seed_stands_in_the_file(tmp_path: Path) -> None:
    assert seed_in(tmp_path / "kept") is None
    (tmp_path / "kept").touch()
    assert seed_in(tmp_path / "kept") is None
    kept(tmp_path / "kept", plan_of(), 0)
    assert seed_in(tmp_path / "kept") == SEED


@pytest.mark.parametrize("cut", [1, 2, 20, 60])
def test_a_half_written_line_is_dropped_and_written_again(tmp_path: Path, cut: int) -> None:
    plan, path = plan_of(), tmp_path / "kept"
    kept(path, plan, 3)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with ResultsLog(path, plan) as log:
        assert log.deals == 2
        assert path.read_bytes() == b"".join(whole.splitlines(keepends=True)[:3])
        log.write(play_deals(plan, 2, 1))
    assert path.read_bytes() == whole


ANOTHER: dict[str, tuple[TournamentPlan, str]] = {
    "game": (plan_of("stacks"), "game lines, not stacks"),
    "bots": (plan_of(bots="greedy,easy"), "bots easy,greedy, not greedy,easy"),
    "more bots": (plan_of(bots="easy,greedy,greedy", players=2), "bots easy,greedy, not easy,greedy,greedy"),
    "seed": (plan_of(seed=read_seed(2)), f"seed {SEED.hex()}, not {read_seed(2).hex()}"),
    "players": (plan_of(players=3), "players 2, not 3"),
    "option": (plan_of(reshuffle=False), "reshuffle yes, not no"),
}


def test_another_tournament_is_refused_and_what_differs_is_named(
    tmp_path: Path, subtests: pytest.Subtests
) -> None:
    path = tmp_path / "kept"
    kept(path, plan_of(), 2)
    before = path.read_bytes()
    for what, (plan, difference) in ANOTHER.items():
        with subtests.test(what):
            with pytest.raises(UpcardError) as refused:
                ResultsLog(path, plan)
            assert str(refused.value) == f"{path} keeps another tournament, with {difference}"
            assert path.read_bytes() == before


def test_a_tournament_of_another_version_is_refused(tmp_path: Path) -> None:
    """Its bots may have played differently."""
    path = tmp_path / "kept"
    kept(path, plan_of(), 1)
    head, deal = path.read_text().splitlines()
    path.write_text(json.dumps(json.loads(head) | {"version": "0.0.1"}) + f"\n{deal}\n")
    with pytest.raises(UpcardError, match=r"keeps another tournament, with version 0\.0\.1, not "):
        ResultsLog(path, plan_of())


SOMETHING_ELSE = [
    "precious",
    "precious\n",
    "{}\n",
    "[]\n",
    "1\n",
    '{"tournament": 2}\n',
    '{"tournament": 1, "seed": "x"}\n',
]


def test_a_file_of_something_else_is_left_alone(tmp_path: Path, subtests: pytest.Subtests) -> None:
    path = tmp_path / "kept"
    for content in SOMETHING_ELSE:
        with subtests.test(content):
            path.write_text(content)
            for look in (lambda: seed_in(path), lambda: ResultsLog(path, plan_of())):
                with pytest.raises(UpcardError, match="is not the file of a tournament"):
                    look()
            assert path.read_text() == content


def changed(line: str, place: int, value: Any) -> str:
    deal = json.loads(line)
    deal["games"][1][place] = value
    return json.dumps(deal)


DAMAGE: dict[str, Callable[[str], str]] = {
    "no JSON": lambda line: line[:-3],
    "another deal": lambda line: line.replace('"deal": 1', '"deal": 2'),
    "no games": lambda line: line.replace("games", "matches"),
    "a game is missing": lambda line: json.dumps(json.loads(line) | {"games": json.loads(line)["games"][:1]}),
    "an unknown reason": lambda line: changed(line, 0, "bored"),
    "no moves": lambda line: changed(line, 1, 0),
    "moves in words": lambda line: changed(line, 1, "many"),
    "more moves than numbers": lambda line: changed(line, 1, 10**20),
    "a starter who sits nowhere": lambda line: changed(line, 2, 3),
    "nobody won": lambda line: changed(line, 3, []),
    "a winner who sits nowhere": lambda line: changed(line, 3, [3]),
    "a score is missing": lambda line: changed(line, 4, [7]),
}


def test_a_damaged_deal_is_found_with_its_line(tmp_path: Path, subtests: pytest.Subtests) -> None:
    path = tmp_path / "kept"
    kept(path, plan_of(), 3)
    whole = path.read_text().splitlines()
    for name, damaged in DAMAGE.items():
        with subtests.test(name):
            path.write_text("\n".join([*whole[:2], damaged(whole[2]), *whole[3:]]) + "\n")
            before = path.read_bytes()
            with pytest.raises(UpcardError, match=r"line 3: this is not deal 1 of the tournament; delete"):
                ResultsLog(path, plan_of())
            assert path.read_bytes() == before


def test_a_disk_that_fills_up_is_told_in_a_sentence(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    plan, path = plan_of(), tmp_path / "kept"
    kept(path, plan, 1)
    dealt = play_deals(plan, 1, 30)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with ResultsLog(path, plan) as log:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_500, before[1]))
        try:
            with pytest.raises(UpcardError, match=f"{path} cannot be written: "):
                log.write(dealt)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with ResultsLog(path, plan) as log:
        assert np.array_equal(log.rows, play_deals(plan, 0, log.deals).rows)
        assert log.deals > 1


@pytest.mark.parametrize("name", ["no/such/folder", "."])
def test_a_file_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path, name: str) -> None:
    reason = (
        "cannot store a tournament: it is not a regular file" if name == "." else "cannot be written: No such"
    )
    with pytest.raises(UpcardError, match=f"{tmp_path / name} {reason}"):
        ResultsLog(tmp_path / name, plan_of())


HOLDER = """
import sys
from pathlib import Path
from upcard.core.exclusive import exclusive
with exclusive(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_file_that_another_process_writes_is_refused_and_that_process_is_named(tmp_path: Path) -> None:
    path, plan = tmp_path / "kept", plan_of()
    kept(path, plan, 2)
    before = path.read_bytes()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        holder = f"process {other.pid} on {platform.node()}"
        with pytest.raises(UpcardError) as refused:
            ResultsLog(path, plan)
        assert str(refused.value) == (
            f"{path} is in use by {holder}: wait until it has ended, or choose another file"
        )
        assert path.read_bytes() == before
        # However it ends.
        other.kill()
    with ResultsLog(path, plan) as log:
        assert log.deals == 2
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_a_file_that_was_refused_is_not_locked(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("precious\n")
    with pytest.raises(UpcardError):
        ResultsLog(path, plan_of())
    with exclusive(path):
        pass
    assert path.read_text() == "precious\n"
