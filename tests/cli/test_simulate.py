"""Simulations from the command line: output, records and interruptions."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import (
    Ran,
    Run,
    apart,
    command,
    interrupted,
    press_ctrl_c,
    processes,
    run_process,
)
from tests.lab.test_records import disk_of
from tests.waiting import wait_until
from upcard.bots import known
from upcard.games import GAMES, find

pytestmark = pytest.mark.compiled

# The name of standard output, if it has one.
STANDARD_OUTPUT = Path("/dev/stdout")

each_game = pytest.mark.parametrize("game", GAMES)
# Distributing the work is independent of the game, so one game is enough outside a soak.
one_game_or_each = pytest.mark.parametrize(
    "game", [game if game == "stockpile" else pytest.param(game, marks=pytest.mark.soak) for game in GAMES]
)


def summary(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran.err
    loaded: dict[str, Any] = json.loads(ran.out)
    return loaded


def records_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


# Output


@each_game
def test_the_summary_as_json_has_everything(run: Run, game: str) -> None:
    facts = summary(run("simulate", game, "--games", "50", "--seed", "1", "--json"))
    assert list(facts) == [
        *("game", "options", "bots", "seed", "games", "moves", "seconds", "interrupted"),
        *("moves_per_second", "moves_per_game", "reasons", "forfeits", "wins", "mean_scores"),
    ]
    assert facts["game"] == game
    assert facts["options"] == find(game).complete({})
    assert facts["bots"] == ["random", "random"]
    assert len(bytes.fromhex(facts["seed"])) == 32
    assert facts["games"] == 50
    assert facts["moves_per_game"] == facts["moves"] / 50
    assert facts["interrupted"] is False
    assert sum(facts["reasons"].values()) == 50
    assert sum(facts["wins"]) == pytest.approx(50, abs=0.05)
    assert len(facts["mean_scores"]) == 2


@each_game
def test_the_summary_for_people_has_a_row_for_each_seat(run: Run, game: str) -> None:
    ran = run("simulate", game, "--games", "50", "--players", "3", "--bots", "greedy,random", "--seed", "1")
    assert ran.code == 0
    assert f"50 games of {game}, " in ran.out
    assert "Ended: " in ran.out
    rows = [line.split() for line in ran.out.splitlines() if "greedy" in line or "random" in line]
    assert [row[1] for row in rows] == ["1", "2", "3"]
    assert "Traceback" not in ran.err


def test_one_game_is_one_game(run: Run) -> None:
    assert "1 game of lines, " in run("simulate", "lines", "--games", "1").out


def test_the_seed_that_is_printed_gives_the_same_games_again(run: Run) -> None:
    once = summary(run("simulate", "lines", "--games", "200", "--json"))
    again = summary(run("simulate", "lines", "--games", "200", "--json", "--seed", once["seed"]))
    other = summary(run("simulate", "lines", "--games", "200", "--json"))
    assert other["seed"] != once["seed"]
    for key in ("seed", "moves", "wins", "mean_scores"):
        assert again[key] == once[key]


def test_a_progress_bar_is_not_for_pipes(run: Run) -> None:
    """Only a running compiler may print something."""
    run("simulate", "lines", "--games", "1")
    assert run("simulate", "lines", "--games", "10").err == ""


# Bots and options


@pytest.mark.compiled("stacks")
@pytest.mark.parametrize(
    ("bots", "seated"),
    [
        ("greedy", ["greedy"] * 5),
        ("greedy,random", ["greedy", "random", "greedy", "random", "greedy"]),
        ("random,greedy,greedy", ["random", "greedy", "greedy", "random", "greedy"]),
    ],
)
def test_a_few_bots_take_turns_at_the_seats(run: Run, bots: str, seated: list[str]) -> None:
    ran = run("simulate", "stacks", "--games", "5", "--players", "5", "--bots", bots, "--json")
    assert summary(ran)["bots"] == seated


@each_game
def test_a_better_bot_wins_more(run: Run, game: str) -> None:
    wins = summary(
        run("simulate", game, "--games", "300", "--bots", "greedy,random", "--seed", "1", "--json")
    )
    assert wins["wins"][0] > 180


@one_game_or_each
def test_bots_of_all_kinds_play_the_same_games_whatever_the_number_of_jobs(
    run: Run, tmp_path: Path, game: str
) -> None:
    bots = ["search@4", "easy", "clairvoyant@4"]
    came = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.jsonl"
        arguments = ["--games", "4", "--players", "3", "--bots", ",".join(bots), "--seed", "1", "--json"]
        facts = summary(run("simulate", game, *arguments, "--jobs", jobs, "--records", path))
        came.append(({**facts, "seconds": 0, "moves_per_second": 0}, path.read_bytes()))
    assert came[0] == came[1]
    assert came[0][0]["bots"] == bots


@each_game
def test_the_summary_of_bots_that_are_not_compiled_agrees_with_their_records(
    run: Run, tmp_path: Path, game: str
) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["--games", "4", "--bots", "easy,hard@4", "--jobs", "1", "--records", path, "--json"]
    facts = summary(run("simulate", game, *arguments))
    assert run("verify", path).out == f"4 of 4 games are right, {facts['moves']} moves\n"
    records = records_in(path)
    won = [sum(1 / len(won) for won in winners(records) if seat in won) for seat in (1, 2)]
    assert facts["wins"] == pytest.approx(won, abs=0.01)
    scores = zip(*(record["result"]["scores"] for record in records), strict=True)
    assert facts["mean_scores"] == pytest.approx([sum(score) / 4 for score in scores], abs=0.001)
    reasons = [record["result"]["reason"] for record in records]
    assert facts["reasons"] == {reason: reasons.count(reason) for reason in facts["reasons"]}


def test_records_are_not_needed_for_bots_that_are_not_compiled(run: Run) -> None:
    ran = run("simulate", "lines", "--games", "4", "--bots", "easy", "--seed", "1", "--jobs", "1", "--json")
    assert sum(summary(ran)["wins"]) == pytest.approx(4)


def test_a_bot_of_another_package_plays_in_all_processes(tmp_path: Path) -> None:
    package = tmp_path / "guest-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[upcard.bots]\nguest = upcard.bots:Greedy\n")
    arguments = ["simulate", "lines", "--games", "4", "--bots", "guest", "--jobs", "2", "--json"]
    known_here = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    assert summary(run_process(*arguments, PYTHONPATH=known_here))["bots"] == ["guest", "guest"]


def test_house_rules_hold(run: Run) -> None:
    ran = run(
        "simulate", "stockpile", "--games", "5", "--option", "stock=3", "--option", "must_play=no", "--json"
    )
    options = summary(ran)["options"]
    assert options == find("stockpile").complete({"stock": 3, "must_play": False})


MISTAKES = {
    "frob": "there is no game 'frob': choose stockpile, lines, stacks",
    "stacks lines": "too many arguments: 'lines'",
    "stacks --bots frob": f"there is no bot 'frob': choose {', '.join(known())}",
    "stacks --bots greedy,": f"there is no bot '': choose {', '.join(known())}",
    "stacks --bots=": f"there is no bot '': choose {', '.join(known())}",
    "stacks --bots random,greedy,random": "name 1 to 2 bots for 2 players, not 3",
    "stacks --players 7": "players cannot be 7: it is a whole number from 2 to 6 (K2.1)",
    "stacks --option frob=1": (
        "there is no option 'frob': the options are players, dealer, two_player_deck, must_play, chip_win, "
        "block, turn_limit, recycle"
    ),
    "stacks --option =1": (
        "there is no option '': the options are players, dealer, two_player_deck, must_play, chip_win, "
        "block, turn_limit, recycle"
    ),
    "stacks --option block=never": "block cannot be 'never': it is completion or anytime (K5.1)",
    "stacks --option block=": "block cannot be '': it is completion or anytime (K5.1)",
    "stacks --option dealer=3": "dealer cannot be seat 3: there are 2 players (K2.1)",
    "stacks --option dealer=0": "dealer cannot be '0': it is random or the number of a seat (K2.1)",
    "stacks --option block=anytime --option block=anytime": "block is given twice",
    "stockpile --players 4 --option stock=30": (
        "4 players can have at most 20 stockpile cards each, not 30 (S2.2)"
    ),
    "lines --players 5": "5 players need 6 colours, not 5 (L1.2)",
}


def test_a_wrong_argument_gets_one_line_and_exit_code_2(run: Run, subtests: pytest.Subtests) -> None:
    for line, said in MISTAKES.items():
        with subtests.test(line):
            assert run("simulate", *line.split(" ")).mistake == said


# Records


@one_game_or_each
def test_the_number_of_jobs_changes_no_byte_of_the_records(run: Run, tmp_path: Path, game: str) -> None:
    """More games than in one batch, so that two processes share them."""
    written = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.jsonl"
        arguments = ["--games", "130", "--bots", "greedy,random", "--players", "3", "--seed", "x", "--legal"]
        facts = summary(run("simulate", game, *arguments, "--jobs", jobs, "--records", path, "--json"))
        written.append((path.read_bytes(), facts["moves"], facts["wins"], facts["mean_scores"]))
    assert written[0] == written[1]
    assert written[0][0].count(b"\n") == 130


@each_game
def test_records_verify_and_agree_with_the_summary(run: Run, tmp_path: Path, game: str) -> None:
    path = tmp_path / "games.jsonl"
    facts = summary(
        run("simulate", game, "--games", "40", "--bots", "greedy", "--jobs", "1", "--records", path, "--json")
    )
    verified = run("verify", path)
    assert (verified.code, verified.err) == (0, "")
    assert verified.out == f"40 of 40 games are right, {facts['moves']} moves\n"
    records = records_in(path)
    assert {record["game"] for record in records} == {game}
    assert len({record["seed"] for record in records}) == 40
    won = [sum(1 / len(won) for won in winners(records) if seat in won) for seat in (1, 2)]
    assert facts["wins"] == pytest.approx(won, abs=0.01)


def winners(records: list[dict[str, Any]]) -> list[list[int]]:
    return [record["result"]["winners"] for record in records]


@each_game
def test_legal_moves_are_written_only_if_asked_for(run: Run, tmp_path: Path, game: str) -> None:
    path = tmp_path / "games.jsonl"
    for arguments in ([], ["--legal"]):
        summary(run("simulate", game, "--games", "5", "--jobs", "1", "--records", path, "--json", *arguments))
        moves = [entry for record in records_in(path) for entry in record["log"] if "move" in entry]
        assert all(("legal" in entry) == bool(arguments) for entry in moves)
        assert all(entry["move"] in entry.get("legal", [entry["move"]]) for entry in moves)


def test_records_say_who_played(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = [
        "--games",
        "1",
        "--players",
        "3",
        "--bots",
        "greedy,random",
        "--jobs",
        "1",
        "--records",
        path,
    ]
    assert run("simulate", "stacks", *arguments).code == 0
    assert records_in(path)[0]["seats"] == [
        {"name": "greedy 1", "bot": "greedy"},
        {"name": "random 2", "bot": "random"},
        {"name": "greedy 3", "bot": "greedy"},
    ]


def test_records_can_go_to_standard_output_and_nothing_else_does(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["simulate", "lines", "--games", "12", "--seed", "1", "--jobs", "1", "--records"]
    run(*arguments, path)
    assert run(*arguments, "-").out == path.read_text("utf-8")


def test_records_and_a_summary_are_not_mixed(run: Run) -> None:
    said = "--records and --json cannot both go to standard output: give the records a file"
    assert run("simulate", "lines", "--games", "3", "--records", "-", "--json").mistake == said
    if STANDARD_OUTPUT.exists():
        assert run_process("simulate", "lines", "--records", STANDARD_OUTPUT, "--json").mistake == said


def test_records_on_standard_output_are_utf_8_on_any_terminal() -> None:
    output = STANDARD_OUTPUT if STANDARD_OUTPUT.exists() else "-"
    ran = run_process(
        *("simulate", "lines", "--games", "2", "--jobs", "1", "--records", output), PYTHONIOENCODING="utf-16"
    )
    assert [json.loads(line)["upcard"] for line in ran.out.splitlines()] == [1, 1]


def test_records_that_cannot_be_written_get_one_line(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "no" / "such" / "folder"
    assert run("simulate", "lines", "--records", missing).mistake == (
        f"{missing} cannot be written: No such file or directory"
    )
    assert run("simulate", "lines", "--records", tmp_path).mistake == (
        f"{tmp_path} cannot be written: Is a directory"
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_a_full_disk_gets_one_line(run: Run) -> None:
    ran = run("simulate", "lines", "--games", "20", "--jobs", "1", "--records", "/dev/full")
    assert (ran.code, ran.out) == (1, "Stopped before a game was finished.\n")
    assert ran.err == "upcard: /dev/full cannot be written: No space left on device\n"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("simulate", "lines", "--games", "20", "--jobs", "1", "--records", "-"),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    said = "upcard: standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_a_disk_that_fills_up_leaves_whole_records_and_a_summary_of_them(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, path = tmp_path / "whole.jsonl", tmp_path / "games.jsonl"
    arguments = ["simulate", "lines", "--games", "150", "--seed", "1", "--jobs", "1", "--json", "--records"]
    run(*arguments, whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    monkeypatch.setattr(os, "write", disk_of(sum(map(len, lines[:120])) + 500))
    ran = run(*arguments, path)
    monkeypatch.undo()
    facts = json.loads(ran.out)
    assert ran.code == 1
    assert ran.err == f"upcard: {path} cannot be written: No space left on device\n"
    assert path.read_bytes() == b"".join(lines[:120])
    assert (facts["games"], facts["interrupted"], sum(facts["reasons"].values())) == (120, True, 120)
    assert run("verify", path).out == f"120 of 120 games are right, {facts['moves']} moves\n"


def test_a_mistake_leaves_the_old_records_alone(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("precious")
    assert run("simulate", "lines", "--bots", "frob", "--records", path).mistake
    assert run("simulate", "lines", "--games", "0", "--records", path).mistake
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


@each_game
def test_edited_records_are_found_with_line_and_reason(run: Run, tmp_path: Path, game: str) -> None:
    path = tmp_path / "games.jsonl"
    run("simulate", game, "--games", "6", "--seed", "1", "--jobs", "1", "--records", path)
    lines = path.read_text("utf-8").splitlines()
    record = json.loads(lines[1])
    record["log"][1]["seat"] = 7
    lines[1] = json.dumps(record)
    lines[3] = lines[3].replace('"result"', '"outcome"')
    path.write_text("\n".join(lines)[:-50], "utf-8")
    verified = run("verify", path)
    problems = verified.out.splitlines()
    assert (verified.code, verified.err) == (1, "")
    assert problems[0].startswith(f"{path}:2: {game}: entry 2: seat ")
    assert problems[1] == f"{path}:4: {game}: there is an unknown field 'outcome'"
    assert problems[2].startswith(f"{path}:6: this is not JSON: ")
    assert problems[2].endswith("(is the file cut off here?)")
    assert problems[3].startswith("3 of 6 games are right")


# Ctrl-C


def written(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def beside(path: Path) -> Path:
    """Return the temporary file to which records are written."""
    return path.with_name(f"{path.name}.part")


@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.soak), "2"])
def test_ctrl_c_keeps_whole_games(run: Run, tmp_path: Path, jobs: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("old")
    words = ["simulate", "stockpile", "--games", "100000", "--seed", "1", "--records", str(path)]
    ran = interrupted(*words, "--jobs", jobs, "--json", when=lambda: written(beside(path)) > 0)
    facts = json.loads(ran.out)
    assert ran.code == 130
    assert facts["interrupted"] is True
    assert facts["games"] == written(path) > 0
    assert list(tmp_path.iterdir()) == [path]
    assert "Traceback" not in ran.err
    verified = run("verify", path)
    assert verified.code == 0
    assert verified.out == f"{facts['games']} of {facts['games']} games are right, {facts['moves']} moves\n"


@contextlib.contextmanager
def thinking(run: Run) -> Iterator[subprocess.Popen[str]]:
    """Let bots think for hours, and continue here once both processes have started."""
    run("simulate", "lines", "--games", "1", "--bots", "search@1", "--jobs", "1")  # compiles
    words = ["simulate", "lines", "--bots", "search@9999999", "--jobs", "2", "--json"]
    with apart(command(*words)) as process:
        # Two processes that play, and the resource tracker.
        wait_until(lambda: process.poll() is not None or len(children(process.pid)) > 2)
        yield process


def children(parent: int) -> list[int]:
    return [one.number for one in processes() if one.parent == parent]


@pytest.mark.soak
@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_ctrl_c_does_not_wait_for_games_that_take_hours(run: Run) -> None:
    with thinking(run) as process:
        press_ctrl_c(process)
        facts = json.loads(process.communicate()[0])
    assert process.returncode == 130
    assert (facts["games"], facts["interrupted"]) == (0, True)


@pytest.mark.soak
@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_processes_that_play_end_with_the_one_that_started_them(run: Run) -> None:
    with thinking(run) as process:
        players = children(process.pid)
        process.kill()
        wait_until(lambda: not set(players) & {one.number for one in processes()})
        assert process.communicate()[0] == ""


def test_ctrl_c_is_answered_with_what_was_finished(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextlib.contextmanager
    def pressed(_what: str, _total: int) -> Iterator[Callable[[int], None]]:
        def press(_done: int) -> None:
            raise KeyboardInterrupt

        yield press

    monkeypatch.setattr(importlib.import_module("upcard.cli.simulate"), "progress", pressed)
    ran = run("simulate", "lines", "--games", "1000000", "--jobs", "1")
    assert ran.code == 130
    assert ran.out.startswith("Stopped early; this is what was finished.\n2,000 games of lines, ")
