"""Studies from the command line: output, refusals and interruptions."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Ran, Run, apart, new_seed, press_ctrl_c
from tests.waiting import wait_until
from upcard.bots import known
from upcard.games import GAMES, find

each_game = pytest.mark.parametrize("game", GAMES)
compiled = pytest.mark.compiled

# Bots that do not need compiled code, and few games.
QUICK = [
    "--bots",
    "easy",
    "--games",
    "6",
    "--skill",
    "easy,random",
    "--deals",
    "2",
    "--seed",
    "1",
    "--jobs",
    "1",
]


def facts_of(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran.err
    loaded: dict[str, Any] = json.loads(ran.out)
    return loaded


# Output


ABOUT = [
    *("kind", "version", "game", "title", "options", "players", "bots", "seed", "confidence", "wanted_games"),
    *(
        "vary",
        "skill_bots",
        "skill_deals",
        "skill_everywhere",
        "pace",
        "interrupted",
        "missing",
        "by_the_clock",
    ),
]
GAME_KEYS = [
    *("deals", "games", "equal_share", "turn_order", "length", "reasons", "shared_wins", "scores"),
]


@each_game
def test_json_has_everything(run: Run, game: str) -> None:
    facts = facts_of(run("study", game, *QUICK, "--vary", "players=2", "--json"))
    assert sorted(facts) == sorted([*ABOUT, *GAME_KEYS, "rules", "variations", "skill"])
    assert list(facts)[: len(ABOUT)] == ABOUT
    assert (facts["kind"], facts["game"], facts["title"]) == ("study", game, find(game).title)
    assert facts["options"] == find(game).complete({})
    assert (facts["bots"], facts["skill_bots"]) == (["easy"], ["easy", "random"])
    assert (facts["games"], facts["skill"]["deals"], facts["skill"]["games"]) == (6, 2, 4)
    assert [list(option) for option in facts["variations"]] == [["option", "clause", "values"]]
    assert sorted(facts["variations"][0]["values"][0]) == sorted(["value", "usual", *GAME_KEYS, "skill"])


@compiled
@each_game
def test_every_answer_is_a_sentence(run: Run, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upcard.lab.study.study.WATCHED_GAMES", 30)
    arguments = ["--games", "400", "--seed", "1", "--deals", "0", "--jobs", "1", "--vary", "players=2,3"]
    told = run("study", game, *arguments)
    facts = facts_of(run("study", game, *arguments, "--json"))
    text = " ".join(told.out.split())
    share = f"{100 * facts['turn_order'][0]['share']:.1f}".removesuffix(".0")
    assert told.code == 0
    assert f"400 games of {find(game).title} with 2 players, played by greedy." in text
    assert f"The player who starts wins {share} of 100 games (between " in text
    assert "; a fair share would be 50. " in text
    assert f"A game takes {facts['length']['mean']:.1f}".removesuffix(".0") in text
    assert "If people take 6 seconds a move, which is an assumption, that is " in text
    assert "Of 100 games, " in text
    assert "In 30 games whose events were counted, " in text
    assert "Games are shortest with players=2, " in text
    assert "Luck and skill" not in text
    for row in facts["rules"]["events"]:
        assert any(" ".join(row["clauses"]) in line for line in told.out.splitlines())
    assert f"Seed: {facts['seed']}" in text


@compiled
def test_the_rules_are_watched_in_some_hundred_of_the_games(run: Run) -> None:
    facts = facts_of(run("study", "lines", "--games", "400", "--deals", "0", "--jobs", "1", "--json"))
    assert (facts["games"], facts["rules"]["games"]) == (400, 300)


def test_luck_and_skill_are_told_apart_in_words(run: Run) -> None:
    text = " ".join(run("study", "lines", *QUICK).out.split())
    assert re.search(r"easy wins [\d.]+ of 100 games against random with the same cards \(between ", text)
    assert "luck alone would give 50." in text
    assert re.search(r"In [\d.]+ of 100 deals \(between [\d. and]+\) the same seat won with either bot", text)


def test_the_pace_is_that_of_the_people_who_play(run: Run) -> None:
    slow, fast = (facts_of(run("study", "lines", *QUICK, "--pace", pace, "--json")) for pace in ("30", "7.5"))
    assert slow["length"]["mean"] == fast["length"]["mean"]
    assert slow["length"]["minutes"]["mean"] == pytest.approx(slow["length"]["mean"] / 2, abs=0.01)
    assert slow["length"]["minutes"]["mean"] == pytest.approx(4 * fast["length"]["minutes"]["mean"], abs=0.05)


def test_values_that_cannot_be_dealt_say_why(run: Run) -> None:
    ran = run("study", "lines", *QUICK, "--vary", "players")
    assert ran.code == 0
    assert "players=5 cannot be dealt: 5 players need 6 colours, not 5 (L1.2)\n" in ran.out


def test_the_seed_that_is_printed_gives_the_same_answers_again(run: Run) -> None:
    arguments = ["--bots", "easy,random", "--games", "8", "--deals", "0", "--jobs", "1", "--json"]
    once, other = (facts_of(run("study", "stockpile", *arguments)) for _ in range(2))
    again = facts_of(run("study", "stockpile", *arguments, "--seed", once["seed"]))
    assert again == once
    assert other["seed"] != once["seed"]


def test_a_study_says_nothing_beside_its_answers_in_a_pipe(run: Run) -> None:
    assert run("study", "lines", *QUICK).err == ""


# Mistakes


OPTIONS = "players, first, colours, extend, give, reshuffle"
MISTAKES = {
    "frob": "there is no game 'frob': choose stockpile, lines, stacks",
    "lines frob": "too many arguments: 'frob'",
    "lines --bots frob": f"there is no bot 'frob': choose {', '.join(known())}",
    "lines --bots easy,easy,easy": "name 1 to 2 bots for 2 players, not 3",
    "lines --players 9": "players cannot be 9: it is a whole number from 2 to 5 (L1.2)",
    "lines --option give=x": "give cannot be 'x': it is free or matching (L4.2)",
    "lines --vary frob=1": f"there is no option 'frob': the options are {OPTIONS}",
    "lines --vary give=free,x": "give cannot be 'x': it is free or matching (L4.2)",
    "lines --vary players=5": "5 players need 6 colours, not 5 (L1.2)",
    "lines --vary give --vary all": "give is varied twice",
    "lines --vary first": (
        "first only decides who goes first, so it changes nothing: a study counts from there"
    ),
    "stacks --vary turn_limit": (
        "turn_limit is a whole number from 1 to 10000, so say which, as in turn_limit=400,..."
    ),
    "lines --skill easy": "--skill compares two bots, as in hard,easy, not 'easy'",
    "lines --skill easy,easy": "--skill compares two different bots, and easy is only one",
    "lines --skill easy,frob": f"there is no bot 'frob': choose {', '.join(known())}",
    "lines --deals -1": "--deals should be 0 or more, not -1",
    "lines --deals x": "--deals should be a whole number, not 'x'",
    "lines --games 0": "--games should be 1 or more, not 0",
    "lines --jobs 0": "--jobs should be from 1 to 1000, not 0",
    "lines --pace 0": "--pace should be between 0 and 3600, not 0.0",
    "lines --pace nan": "--pace should be between 0 and 3600, not nan",
    "lines --pace slow": "--pace should be a number, not 'slow'",
    "lines --vary": "--vary needs a value",
}


def test_a_wrong_argument_gets_one_line_and_exit_code_2(run: Run, subtests: pytest.Subtests) -> None:
    for line, said in MISTAKES.items():
        with subtests.test(line):
            assert run("study", *line.split(" ")).mistake == said


# Reports


@pytest.fixture
def nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def played(*_anything: Any) -> None:
        raise AssertionError("something was played")

    monkeypatch.setattr(importlib.import_module("upcard.cli.study"), "study", played)


@pytest.mark.usefixtures("nothing_is_played")
def test_a_report_that_cannot_be_written_is_refused_before_anything_is_played(
    run: Run, tmp_path: Path
) -> None:
    missing = tmp_path / "no" / "report.html"
    assert run("study", "lines", "--report", missing).mistake == (
        f"{missing} cannot be written: No such file or directory"
    )
    assert (
        run("study", "lines", "--report", tmp_path).mistake == f"{tmp_path} cannot be written: Is a directory"
    )


@pytest.mark.usefixtures("nothing_is_played")
def test_a_report_without_plotly_is_refused_before_anything_is_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    ran = run("study", "lines", "--report", tmp_path / "report.html")
    assert ran.mistake == "--report needs plotly: pip install 'upcard[report]'"


def command_in(path: Path) -> list[str]:
    """Return the command in a report that reproduces it, for another file."""
    written = re.search(r"<code>(.*?)</code>", path.read_text("utf-8"), re.DOTALL)
    assert written is not None
    words = shlex.split(unescape(written[1]))
    assert words[0] == "upcard"
    assert words[-2:] == ["--report", "report.html"]
    return words[1:-1]


@pytest.mark.parametrize(
    "line",
    [
        "study lines --bots easy,random --players 3 --games 6 --deals 0 --option give=matching --pace 2.5",
        "study stockpile --bots easy --games 3 --vary refill --vary stock=1,2 --skill random,easy --deals 1",
        "tournament lines --bots random,easy,easy --players 3 --games 7 --option colours=4 --confidence 0.9",
        "tournament lines --bots easy,random,greedy --players 2 --games 30 --until 0.4",
    ],
)
def test_the_command_in_a_report_makes_it_again(run: Run, tmp_path: Path, line: str) -> None:
    once, again = tmp_path / "once.html", tmp_path / "again.html"
    ran = run(*line.split(" "), "--jobs", "1", "--json", "--report", once)
    assert ran.code == 0
    assert run(*command_in(once), again, "--jobs", "1", "--json").out == ran.out
    assert again.read_bytes() == once.read_bytes()


# Ctrl-C


def pressed_in(part: int) -> Callable[..., contextlib.AbstractContextManager[Callable[[int], None]]]:
    begun = []

    @contextlib.contextmanager
    def progress(name: str, _games: int) -> Iterator[Callable[[int], None]]:
        begun.append(name)

        def press(_done: int) -> None:
            if len(begun) == part:
                raise KeyboardInterrupt

        yield press

    return progress


def test_ctrl_c_is_answered_with_what_was_finished_and_what_is_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.import_module("upcard.cli.study"), "progress", pressed_in(3))
    report = tmp_path / "report.html"
    ran = run("study", "lines", *QUICK, "--vary", "give", "--report", report)
    assert ran.code == 130
    assert ran.out.startswith(
        "Stopped early; this is what was finished. Missing: give=matching, easy against random, "
        "easy against random with give=free, easy against random with give=matching.\n"
    )
    assert "The player who starts wins " in ran.out
    assert "│ matching       │ missing " in ran.out
    assert "Luck and skill" not in ran.out
    assert "It was stopped early. Missing: give=matching, " in report.read_text("utf-8")


def test_ctrl_c_at_the_very_beginning_leaves_nothing_to_tell(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("upcard.cli.study"), "progress", pressed_in(1))
    ran = run("study", "lines", *QUICK)
    assert ran.code == 130
    assert ran.out.startswith("Stopped early; this is what was finished. Missing: the games, ")


# The command, which prints when a part begins and when it continues.
TELLING = """\
import sys
from contextlib import contextmanager
from upcard.core import entropy
import upcard.cli
import upcard.cli.study

@contextmanager
def told(part, games):
    print(part, file=sys.stderr, flush=True)
    yield lambda done: print("went on", file=sys.stderr, flush=True)

upcard.cli.study.progress = told
entropy.use_source(entropy.seeded_source(sys.argv.pop(1)))
upcard.cli.main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
@pytest.mark.soak
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_does_not_wait_for_the_rest(tmp_path: Path, jobs: str) -> None:
    """Pressed, as a terminal does for all processes, while many more deals are waiting."""
    err = tmp_path / "err"
    words = [
        "study",
        "lines",
        "--bots",
        "easy",
        "--games",
        "2",
        "--skill",
        "easy,random",
        "--deals",
        "1000000",
    ]
    program = [sys.executable, "-c", TELLING, new_seed(), *words, "--seed", "1", "--jobs", jobs, "--json"]
    with (
        err.open("w") as said,
        apart(program, stderr=said) as process,
    ):
        wait_until(
            lambda: process.poll() is not None or "went on" in err.read_text().partition("easy against")[2]
        )
        press_ctrl_c(process)
        out, _ = process.communicate()
    facts = json.loads(out)
    assert process.returncode == 130
    assert facts["interrupted"] is True
    assert facts["missing"] == ["easy against random"]
    assert facts["games"] == 2
