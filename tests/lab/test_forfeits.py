"""A bot that breaks the rules loses the game or stops everything; either way one sentence gives the
reason."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.bots.guests import Guest, add_bots
from tests.cli.running import Run, running
from upcard.bots import Turn, seated
from upcard.core.errors import BotError, UpcardError
from upcard.games import GAMES, find
from upcard.lab.contest import STRICT, Referee, forfeits_in, play_refereed
from upcard.lab.on_ray import fingerprint, work_on
from upcard.lab.report.tournament import write_tournament
from upcard.lab.study.study import StudyPlan, study
from upcard.lab.tournament.deals import MOVES, REASON, TournamentPlan, play_deals
from upcard.lab.tournament.results_log import ResultsLog
from upcard.lab.tournament.run import run_tournament
from upcard.match import Match, read_seed
from upcard.match.seed import numbered_seed

SEED = read_seed("forfeits")
each_game = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(autouse=True)
def guests(monkeypatch: pytest.MonkeyPatch) -> None:
    add_bots(monkeypatch)
    # They do not need compiled code.
    monkeypatch.setattr("upcard.lab.contest.warm_up", lambda game: None)


@pytest.fixture
def only_wait_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Apply the time limit only to the bot that never answers: a busy machine may delay any other."""
    real = seated.ask

    def ask(
        name: str, choose: Any, turn: Turn, limit: float | None = None, match: Match | None = None
    ) -> int:
        return real(name, choose, turn, limit if name == "wait" else None, match)

    monkeypatch.setattr(seated, "ask", ask)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)


def plan_of(
    bots: str, game: str = "stockpile", referee: Referee | None = None, players: int | None = None
) -> TournamentPlan:
    options = {} if players is None else {"players": players}
    return TournamentPlan.of(game, options, bots.split(","), SEED, *([] if referee is None else [referee]))


def share(facts: dict[str, Any], bot: str) -> float:
    return next(float(standing["share"]) for standing in facts["standings"] if standing["bot"] == bot)


# Tournaments


@each_game
@pytest.mark.parametrize("bot", ["stock", "answer:-5", "raise", "refuse", "unmade"])
def test_a_bot_that_breaks_the_rules_wins_no_game_of_a_tournament(game: str, bot: str) -> None:
    facts = run_tournament(plan_of(f"{bot},easy", game), 20).to_json()
    assert (share(facts, bot), share(facts, "easy")) == (0, 1)
    assert [(row["bot"], row["games"]) for row in facts["forfeits"]] == [(bot, 20)]
    assert sum(facts["reasons"].values()) == 0
    assert next(row["verdict"] for row in facts["standings"] if row["bot"] == bot) == "below"


@pytest.mark.usefixtures("only_wait_is_timed")
def test_a_bot_that_does_not_answer_loses_too() -> None:
    facts = run_tournament(plan_of("wait,easy", referee=Referee(limit=0.01)), 2).to_json()
    assert share(facts, "wait") == 0
    assert facts["forfeits"][0]["first"]["what"] == "took longer than 0.01 s for a move"


def test_an_error_names_bot_seat_move_and_seed_and_can_be_repeated_from_them() -> None:
    plan = plan_of("stock,easy")
    facts = run_tournament(plan, 20).to_json()
    first = facts["forfeits"][0]["first"]
    assert first["seed"] == numbered_seed(SEED, 0).hex()
    seating = ["stock", "easy"] if first["seat"] == 1 else ["easy", "stock"]
    seed = bytes.fromhex(first["seed"])
    with pytest.raises(BotError) as caught:
        play_refereed(find("stockpile"), dict(plan.options), seed, seating, STRICT)
    assert forfeits_in(facts) == [f"stock lost 20 games by errors. The first: {caught.value}."]
    assert (caught.value.seat, caught.value.move) == (first["seat"], first["move"])


def test_the_game_is_won_by_all_other_bots_and_no_other_seat_of_the_same_one() -> None:
    game, options = find("stockpile"), {"players": 4}
    winners = {
        bots: play_refereed(game, options, SEED, bots, Referee()).winners
        for bots in (
            ("refuse", "easy", "greedy", "random"),
            ("refuse", "easy", "refuse", "random"),
        )
    }
    assert list(winners.values()) == [[0, 1, 1, 1], [0, 1, 0, 1]]
    alone = play_refereed(game, options, SEED, ("refuse",) * 4, Referee())
    assert alone.error is not None
    assert alone.winners == [int(seat != alone.error.seat) for seat in (1, 2, 3, 4)]


def test_a_tournament_can_be_stopped_by_an_error_instead() -> None:
    sentence = (
        r"^stock at seat \d of stockpile chose 'stock 1', which is not legal \(move \d+, seed \w{64}\)$"
    )
    with pytest.raises(BotError, match=sentence):
        run_tournament(plan_of("stock,easy", referee=STRICT), 20)


def test_bots_are_made_once_for_each_seat_and_game(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of("first,easy")
    monkeypatch.setattr(Guest, "made", 0)
    assert run_tournament(plan, 12).to_json()["games"] == 12
    assert Guest.made == 12


# Records


def test_forfeited_games_are_kept_and_a_resumed_tournament_ends_like_any_other(tmp_path: Path) -> None:
    plan, path = plan_of("stock,easy,refuse", players=2), tmp_path / "kept"
    whole = run_tournament(plan, 24).to_json()
    with ResultsLog(path, plan) as log:
        run_tournament(plan, 12, log=log)
    with ResultsLog(path, plan) as log:
        assert run_tournament(plan, 24, log=log).to_json() == whole
    assert {row["bot"] for row in whole["forfeits"]} == {"stock", "refuse"}
    dealt = play_deals(plan, 0, 4)
    with ResultsLog(path, plan) as log:
        assert np.array_equal(log.rows, dealt.rows)
        assert {place: str(error) for place, error in log.dealt.errors.items()} == {
            place: str(error) for place, error in dealt.errors.items()
        }


CHANGES: dict[str, Callable[[list[Any]], list[Any]]] = {
    "without what it did": lambda game: game[:-1],
    "with more": lambda game: [*game, "more"],
    "not a text": lambda game: [*game[:-1], 5],
    "no such seat": lambda game: [*game[:-2], 3, game[-1]],
    "no seat": lambda game: [*game[:-2], None, game[-1]],
    "another reason": lambda game: ["won", *game[1:]],
    "fewer moves than none": lambda game: [game[0], -1, *game[2:]],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_forfeited_game_that_was_changed_is_refused(change: str, tmp_path: Path) -> None:
    plan, path = plan_of("refuse,easy"), tmp_path / "kept"
    with ResultsLog(path, plan) as log:
        log.write(play_deals(plan, 0, 1))
    head, line = path.read_text().splitlines()
    deal = json.loads(line)
    deal["games"][0] = CHANGES[change](deal["games"][0])
    path.write_text(f"{head}\n{json.dumps(deal)}\n")
    with pytest.raises(UpcardError, match="line 2: this is not deal 0 of the tournament"):
        ResultsLog(path, plan)


def test_deals_after_the_last_one_that_counts_leave_no_errors() -> None:
    dealt = play_deals(plan_of("refuse,easy"), 3, 4)
    assert {deal for deal, _ in dealt.errors} == {3, 4, 5, 6}
    assert {deal for deal, _ in dealt.upto(2).errors} == {3, 4}
    assert dealt.rows[:, :, REASON].max() < 0
    assert dealt.rows[:, :, MOVES].min() >= 0


def test_a_report_says_who_lost_by_errors(tmp_path: Path) -> None:
    facts = run_tournament(plan_of("refuse,easy"), 4).to_json()
    write_tournament(facts, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "refuse lost 4 games by errors. The first: refuse at seat" in text
    assert "error of refuse" in text


# Elsewhere


@pytest.mark.usefixtures("only_wait_is_timed")
@pytest.mark.parametrize("bot", ["stock", "raise", "wait"])
def test_on_a_cluster_an_error_is_the_same_loss_or_the_same_sentence(bot: str) -> None:
    def on_ray(plan: TournamentPlan) -> Any:
        came = work_on(fingerprint(), pickle.dumps((play_deals, (plan, 0, 1), {})))
        return came if isinstance(came, str) else pickle.loads(came)

    plan, strict = (plan_of(f"{bot},easy", referee=Referee(action, 0.01)) for action in ("forfeit", "stop"))
    here, there = play_deals(plan, 0, 1), on_ray(plan)
    assert np.array_equal(here.rows, there.rows)
    assert {place: str(error) for place, error in there.errors.items()} == {
        place: str(error) for place, error in here.errors.items()
    }
    assert on_ray(strict) == str(here.errors[0, 0])


def test_a_study_stops_at_an_error_of_a_bot() -> None:
    question = StudyPlan.of("stockpile", {}, ["stock", "easy"], SEED, games=4, deals=0)
    with pytest.raises(BotError, match="stock at seat"):
        study(question)
    pair = StudyPlan.of(
        "stockpile", {}, ["greedy"], SEED, games=4, pair=["stock", "easy"], deals=1, limit=600
    )
    plan = pair.pair_at(dict(pair.sample.options))
    assert plan.referee == Referee("stop", 600)


# The command line


def test_simulate_tells_forfeits_and_keeps_the_games_as_unfinished(run: Run, tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    command = ["simulate", "stockpile", "--bots", "stock,easy", "--games", "6", "--seed", "1", "--jobs", "1"]
    ran = run(*command, "--records", records)
    assert (ran.code, ran.err) == (0, "")
    assert "Ended: forfeit 6." in ran.out
    assert "stock lost 6 games by errors. The first: stock at seat 1 of stockpile chose 'stock 1'" in ran.out
    assert [json.loads(line)["result"] for line in records.read_text().splitlines()] == [None] * 6
    assert run("verify", records).code == 0
    facts = json.loads(run(*command, "--json").out)
    assert facts["wins"] == [0, 6]
    assert [(row["bot"], row["games"]) for row in facts["forfeits"]] == [("stock", 6)]


def test_what_a_bot_prints_is_not_mixed_with_results_or_records(run: Run, tmp_path: Path) -> None:
    command = ["simulate", "stockpile", "--bots", "print", "--games", "1", "--seed", "1", "--jobs", "1"]
    for output in ("--json", "--records=-"):
        ran = run(*command, output)
        json.loads(ran.out)
        assert "a bot thinks aloud" in ran.err


def test_simulate_makes_bots_once_for_each_seat_and_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Guest, "made", 0)
    ran = run("simulate", "lines", "--bots", "first,easy", "--games", "5", "--jobs", "1", "--seed", "1")
    assert ran.code == 0
    # Once more to check its options, and once to see whether it needs compiling.
    assert Guest.made == 5 + 2


@pytest.mark.parametrize("command", ["simulate", "tournament"])
def test_an_error_stops_a_command_with_one_sentence_if_wanted(run: Run, command: str) -> None:
    words = [command, "stockpile", "--bots", "stock,easy", "--games", "4", "--jobs", "1", "--seed", "1"]
    said = run(*words, "--on-bot-error", "stop").mistake
    assert said.startswith("stock at seat 1 of stockpile chose 'stock 1', which is not legal (move ")


def test_a_tournament_tells_forfeits(run: Run) -> None:
    words = ["tournament", "stockpile", "--bots", "stock,easy", "--games", "4", "--jobs", "1", "--seed", "1"]
    ran = run(*words)
    assert ran.code == 0
    assert "stock lost 4 games by errors. The first: stock at seat 1 of stockpile chose 'stock 1'" in ran.out


@pytest.mark.usefixtures("only_wait_is_timed")
def test_a_move_limit_makes_a_bot_lose_that_does_not_answer(run: Run) -> None:
    words = ["simulate", "lines", "--bots", "wait,easy", "--games", "1", "--jobs", "1", "--seed", "1"]
    assert (
        "wait at seat 1 of lines took longer than 0.01 s for a move"
        in run(*words, "--move-limit", "0.01").out
    )
