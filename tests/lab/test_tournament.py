"""Tournaments: the same cards for every bot, whole deals, and figures that agree with the games."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from upcard.core.errors import UpcardError
from upcard.games import GAMES, find
from upcard.lab.arena import Arena
from upcard.lab.contest import Played, play_match, play_refereed
from upcard.lab.tournament import deals
from upcard.lab.tournament import run as running
from upcard.lab.tournament.deals import FIRST, MOVES, REASON, WINNERS, Dealt, TournamentPlan, play_deals
from upcard.lab.tournament.results import Results, Tally
from upcard.lab.tournament.results_log import ResultsLog
from upcard.lab.tournament.run import run_tournament
from upcard.match import Match, read_seed
from upcard.match.seed import numbered_seed

SEED = read_seed(1)

each_game = pytest.mark.parametrize("game", GAMES)
# The clairvoyant's search is compiled separately.
stockpile_or_each = pytest.mark.parametrize(
    "game", [game if game == "stockpile" else pytest.param(game, marks=pytest.mark.soak) for game in GAMES]
)
compiled = pytest.mark.compiled


def plan_of(game: str, bots: str, **options: object) -> TournamentPlan:
    return TournamentPlan.of(game, options, bots.split(","), SEED)


# Plans


@pytest.mark.parametrize(
    ("game", "bots", "players"),
    [
        ("stockpile", "greedy,random", 2),
        ("stockpile", "greedy,random,easy", 3),
        ("stockpile", "easy,greedy,greedy,greedy", 4),
        ("stockpile", "greedy,random,easy,normal,hard", 2),
        ("lines", "greedy,random,easy,normal,hard", 2),
        ("stacks", "greedy,random,easy,normal,hard,expert", 6),
    ],
)
def test_all_bots_play_at_one_table_if_it_has_seats_for_them(game: str, bots: str, players: int) -> None:
    """Five play Lines with six colours only, so five bots play it in pairs."""
    assert plan_of(game, bots).players == players


def test_more_seats_than_bots_have_to_be_asked_for() -> None:
    plan = plan_of("stacks", "greedy,random", players=4)
    assert plan.players == 4
    assert len(plan.seatings) == 6
    assert plan_of("lines", "greedy,random,easy", players=2).players == 2


def test_a_name_that_is_written_twice_is_one_bot() -> None:
    plan = plan_of("stacks", "easy,greedy,greedy")
    assert plan.names == ["easy", "greedy"]
    assert plan.seatings == (
        ("easy", "greedy", "greedy"),
        ("greedy", "easy", "greedy"),
        ("greedy", "greedy", "easy"),
    )


# Deals


@each_game
def test_a_deal_has_the_same_cards_and_starter_in_all_seatings(
    monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    matches: list[Match] = []

    def play_and_keep(*arguments: Any) -> Played:
        played = play_refereed(*arguments)
        matches.append(played.match)
        return played

    monkeypatch.setattr(deals, "play_refereed", play_and_keep)
    plan = plan_of(game, "easy,greedy,random")
    rows = play_deals(plan, 5, 1).rows[0]
    assert [[player.bot for player in match.players] for match in matches] == [*map(list, plan.seatings)]
    assert len({str(match.log[0]) for match in matches}) == 1
    for match, row in zip(matches, rows, strict=True):
        assert match.result is not None
        assert match.table.first == matches[0].table.first == row[FIRST]
        assert match.table.over == row[REASON]
        assert len(match.log_of_moves) == row[MOVES]
        assert [seat for seat in (1, 2, 3) if row[WINNERS + seat - 1]] == match.result["winners"]
        assert row[WINNERS + 3 :].tolist() == match.result["scores"]


@compiled
@each_game
def test_a_compiled_deal_is_the_numbered_game_of_every_seating(game: str) -> None:
    plan = plan_of(game, "greedy,random", players=3)
    rows = play_deals(plan, 4, 30).rows
    for number in range(4, 34):
        table = find(game).deal(dict(plan.options), numbered_seed(SEED, number))
        assert set(rows[number - 4, :, FIRST]) == {table.first}
        assert np.array_equal(rows[number - 4], play_deals(plan, number, 1).rows[0])
    for place, seating in enumerate(plan.seatings):
        batch = Arena(find(game), dict(plan.options), seating).play(SEED, 4, 30)
        assert np.array_equal(batch.rows[:, [0, 1, 2, 3, 4]], rows[:, place, [0, 1, 3, 4, 5]])
        assert np.array_equal(batch.rows[:, 8:11], rows[:, place, 6:])


def test_games_are_rounded_up_to_whole_deals() -> None:
    for games, wanted in ((1, 6), (6, 6), (7, 12)):
        facts = run_tournament(plan_of("lines", "easy,greedy,random"), games).to_json()
        assert (facts["games"], facts["deals"], facts["wanted_games"]) == (wanted, wanted // 6, wanted)


# The same, no matter what plays it


@compiled
@each_game
def test_the_number_of_jobs_changes_nothing_of_compiled_deals(game: str) -> None:
    """More games than in one task, so that two threads share them."""
    plan = plan_of(game, "greedy,random")
    assert run_tournament(plan, 4_500, 1).to_json() == run_tournament(plan, 4_500, 2).to_json()


def test_the_number_of_jobs_changes_nothing_of_plain_deals() -> None:
    plan = plan_of("lines", "easy,greedy")
    assert run_tournament(plan, 40, 1).to_json() == run_tournament(plan, 40, 2).to_json()


def test_another_seed_gives_other_games() -> None:
    plan = plan_of("lines", "easy,greedy")
    other = TournamentPlan.of("lines", {}, ["easy", "greedy"], read_seed(2))
    rows = play_deals(plan, 0, 5).rows
    assert not np.array_equal(rows, play_deals(other, 0, 5).rows)
    assert not np.array_equal(rows, play_deals(plan, 5, 5).rows)


def test_a_process_that_dies_is_told_in_a_sentence() -> None:
    def kill_one(_tally: Tally) -> None:
        # The others end when they notice, perhaps before this is called again.
        for child in active_children()[:1]:
            os.kill(child.pid or 0, getattr(signal, "SIGKILL", signal.SIGTERM))

    with pytest.raises(UpcardError, match="has died"):
        run_tournament(plan_of("lines", "easy,greedy"), 10_000, 2, progress=kill_one)


# Ctrl-C, and continuing


class Nervous(ResultsLog):
    """A results log for which Ctrl-C is pressed while a deal is written."""

    patience = 3

    def write(self, dealt: Dealt) -> None:
        self.patience -= 1
        if self.patience <= 0:
            signal.raise_signal(signal.SIGINT)
        super().write(dealt)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_ctrl_c_while_a_deal_is_written_keeps_and_counts_it(tmp_path: Path, jobs: int) -> None:
    plan = plan_of("lines", "easy,greedy")
    with Nervous(tmp_path / "kept", plan) as log:
        standing = run_tournament(plan, 10_000, jobs, log=log)
    assert standing.interrupted
    assert standing.tally.deals == 3 == len(lines_of(tmp_path / "kept")) - 1
    assert not active_children()


def test_ctrl_c_in_the_middle_of_a_deal_leaves_that_deal_out(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Played] = []

    def play_or_leave(*arguments: Any) -> Played:
        if len(played) == 5:
            signal.raise_signal(signal.SIGINT)
        played.append(play_refereed(*arguments))
        return played[-1]

    monkeypatch.setattr(deals, "play_refereed", play_or_leave)
    facts = run_tournament(plan_of("lines", "easy,greedy"), 100).to_json()
    assert (facts["interrupted"], facts["deals"], facts["games"]) == (True, 2, 4)


def test_ctrl_c_before_a_deal_is_finished_leaves_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    def leave(*_arguments: Any) -> Played:
        raise KeyboardInterrupt

    monkeypatch.setattr(deals, "play_refereed", leave)
    facts = run_tournament(plan_of("lines", "easy,greedy"), 100).to_json()
    assert (facts["interrupted"], facts["deals"]) == (True, 0)
    assert "standings" not in facts


@pytest.mark.parametrize(
    ("bots", "jobs"), [("easy,greedy", 1), pytest.param("greedy,random", 2, marks=compiled)]
)
def test_a_tournament_that_was_interrupted_ends_like_any_other(tmp_path: Path, bots: str, jobs: int) -> None:
    plan = plan_of("lines", bots)
    whole = run_tournament(plan, 40).to_json()
    with ResultsLog(tmp_path / "kept", plan) as log:
        run_tournament(plan, 10, log=log)
    with Nervous(tmp_path / "kept", plan) as nervous:
        run_tournament(plan, 26, log=nervous)
    with ResultsLog(tmp_path / "kept", plan) as log:
        assert run_tournament(plan, 40, jobs, log=log).to_json() == whole
        assert log.deals == 20


def test_deals_that_are_kept_are_not_played_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan = plan_of("lines", "easy,greedy")
    with ResultsLog(tmp_path / "kept", plan) as log:
        whole = run_tournament(plan, 20, log=log).to_json()
        shorter = run_tournament(plan, 8).to_json()

    def refuse(*_arguments: Any) -> Played:
        raise AssertionError("this deal was played already")

    monkeypatch.setattr(deals, "play_refereed", refuse)
    for games, facts in ((20, whole), (8, shorter)):
        with ResultsLog(tmp_path / "kept", plan) as log:
            assert run_tournament(plan, games, log=log).to_json() == facts
    assert len(lines_of(tmp_path / "kept")) == 11


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


# Stopping early


@compiled
def test_it_stops_at_the_first_question_that_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The question is checked every 10 deals, from 20 on, however the deals are divided into tasks."""
    plan = plan_of("lines", "greedy,random")
    settled = run_tournament(plan, 100_000, until=0.05).to_json()
    assert settled["settled"] is True
    assert not settled["interrupted"]
    assert settled["deals"] % 10 == 0
    widths = [(deals, half_width(plan, deals)) for deals in range(20, settled["deals"] + 1, 10)]
    assert [deals for deals, width in widths if width <= 0.05] == [settled["deals"]]
    for size, jobs in ((2, 1), (38, 2), (1_000_000, 1)):
        monkeypatch.setattr(running, "GAMES_A_TASK", size)
        assert run_tournament(plan, 100_000, jobs, until=0.05).to_json() == settled


def test_no_question_is_settled_by_fewer_than_20_deals() -> None:
    facts = run_tournament(plan_of("lines", "easy,greedy"), 1_000, until=0.49).to_json()
    assert (facts["settled"], facts["deals"]) == (True, 20)


def half_width(plan: TournamentPlan, deals: int) -> float:
    standings = run_tournament(plan, 2 * deals).to_json()["standings"]
    return max(float(one["interval"][1] - one["interval"][0]) / 2 for one in standings)


@compiled
def test_a_question_that_is_hard_to_settle_ends_with_the_games() -> None:
    facts = run_tournament(plan_of("lines", "greedy,random"), 100, until=0.001).to_json()
    assert (facts["settled"], facts["games"], facts["until"]) == (False, 100, 0.001)


@compiled
def test_continuing_stops_where_an_uninterrupted_tournament_does(tmp_path: Path) -> None:
    plan = plan_of("lines", "greedy,random")
    settled = run_tournament(plan, 100_000, until=0.04).to_json()
    for games in (30, 2 * settled["games"]):
        with ResultsLog(tmp_path / f"{games}", plan) as log:
            run_tournament(plan, games, log=log)
        with ResultsLog(tmp_path / f"{games}", plan) as log:
            assert run_tournament(plan, 100_000, until=0.04, log=log).to_json() == settled


# Figures


@pytest.mark.parametrize(
    ("bots", "players"),
    [("easy,greedy", 2), ("easy,greedy", 3), ("easy,greedy,random", 3), ("easy,greedy,random", 2)],
)
def test_the_figures_are_those_of_the_games(bots: str, players: int) -> None:
    plan = plan_of("lines", bots, players=players)
    facts = run_tournament(plan, 30).to_json()
    games = [
        (deal, play_match(find("lines"), dict(plan.options), numbered_seed(SEED, deal), seating))
        for deal in range(facts["deals"])
        for seating in plan.seatings
    ]
    assert facts["games"] == len(games)
    lengths = Counter(len(match.log_of_moves) for _, match in games)
    assert facts["length"]["counts"] == sorted([moves, count] for moves, count in lengths.items())
    assert facts["length"]["mean"] == pytest.approx(sum(lengths.elements()) / len(games), abs=1e-3)
    assert facts["reasons"] == {"won": 0, "stuck": 0, "scored": len(games), "limit": 0}
    seats = [
        (deal, match.players[seat - 1].bot, share(match, seat), score(match, seat), place(match, seat), match)
        for deal, match in games
        for seat in range(1, players + 1)
    ]
    for standing in facts["standings"]:
        own = [seat for seat in seats if seat[1] == standing["bot"]]
        won = [seat[2] for seat in own]
        assert standing["seats"] == len(own)
        assert standing["games"] == len({id(seat[5]) for seat in own})
        assert standing["wins"] == pytest.approx(sum(won), abs=0.01)
        assert standing["share"] == pytest.approx(sum(won) / len(won), abs=1e-6)
        scores = Counter(seat[3] for seat in own)
        assert standing["score_counts"] == sorted([points, count] for points, count in scores.items())
        assert standing["mean_score"] == pytest.approx(sum(scores.elements()) / len(own), abs=1e-3)
        assert standing["share_by_place"] == pytest.approx(
            [mean([seat[2] for seat in own if seat[4] == place]) for place in range(1, players + 1)], abs=1e-6
        )
        assert standing["interval"][0] <= standing["share"] <= standing["interval"][1]
    for order in facts["turn_order"]:
        assert order["share"] == pytest.approx(
            mean([s[2] for s in seats if s[4] == order["place"]]), abs=1e-6
        )
    for pair in facts["comparisons"]:
        both = [s for s in seats if {pair["bot"], pair["against"]} <= {p.bot for p in s[5].players}]
        ours, theirs = ([s[2] for s in both if s[1] == pair[key]] for key in ("bot", "against"))
        assert pair["difference"] == pytest.approx(mean(ours) - mean(theirs), abs=1e-6)
    assert len(facts["comparisons"]) == len(plan.names) * (len(plan.names) - 1) // 2


def share(match: Match, seat: int) -> float:
    assert match.result is not None
    winners = match.result["winners"]
    return 1 / len(winners) if seat in winners else 0


def score(match: Match, seat: int) -> int:
    assert match.result is not None
    return match.result["scores"][seat - 1]


def place(match: Match, seat: int) -> int:
    """Return 1 for the seat that begins, 2 for the next one."""
    turns = [*range(match.table.first + 1, match.table.players + 1), *range(1, match.table.first + 1)]
    return turns.index(seat) + 1


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


@compiled
def test_what_one_bot_wins_another_loses_and_the_intervals_say_the_same() -> None:
    """Of four seats one has three: it cannot win more than a third of its seats."""
    facts = run_tournament(plan_of("stacks", "random,greedy,greedy,greedy"), 400).to_json()
    greedy, random = facts["standings"]
    assert (greedy["bot"], random["bot"]) == ("greedy", "random")
    assert greedy["share"] == pytest.approx((1 - random["share"]) / 3, abs=1e-5)
    low, high = random["interval"]
    assert greedy["interval"] == pytest.approx([(1 - high) / 3, (1 - low) / 3], abs=1e-5)
    assert greedy["interval"][1] <= 1 / 3 + 1e-6


def test_bots_that_have_a_time_limit_are_named() -> None:
    timed = Results(Tally(plan_of("lines", "search@200ms,hard,search@50,search@200ms", players=2)), 0)
    assert timed.to_json()["by_the_clock"] == ["search@200ms", "hard"]


def test_all_of_it_can_be_written_as_json() -> None:
    facts = run_tournament(plan_of("lines", "easy,greedy"), 4).to_json()
    assert json.loads(json.dumps(facts)) == facts


# The strongest bot


@compiled
@each_game
def test_greedy_beats_random(game: str) -> None:
    facts = run_tournament(plan_of(game, "greedy,random", players=3), 1_200).to_json()
    best, worst = facts["standings"]
    assert (best["bot"], best["verdict"]) == ("greedy", "above")
    assert (worst["bot"], worst["verdict"]) == ("random", "below")
    # A bot that won every deal has a rating without an error.
    errors = (best["rating_error"] or 0.0) + (worst["rating_error"] or 0.0)
    assert best["rating"] - worst["rating"] > 5 * errors
    assert [pair["verdict"] for pair in facts["comparisons"]] == ["above"]


def test_equal_bots_cannot_be_told_apart() -> None:
    """A budget has no effect on a bot without a search."""
    facts = run_tournament(plan_of("lines", "greedy,greedy@1"), 60).to_json()
    assert {standing["verdict"] for standing in facts["standings"]} == {"open"}
    assert {standing["share"] for standing in facts["standings"]} == {0.5}
    assert {pair["verdict"] for pair in facts["comparisons"]} == {"open"}


def test_easy_beats_random_in_lines() -> None:
    facts = run_tournament(plan_of("lines", "random,easy"), 60).to_json()
    assert [standing["bot"] for standing in facts["standings"]] == ["easy", "random"]
    assert facts["standings"][0]["verdict"] == "above"


@compiled
@stockpile_or_each
def test_bots_that_search_play_too_and_the_clairvoyant_among_them(game: str) -> None:
    plan = plan_of(game, "search@20,clairvoyant@20,random", players=2)
    facts = run_tournament(plan, 12).to_json()
    assert (facts["deals"], facts["games"]) == (2, 12)
    assert facts["standings"][-1]["bot"] == "random"
    assert np.array_equal(play_deals(plan, 1, 1).rows, run_tournament(plan, 12).tally.rows[1:])
