"""Tournaments from the command line: output, results logs and interruptions."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Ran, Run, command, interrupted
from upcard.bots import known
from upcard.games import GAMES, find
from upcard.match import read_seed

each_game = pytest.mark.parametrize("game", GAMES)
# The clairvoyant's search is compiled separately.
stockpile_or_each = pytest.mark.parametrize(
    "game", [game if game == "stockpile" else pytest.param(game, marks=pytest.mark.soak) for game in GAMES]
)
compiled = pytest.mark.compiled

ABOUT = [
    *("kind", "version", "game", "title", "options", "players", "bots", "seed", "confidence", "equal_share"),
    *("seatings", "wanted_games", "until", "settled", "interrupted", "by_the_clock", "deals", "games"),
]
FIGURES = ["forfeits", "reasons", "length", "turn_order", "standings", "comparisons"]
STANDING = [
    *("bot", "games", "seats", "wins", "share", "interval", "verdict", "rating", "rating_error"),
    *("rating_interval", "mean_score", "score_counts", "share_by_place"),
]


def facts_of(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran.err
    loaded: dict[str, Any] = json.loads(ran.out)
    return loaded


# Output


@compiled
@each_game
def test_json_has_everything(run: Run, game: str) -> None:
    facts = facts_of(
        run("tournament", game, "--bots", "greedy,random", "--seed", "1", "--games", "200", "--json")
    )
    assert list(facts) == ABOUT + FIGURES
    assert (facts["kind"], facts["game"], facts["title"]) == ("tournament", game, find(game).title)
    assert facts["options"] == find(game).complete({})
    assert facts["bots"] == ["greedy", "random"]
    assert facts["seatings"] == [["greedy", "random"], ["random", "greedy"]]
    assert len(bytes.fromhex(facts["seed"])) == 32
    assert (facts["confidence"], facts["equal_share"], facts["until"]) == (0.99, 0.5, None)
    assert (facts["deals"], facts["games"], facts["wanted_games"]) == (100, 200, 200)
    assert [list(standing) for standing in facts["standings"]] == [STANDING] * 2
    assert [list(pair) for pair in facts["comparisons"]] == [
        ["bot", "against", "difference", "interval", "verdict"]
    ]
    assert [list(place) for place in facts["turn_order"]] == [["place", "share", "interval"]] * 2
    assert sum(facts["reasons"].values()) == sum(count for _, count in facts["length"]["counts"]) == 200
    assert sum(standing["wins"] for standing in facts["standings"]) == pytest.approx(200, abs=0.01)


@compiled
@each_game
def test_the_table_has_a_row_for_each_bot_and_says_who_is_better(run: Run, game: str) -> None:
    ran = run("tournament", game, "--bots", "random,greedy", "--seed", "1", "--games", "300")
    assert (ran.code, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines() if "greedy" in line or "random" in line]
    assert [row[1] for row in rows] == ["greedy", "random"]
    assert ("better" in rows[0], "worse" in rows[1]) == (True, True)
    assert "99 % interval" in ran.out
    assert "against 50.0%" in ran.out
    assert f"300 games of {game}: 150 deals, each in 2 seatings; " in ran.out
    assert ran.out.splitlines()[-1].endswith(f"Seed: {read_seed('1').hex()}")


def test_a_rating_reaches_as_far_as_its_interval_at_the_confidence_that_the_table_names(run: Run) -> None:
    line = ("tournament", "lines", "--bots", "easy,random", "--seed", "1", "--games", "20", "--jobs", "1")
    for confidence in ("0.9", "0.99"):
        table = run(*line, "--confidence", confidence).out
        assert f"rating ({100 * float(confidence):g} %)" in table
        for standing in facts_of(run(*line, "--confidence", confidence, "--json"))["standings"]:
            low, high = standing["rating_interval"]
            assert low < standing["rating"] - 1.5 * standing["rating_error"]
            assert f"{standing['rating']:.0f} ± {(high - low) / 2:.0f} " in table


def test_a_bot_with_a_time_limit_is_named_below_the_table(run: Run) -> None:
    line = ("tournament", "lines", "--games", "2", "--jobs", "1", "--seed", "1", "--bots")
    # A bot without a search does not use its time.
    timed = run(*line, "easy@2s,random").out.splitlines()[-1]
    assert timed == "easy@2s has a time limit, so another run deals the same cards but can play other moves."
    assert "time limit" not in run(*line, "easy,random").out


def test_bots_are_compared_in_pairs_where_there_are_more_than_two(run: Run) -> None:
    line = ("tournament", "lines", "--seed", "1", "--players", "2", "--jobs", "1", "--bots")
    ran = run(*line, "easy,greedy,random", "--games", "120")
    pairs = [row.replace("│", " ").split() for row in ran.out.splitlines() if row.count("│") == 6]
    assert [pair[:2] for pair in pairs] == [["greedy", "easy"], ["greedy", "random"], ["easy", "random"]]
    assert [pair[-1] for pair in pairs[1:]] == ["stronger", "stronger"]
    assert "wins more than" in ran.out
    assert "wins more than" not in run(*line, "easy,greedy", "--games", "4").out


def test_one_deal_is_one_deal_and_has_no_error(run: Run) -> None:
    ran = run("tournament", "lines", "--bots", "easy,greedy", "--games", "1", "--jobs", "1")
    assert "2 games of lines: 1 deal, each in 2 seatings" in ran.out
    assert "±" not in ran.out


def test_a_name_with_brackets_is_shown_as_it_is(run: Run) -> None:
    """A bot's options may be a path, and paths may have brackets, which could be taken for colours."""
    assert "'[red]'" in run("tournament", "lines", "--bots", "[red],greedy").mistake


@compiled
def test_the_seed_that_is_printed_gives_the_same_tournament_again(run: Run) -> None:
    line = ("tournament", "lines", "--bots", "greedy,random", "--games", "100", "--json")
    once = facts_of(run(*line))
    assert facts_of(run(*line, "--seed", once["seed"])) == once
    assert facts_of(run(*line))["seed"] != once["seed"]


@compiled
def test_house_rules_players_and_confidence_are_heeded(run: Run) -> None:
    line = ("tournament", "stockpile", "--bots", "greedy,random", "--games", "60", "--seed", "1", "--json")
    ran = run(*line, "--players", "3", "--option", "stock=3", "--confidence", "0.9")
    facts = facts_of(ran)
    assert facts["options"] == find("stockpile").complete({"players": 3, "stock": 3})
    assert (facts["players"], facts["confidence"]) == (3, 0.9)
    assert facts["seatings"] == [
        ["greedy", "greedy", "random"],
        ["greedy", "random", "greedy"],
        ["random", "greedy", "greedy"],
    ]
    sure = facts_of(run(*line, "--players", "3", "--option", "stock=3"))
    for one, other in zip(facts["standings"], sure["standings"], strict=True):
        assert other["interval"][0] < one["interval"][0] < one["interval"][1] < other["interval"][1]


@compiled
def test_until_stops_when_the_question_is_settled(run: Run) -> None:
    line = ("tournament", "lines", "--bots", "greedy,random", "--seed", "1", "--until", "0.02")
    facts = facts_of(run(*line, "--json"))
    assert (facts["settled"], facts["wanted_games"]) == (True, 1_000_000)
    for standing in facts["standings"]:
        assert standing["interval"][1] - standing["interval"][0] <= 0.04
    assert "Settled: " in run(*line).out
    assert "Not settled: 20 games" in run(*line, "--games", "20").out


@compiled
def test_a_thousand_games_are_played_unless_someone_says_otherwise(run: Run) -> None:
    assert facts_of(run("tournament", "lines", "--bots", "greedy,random", "--json"))["games"] == 1000


# Who may play


@compiled
@stockpile_or_each
def test_the_clairvoyant_plays_here_and_at_no_table_of_people(run: Run, game: str) -> None:
    facts = facts_of(
        run("tournament", game, "--bots", "clairvoyant@10,random", "--games", "2", "--jobs", "1", "--json")
    )
    assert facts["bots"] == ["clairvoyant@10", "random"]
    refused = run("play", game, "--bots", "clairvoyant")
    assert refused.mistake == "clairvoyant is shown every card, so it plays in tournaments of the lab only"


MISTAKES = {
    "frob --bots greedy,random": "there is no game 'frob': choose stockpile, lines, stacks",
    "": "GAME is missing; see --help",
    "lines": "--bots needs a value",
    "lines --bots": "--bots needs a value",
    "lines --bots=": f"there is no bot '': choose {', '.join(known())}",
    "lines --bots greedy,frob": f"there is no bot 'frob': choose {', '.join(known())}",
    "lines --bots greedy,search@0": (
        "a bot thinks for 1 to 999999999 simulations, or up to an hour, not for '0'"
    ),
    "lines --bots greedy": "a tournament compares two bots or more, not only greedy",
    "lines --bots greedy,greedy": "a tournament compares two bots or more, not only greedy",
    "stacks --bots greedy,random,easy,normal,hard,expert,search,search@1 --players 6": (
        "8 bots can sit at 6 seats in more than 5,040 ways, too many to play each deal in all of them: "
        "name fewer"
    ),
    "stacks --bots greedy,random --players 7": "players cannot be 7: it is a whole number from 2 to 6 (K2.1)",
    "stacks --bots greedy,random --players 1": "players cannot be 1: it is a whole number from 2 to 6 (K2.1)",
    "lines --bots greedy,random --players 5": "5 players need 6 colours, not 5 (L1.2)",
    "stacks --bots greedy,random --option block=never": (
        "block cannot be 'never': it is completion or anytime (K5.1)"
    ),
    "lines --bots greedy,random --games 0": "--games should be 1 or more, not 0",
    "lines --bots greedy,random --jobs 0": "--jobs should be from 1 to 1000, not 0",
    "lines --bots greedy,random --until x": "--until should be a number, not 'x'",
    "lines --bots greedy,random --until 0": "--until should be between 0 and 0.5, not 0.0",
    "lines --bots greedy,random --until 0.5": "--until should be between 0 and 0.5, not 0.5",
    "lines --bots greedy,random --until nan": "--until should be between 0 and 0.5, not nan",
    "lines --bots greedy,random --confidence 1": "--confidence should be between 0.5 and 1, not 1.0",
    "lines --bots greedy,random --resume .": ". cannot store a tournament: it is not a regular file",
    "lines --bots greedy,random --resume no/such/file": (
        "no/such/file cannot be written: No such file or directory"
    ),
    "lines --bots greedy,random --on frob": "--on takes ray, ray://HOST:PORT or HOST:PORT, not 'frob'",
}


def test_a_wrong_argument_gets_one_line_and_exit_code_2(run: Run, subtests: pytest.Subtests) -> None:
    for line, said in MISTAKES.items():
        with subtests.test(line):
            assert run("tournament", *filter(None, line.split(" "))).mistake == said


# Saving and continuing


SMALL = ("tournament", "lines", "--bots", "easy,greedy", "--jobs", "1", "--json")


def test_a_tournament_continues_where_it_was(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    first = facts_of(run(*SMALL, "--games", "10", "--resume", path))
    assert len(path.read_text().splitlines()) == 6
    second = facts_of(run(*SMALL, "--games", "20", "--resume", path))
    assert second["seed"] == first["seed"]
    assert second == facts_of(run(*SMALL, "--games", "20", "--seed", first["seed"]))
    assert len(path.read_text().splitlines()) == 11


def test_a_different_tournament_does_not_continue_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "kept"
    run(*SMALL, "--games", "4", "--resume", path)
    before = path.read_bytes()
    refused = run("tournament", "lines", "--bots", "easy,random", "--resume", path)
    assert refused.mistake == f"{path} keeps another tournament, with bots easy,greedy, not easy,random"
    assert path.read_bytes() == before


def test_a_mistake_makes_no_file(run: Run, tmp_path: Path) -> None:
    assert run("tournament", "lines", "--bots", "greedy,frob", "--resume", tmp_path / "kept").mistake
    assert list(tmp_path.iterdir()) == []


# Reports


def test_a_report_that_cannot_be_written_is_told_before_anything_is_played(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("plotly")
    missing = tmp_path / "no" / "such" / "folder"
    line = ("tournament", "lines", "--bots", "greedy,random", "--resume", tmp_path / "kept")
    assert (
        run(*line, "--report", missing).mistake == f"{missing} cannot be written: No such file or directory"
    )
    both = run(*line, "--report", tmp_path / "kept").mistake
    assert both == f"--report and --resume need a file each, not both {tmp_path / 'kept'}"
    assert not (tmp_path / "kept").exists()


def test_a_report_is_a_page_that_names_the_bots(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("plotly")
    ran = run(*SMALL, "--games", "20", "--report", tmp_path / "page.html")
    assert facts_of(ran)["games"] == 20
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "easy" in page
    assert "greedy" in page


# Ctrl-C


def stopped(path: Path, bots: str, jobs: str, *arguments: str) -> Ran:
    """Press Ctrl-C when some deals are written."""
    words = [
        "tournament",
        "lines",
        "--games",
        "1000000",
        "--bots",
        bots,
        "--jobs",
        jobs,
        "--resume",
        str(path),
    ]
    return interrupted(*words, *arguments, when=lambda: written(path) > 2)


def written(path: Path) -> int:
    """Return how many deals are written."""
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0


@pytest.mark.soak
@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_whole_deals_and_another_run_continues_from_them(
    run: Run, tmp_path: Path, jobs: str
) -> None:
    path = tmp_path / "kept"
    ran = stopped(path, "easy,greedy", jobs, "--json")
    facts = json.loads(ran.out)
    assert ran.code == 130
    assert facts["interrupted"] is True
    assert facts["deals"] == facts["games"] / 2 == written(path) > 2
    assert ran.err == ""
    games = str(facts["games"] + 6)
    more = facts_of(run(*SMALL, "--games", games, "--resume", path))
    assert more == facts_of(run(*SMALL, "--games", games, "--seed", facts["seed"]))


@pytest.mark.soak
@compiled
@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_ctrl_c_is_answered_with_the_table(tmp_path: Path) -> None:
    ran = stopped(tmp_path / "kept", "greedy,random", "2")
    assert ran.code == 130
    assert ran.out.startswith("Stopped early; this is what was finished.\n")
    assert f"{2 * written(tmp_path / 'kept'):,} games of lines" in ran.out


# On a terminal


@pytest.mark.skipif(os.name != "posix", reason="terminals are not for this system")
def test_a_terminal_shows_how_it_stands_and_a_pipe_nothing(run: Run) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    words = [*SMALL, "--games", "20", "--seed", "1"]
    with subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:
            pass  # the other end was closed
        finally:
            os.close(ours)
    assert process.returncode == 0
    final = {one["bot"]: one for one in facts_of(run(*words))["standings"]}
    text = shown.decode()
    for bot in ("easy", "greedy"):
        assert f"{bot} {100 * final[bot]['share']:.1f} % ±" in text
    assert "100%" in text
    assert run(*words).err == ""
