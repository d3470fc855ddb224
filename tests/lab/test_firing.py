"""How often rules act, held against the events of the same games."""

from __future__ import annotations

import sys
from collections import Counter
from types import CodeType, FrameType

import pytest

from upcard.core.game import Game
from upcard.core.news import News
from upcard.core.rulebook import clauses
from upcard.games import all_games, find
from upcard.lab.contest import play_match
from upcard.lab.study.firing import Watched, _Changes, _listen, acts, summary, watch
from upcard.match import Match
from upcard.match.seed import read_seed

each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


def played(game: Game, number: int, bots: tuple[str, ...] = ("greedy", "random", "easy")) -> Match:
    return play_match(game, {"players": len(bots)}, read_seed(number), bots)


def watched(match: Match) -> Watched:
    assert match.seed is not None
    moves = [entry.move for entry in match.log_of_moves]
    return watch(match.game, match.game.complete(match.options), match.seed, moves)


def happened(match: Match) -> Counter[News]:
    """Return how often each kind of news was told from the first turn on."""
    kinds = [event.kind for event in match.events]
    return Counter(kinds[kinds.index(News.TURN) :])


# Which news a rule tells whenever it acts, and no other rule does.
TOLD = {
    "stockpile": {
        "begin_turn": [News.TURN],
        "put_card": [News.PLAYED],
        "complete": [News.COMPLETED],
        "recycle": [News.SHUFFLED],
        "end_game": [News.OVER],
    },
    "lines": {
        "begin_turn": [News.TURN],
        "lay_card": [News.PLAYED],
        "put_aside": [News.SET_ASIDE],
        "draw_card": [News.DREW],
        "shuffle_deck": [News.SHUFFLED],
        "end_game": [News.OVER],
    },
    "stacks": {
        "begin_turn": [News.TURN],
        "play_card": [News.PLAYED],
        "complete": [News.COMPLETED],
        "steal_card": [News.STOLE],
        "steal_chip": [News.STOLE_CHIP],
        "answer": [News.ALLOWED, News.BLOCKED],
        "discard_card": [News.DISCARDED],
        "draw_card": [News.DREW],
        "recycle": [News.SHUFFLED],
        "end_game": [News.OVER],
    },
}


@each_game
def test_a_rule_acts_as_often_as_its_news_was_told(game: Game) -> None:
    for number in range(8):
        match = played(game, number)
        told = happened(match)
        acted = watched(match).playing
        for rule, kinds in TOLD[game.id].items():
            assert acted[rule] == sum(told[kind] for kind in kinds), (number, rule)


@each_game
def test_the_news_that_is_counted_is_that_of_the_match(game: Game) -> None:
    match = played(game, 1)
    found = watched(match)
    told = happened(match)
    assert sum(found.news.values()) == sum(told.values())
    assert found.turns == told[News.TURN]


def calls_of(code: CodeType, match: Match) -> int:
    """Count in another way how often a rule is asked while a match is played again."""
    calls = 0

    def count(frame: FrameType, event: str, _what: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code is code

    again = Match(match.game, match.options, match.seed)
    sys.setprofile(count)
    try:
        for entry in match.log_of_moves:
            again.make_legal(entry.move)
    finally:
        sys.setprofile(None)
    return calls


def test_a_rule_that_finds_nothing_to_do_has_not_acted() -> None:
    """Large stockpiles leave few fresh cards, and with this option there is often none to be had."""
    game = find("stockpile")
    options = {"players": 2, "stock": 30, "recycle": "completed"}
    asked = acted = 0
    (recycle,) = (act.code for act in acts(game) if act.name == "recycle")
    for number in range(6):
        match = play_match(game, options, read_seed(number), ["random", "random"])
        found = watched(match).playing["recycle"]
        assert found == happened(match)[News.SHUFFLED]
        acted += found
        asked += calls_of(recycle, match)
    assert 0 < acted < asked


def test_who_is_asked_next_is_no_act_of_the_rule_that_draws_five() -> None:
    """K3.5 is asked after every play; it acts when a hand was played out, and cards or a theft fill it."""
    drawn = acted = stolen = played_out = 0
    for number in range(6):
        match = played(find("stacks"), number)
        acted += watched(match).playing["after_play"]
        stolen += happened(match)[News.STOLE]
        played_out += happened(match)[News.PLAYED]
        again = Match(match.game, match.options, match.seed)
        for entry in match.log_of_moves:
            kinds = {event.kind for event in again.make_legal(entry.move)}
            drawn += News.DREW in kinds and News.TURN not in kinds
    assert 0 < drawn <= acted <= drawn + stolen < played_out


@each_game
def test_whatever_lies_otherwise_at_a_table_is_a_change_and_the_same_again_is_none(game: Game) -> None:
    table, changes = game.deal({}, read_seed(1)), _Changes()
    _listen(table, changes)
    pile = table.deck
    for change in (
        lambda: setattr(table, "over", 7),
        lambda: setattr(pile, "count", 3),
        lambda: pile.cards.__setitem__(2, 9),
    ):
        change()
        seen = changes.count
        change()
        assert changes.count == seen
    assert changes.count == 3
    table.to_move += 1
    assert changes.count == 3


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
def test_what_can_act_is_found_by_itself_and_asks_nothing_else(game: Game) -> None:
    names = [act.name for act in acts(game)]
    assert "apply" in names
    assert "end_game" in names
    assert not {"legal", "outcome", "look", "redeal", "fits", "is_stuck", "can_extend"} & set(names)
    for act in acts(game):
        assert set(act.clauses) <= set(clauses(game.id))
        assert act.clauses[0] not in act.says


def test_a_rule_that_returns_something_can_act_too() -> None:
    """K4.1 The rule that says whose turn is next is asked at the end of each, and acts when it skips."""
    skips = 0
    for number in range(5):
        found = watched(played(find("stacks"), number, ("random",) * 4))
        skipped = sum(times for (code, _), times in found.news.items() if code == "stacks.skipped")
        assert (found.playing["next_player"] > 0) == (skipped > 0)
        assert found.playing["next_player"] <= skipped < found.turns
        skips += skipped
    assert skips > 0


def test_setting_up_is_kept_apart_from_playing() -> None:
    found = watched(played(find("lines"), 1))
    assert found.setting_up["deal"] == 1
    assert found.setting_up["open_box"] == 1
    assert found.setting_up["draw_card"] == 12
    assert found.playing["deal"] == found.playing["open_box"] == 0


def test_watching_leaves_python_as_it_was() -> None:
    def before(_frame: FrameType, _event: str, _what: object) -> None:
        pass

    match = played(find("lines"), 1)
    sys.setprofile(before)
    try:
        watched(match)
        assert sys.getprofile() is before
    finally:
        sys.setprofile(None)


@each_game
def test_the_summary_counts_by_game_and_puts_the_rarest_first(game: Game) -> None:
    games = [watched(played(game, number)) for number in range(10)]
    facts = summary(game, games, 0.95)
    assert facts["games"] == 10
    for row in facts["rules"]:
        times = [one.playing[row["rule"]] for one in games]
        assert row["times_per_game"] == pytest.approx(sum(times) / 10)
        assert row["share_of_games"] == pytest.approx(sum(time > 0 for time in times) / 10)
        assert row["interval"][0] <= row["share_of_games"] <= row["interval"][1]
        assert row["times_interval"][0] <= row["times_per_game"] <= row["times_interval"][1]
    shares = [row["share_of_games"] for row in facts["rules"]]
    assert shares == sorted(shares)
    assert facts["turns_per_game"]["mean"] == pytest.approx(sum(one.turns for one in games) / 10)
    assert sum(row["share_of_games"] for row in facts["ended_by"]) == pytest.approx(1)
    listed = {clause for row in facts["rules"] + facts["only_set_up"] for clause in row["clauses"]}
    assert listed | set(facts["cannot_act"]) == set(clauses(game.id)) == set(facts["clauses"])
    assert not any("{" in row["says"] for row in facts["news"])


def test_rules_that_never_acted_are_first_and_it_is_said_how_sure_that_is() -> None:
    """With one card to play away, nobody runs out of fresh ones."""
    game = find("stockpile")
    matches = [play_match(game, {"stock": 1}, read_seed(number), ["random"] * 2) for number in range(5)]
    facts = summary(game, [watched(match) for match in matches], 0.95)
    never = [row for row in facts["rules"] if row["share_of_games"] == 0]
    assert {"recycle", "take_from_under"} <= {row["rule"] for row in never}
    assert facts["rules"][: len(never)] == never
    assert all(0.2 < row["interval"][1] < 0.6 for row in never)
