"""Counts of events in a game, compared with the events of the match itself."""

from __future__ import annotations

from collections import Counter

import pytest

from upcard.core.events import EventKind
from upcard.core.game import Game
from upcard.core.rulebook import clauses
from upcard.games import all_games, find
from upcard.lab.contest import play_match
from upcard.lab.study.event_counts import Watched, emitted_by, summary, watch
from upcard.match import Match
from upcard.match.seed import read_seed

each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


def played(game: Game, number: int, bots: tuple[str, ...] = ("greedy", "random", "easy")) -> Match:
    return play_match(game, {"players": len(bots)}, read_seed(number), bots)


def watched(match: Match) -> Watched:
    assert match.seed is not None
    moves = [entry.move for entry in match.log_of_moves]
    return watch(match.game, match.game.complete(match.options), match.seed, moves)


def happened(match: Match) -> Counter[str]:
    """Return the number of events of each kind from the first turn on."""
    kinds = [event.kind for event in match.events]
    return Counter(kind.name.lower() for kind in kinds[kinds.index(EventKind.TURN) :])


@each_game
def test_the_events_that_are_counted_are_those_of_the_match(game: Game) -> None:
    for number in range(4):
        match = played(game, number)
        found = watched(match)
        kinds: Counter[str] = Counter()
        for (kind, _), times in found.events.items():
            kinds[kind] += times
        assert kinds == happened(match)
        assert found.turns == kinds["turn"]


@each_game
def test_every_event_has_the_clauses_of_the_rules_that_emit_it(game: Game) -> None:
    cited = emitted_by(game)
    for number in range(4):
        assert happened(played(game, number)).keys() <= cited.keys()
    for found in cited.values():
        assert set(found) <= set(clauses(game))


def test_a_theft_is_told_by_the_clause_about_thefts() -> None:
    cited = emitted_by(find("stacks"))
    assert cited["stole"] == ("K4.3",)
    assert cited["stole_chip"] == ("K4.4",)


@pytest.mark.parametrize(
    ("game", "options", "bots", "clause"),
    [
        ("stockpile", {}, "greedy", "S5.1"),
        ("stockpile", {"stock": 30, "recycle": "completed"}, "random", "S4.4"),
        ("lines", {}, "greedy", "L5.1"),
        ("stacks", {}, "greedy", "K6.1"),
        ("stacks", {"turn_limit": 3}, "greedy", "K6.3"),
    ],
)
def test_the_clause_that_ended_a_game_is_named(
    game: str, options: dict[str, object], bots: str, clause: str
) -> None:
    ends = [
        watched(play_match(find(game), options, read_seed(number), [bots, bots])).ended_by
        for number in range(8)
    ]
    assert clause in ends
    if clause != "S4.4":
        assert set(ends) == {clause}


@each_game
def test_the_summary_counts_by_game_and_puts_the_rarest_first(game: Game) -> None:
    games = [watched(played(game, number)) for number in range(10)]
    facts = summary(game, games, 0.95)
    assert facts["games"] == 10
    for row in facts["events"]:
        times = [
            sum(count for (_, code), count in one.events.items() if code.partition(".")[2] == row["event"])
            for one in games
        ]
        assert row["times_per_game"] == pytest.approx(sum(times) / 10)
        assert row["share_of_games"] == pytest.approx(sum(time > 0 for time in times) / 10)
        assert row["interval"][0] <= row["share_of_games"] <= row["interval"][1]
        assert row["times_interval"][0] <= row["times_per_game"] <= row["times_interval"][1]
        assert "{" not in row["says"]
    shares = [row["share_of_games"] for row in facts["events"]]
    assert shares == sorted(shares)
    assert facts["turns_per_game"]["mean"] == pytest.approx(sum(one.turns for one in games) / 10)
    assert sum(row["share_of_games"] for row in facts["ended_by"]) == pytest.approx(1)


def test_events_that_never_happened_are_first_and_it_is_said_how_sure_that_is() -> None:
    """Passing is possible only with an option."""
    games = [watched(played(find("stockpile"), number)) for number in range(5)]
    never = summary(find("stockpile"), games, 0.95)["events"][0]
    assert (never["event"], never["share_of_games"]) == ("passed", 0)
    assert 0.2 < never["interval"][1] < 0.6
