"""`upcard bot check`: good bots pass, and each kind of bad bot fails the corresponding check."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.bots.guests import Guest, add_bots
from tests.cli.running import Run, running
from upcard.bots import Budget, Turn, entrants, find
from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.games import GAMES, all_games
from upcard.lab.bot_check import CHECKS, Report, _LookAlike, _scenes, check_bot
from upcard.match import Match, read_seed

SEED = read_seed("check")
each_game = pytest.mark.parametrize("game", GAMES)


class Moody(Guest):
    """Chooses by the number of calls of all instances."""

    asked = 0

    def choose(self, turn: Turn) -> Any:
        Moody.asked += 1
        return turn.moves[Moody.asked % len(turn.moves)]


class Peeking(Guest):
    """Looks for the match in the frames of its callers, and chooses by all the cards on the table."""

    def choose(self, turn: Turn) -> Any:
        frame = sys._getframe()
        while frame.f_back is not None:
            frame = frame.f_back
            match = getattr(frame.f_locals.get("self"), "match", None)
            if isinstance(match, Match):
                return turn.moves[sum(map(ord, str(match.table))) % len(turn.moves)]
        return turn.moves[0]


class Spoiling(Guest):
    """Plays well, but modifies its turn."""

    def choose(self, turn: Turn) -> Any:
        turn.view.to_move = -1
        object.__setattr__(turn, "events", ())
        return turn.moves[-1]


@pytest.fixture(autouse=True)
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Moody, "asked", 0)
    add_bots(monkeypatch, moody=Moody, peek=Peeking, spoil=Spoiling)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)


def checked(bot: str, *games: str, each: int = 2, **named: Any) -> Report:
    return check_bot(bot, games or list(GAMES), each, SEED, **named)


def results(report: Report) -> dict[str, str]:
    return {check["check"]: check["result"] for check in report.to_json()["checks"]}


def says(report: Report, name: str) -> list[str]:
    found = {check["check"]: check["says"] for check in report.to_json()["checks"]}
    return [str(sentence) for sentence in found[name]]


@pytest.mark.parametrize("bot", ["random", "greedy", "easy", "first", "spoil"])
@pytest.mark.parametrize("limit", [None, 600])
def test_a_good_bot_passes_every_check_in_every_game(bot: str, limit: float | None) -> None:
    report = checked(bot, limit=limit)
    assert results(report) == dict.fromkeys(CHECKS, "passed")
    assert report.games == dict.fromkeys(GAMES, 2)
    assert report.to_json()["passed"]
    assert report.to_json()["moves"] > 30


@pytest.mark.compiled
def test_a_bot_that_searches_passes_too() -> None:
    assert set(results(checked("search@5", "stockpile", each=1)).values()) == {"passed"}


WRONG = {
    "stock": "chose 'stock 1', which is not legal",
    "answer:-5": "chose -5, which is not a move of Stockpile",
    "raise": "raised KeyError",
    "refuse": "refused to play: I do not play stockpile",
    "unmade": "could not be made: it raised OSError: no memory left",
}


@pytest.mark.parametrize("bot", WRONG)
def test_a_bot_that_breaks_the_rules_fails_legality_once_for_each_game(bot: str) -> None:
    report = checked(bot, each=3)
    assert results(report)["legality"] == "failed"
    assert [sentence.split()[5] for sentence in says(report, "legality")] == list(GAMES)
    assert says(report, "legality")[0].startswith(f"{bot} at seat 1 of stockpile {WRONG[bot]}")
    assert sum(report.games.values()) < 9
    if bot != "stock":
        assert report.to_json()["moves"] == 0
        assert (results(report)["determinism"], results(report)["honesty"]) == ("open", "open")


def test_a_bot_that_does_not_answer_fails_the_check_of_time() -> None:
    report = checked("wait", "lines", limit=0.01)
    assert says(report, "time")[0].startswith("wait at seat 1 of lines took longer than 0.01 s for a move")
    assert results(report) == {**dict.fromkeys(CHECKS, "open"), "time": "failed"}


@each_game
def test_a_bot_that_does_not_repeat_its_choices_fails_determinism(game: str) -> None:
    report = checked("moody", game)
    assert results(report) == {
        **dict.fromkeys(CHECKS, "passed"),
        "determinism": "failed",
        "honesty": "open",
    }
    assert says(report, "determinism")[0].startswith("asked again with the same dice, it chose ")


@each_game
@pytest.mark.parametrize("limit", [None, 600])
def test_a_bot_that_looks_at_the_table_fails_honesty(game: str, limit: float | None) -> None:
    report = checked("peek", game, limit=limit)
    assert says(report, "honesty")[0].startswith("at a table that looks the same to its seat it chose ")
    assert results(report)["honesty"] == "failed"
    assert results(report)["legality"] == "passed"


def test_who_may_think_by_the_clock_cannot_be_told_from_who_does_not_repeat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(entrants.BOTS, "moody", (Moody, Budget(seconds=5)))
    report = checked("moody", "lines")
    assert results(report)["determinism"] == results(report)["honesty"] == "open"
    assert not report.failures


def ticking(*steps: float) -> Callable[[], float]:
    """Return a clock that advances by these steps, and then always by the last one."""
    left, now = list(steps), 0.0

    def clock() -> float:
        nonlocal now
        now += left.pop(0) if len(left) > 1 else left[0]
        return now

    return clock


def test_the_time_of_a_move_is_told_by_mean_and_longest() -> None:
    report = checked("first", "lines", each=1, clock=ticking(0, 0.5, 0, 1.25, 0))
    moves = report.to_json()["moves"]
    assert report.to_json()["seconds"] == {"mean": round(1.75 / moves, 6), "longest": 1.25}
    assert says(report, "time")[0].endswith(" on average, 1.25 s at most")


@pytest.mark.parametrize(("longest", "result"), [(2.0, "passed"), (2.1, "failed")])
def test_a_bot_that_takes_much_longer_than_its_budget_fails(longest: float, result: str) -> None:
    report = checked("first@500ms", "lines", each=1, clock=ticking(0, longest, 0))
    assert results(report)["time"] == result


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_tables_that_look_the_same_do_so_and_are_others(game: Game) -> None:
    others = 0
    for scene in _scenes(game, 4, SEED):
        played = scene.play(find("random"), None)
        for number, (turn, _) in enumerate(played.turns):
            bot = find("random")
            other = _LookAlike(bot, bot.make(b""), turn, scene, bytes([number]))
            assert other.turn() == turn
            others += 1
    assert others > 20


def test_all_seats_and_numbers_of_players_have_their_turn() -> None:
    for game in all_games():
        scenes = list(_scenes(game, 8, SEED))
        assert {scene.players for scene in scenes} >= {2, 3, 4}
        assert {scene.seat for scene in scenes} >= {1, 2, 3}
        assert len({scene.seed for scene in scenes}) == 8


def test_a_wrong_name_is_an_error_right_away() -> None:
    with pytest.raises(UpcardError, match="there is no bot 'frob'"):
        checked("frob")


# The command


def test_the_command_says_for_each_check_whether_it_passed(run: Run) -> None:
    ran = run("bot", "check", "greedy", "--games", "1", "--seed", "1")
    assert (ran.code, ran.err) == (0, "")
    title, *lines = ran.out.splitlines()
    assert title.startswith("greedy: ")
    assert [line.split()[:2] for line in lines] == [[check, "passed"] for check in CHECKS]


def test_the_command_fails_with_a_bot_that_cheats(run: Run) -> None:
    ran = run("bot", "check", "stock", "--game", "stockpile", "--seed", "1")
    assert (ran.code, ran.err) == (1, "")
    assert "legality     failed  stock at seat 1 of stockpile chose 'stock 1', which is not legal" in ran.out


def test_the_same_seed_finds_the_same(run: Run) -> None:
    words = [
        "bot",
        "check",
        "moody",
        "--game",
        "lines",
        "--game",
        "stacks",
        "--games",
        "2",
        "--seed",
        "1",
        "--json",
    ]
    facts = []
    for _ in range(2):
        Moody.asked = 0
        ran = run(*words)
        assert ran.code == 1
        facts.append(json.loads(ran.out))
        assert list(facts[-1]) == [
            *("kind", "version", "bot", "games", "seed", "moves", "seconds", "checks", "passed")
        ]
        # Everything except the times.
        assert facts[-1].pop("seconds")
        facts[-1]["checks"].pop()
    assert facts[0] == facts[1]
    assert list(facts[0]["games"]) == ["lines", "stacks"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["frob"], "there is no bot 'frob'"),
        (["greedy", "--game", "chess"], "there is no game 'chess'"),
        (["greedy", "--games", "0"], "--games should be 1 or more, not 0"),
        (["greedy", "--move-limit", "0"], "--move-limit should be between 0 and 86400, not 0"),
        ([], "NAME is missing"),
    ],
)
def test_a_wrong_command_gets_one_sentence(run: Run, words: list[str], sentence: str) -> None:
    assert run("bot", "check", *words).mistake.startswith(sentence)
