"""Studies, compared with games that are counted one by one."""

from __future__ import annotations

import contextlib
import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from upcard.core.errors import OptionError, UpcardError
from upcard.games import GAMES, find
from upcard.lab.contest import play_match
from upcard.lab.study import findings
from upcard.lab.study.measures import Sample
from upcard.lab.study.study import StudyPlan, study
from upcard.lab.study.variations import read_variations
from upcard.match import Match
from upcard.match.seed import numbered_seed, read_seed

SEED = read_seed("study")

each_game = pytest.mark.parametrize("game", GAMES)
# Distributing the work is independent of the game, so one game is enough outside a soak.
one_game_or_each = pytest.mark.parametrize(
    "game", [game if game == "lines" else pytest.param(game, marks=pytest.mark.soak) for game in GAMES]
)
compiled = pytest.mark.compiled


@pytest.fixture(autouse=True)
def fewer_games_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting is slow, and these are enough for two tasks."""
    monkeypatch.setattr("upcard.lab.study.study.WATCHED_GAMES", 40)


def asked(
    game: str, options: dict[str, object] | None = None, bots: str = "greedy", **more: Any
) -> StudyPlan:
    usual: dict[str, Any] = {"games": 40, "deals": 0}
    return StudyPlan.of(game, options or {}, bots.split(","), SEED, **(usual | more))


def matches(
    game: str, options: dict[str, object], seatings: list[tuple[str, ...]], deals: int
) -> list[Match]:
    """Play the games of a study one by one, by plain rules."""
    return [
        play_match(find(game), options, numbered_seed(SEED, number), seating)
        for number in range(deals)
        for seating in seatings
    ]


def winners_by_place(match: Match) -> list[int]:
    """Return the winners, counted from the starting seat."""
    result = match.result
    assert result is not None
    first = match.record()["first"]
    return [(seat - first) % len(match.players) for seat in result["winners"]]


# The games


@compiled
@each_game
def test_the_figures_are_those_of_the_same_games_played_plainly(game: str) -> None:
    facts = study(asked(game, {"players": 3}, pace=10.0))
    played = matches(game, {"players": 3}, [("greedy",) * 3], 40)
    for place in range(3):
        won = sum(1 / len(winners_by_place(match)) for match in played if place in winners_by_place(match))
        assert facts["turn_order"][place]["share"] == pytest.approx(won / 40, abs=1e-6)
    moves = [len(match.log_of_moves) for match in played]
    assert facts["length"]["mean"] == pytest.approx(statistics.mean(moves), abs=1e-3)
    assert facts["length"]["median"] == statistics.median(moves)
    assert facts["length"]["counts"] == [list(item) for item in sorted(Counter(moves).items())]
    assert facts["length"]["longest_of_100"] == max(moves)
    assert facts["length"]["minutes"]["mean"] == pytest.approx(statistics.mean(moves) / 6, abs=0.01)
    results = [match.result for match in played if match.result is not None]
    reasons = Counter(result["reason"] for result in results)
    assert {reason: end["games"] for reason, end in facts["reasons"].items() if end["games"]} == reasons
    assert facts["shared_wins"]["share"] == sum(len(result["winners"]) > 1 for result in results) / 40
    for place in range(3):
        scores = [
            result["scores"][(match.record()["first"] - 1 + place) % 3]
            for match, result in zip(played, results, strict=True)
        ]
        assert facts["scores"][place]["mean_score"] == pytest.approx(statistics.mean(scores), abs=1e-3)
        assert facts["scores"][place]["score_counts"] == [
            list(item) for item in sorted(Counter(scores).items())
        ]
    turns = [sum(event.kind == 1 for event in match.events) for match in played]
    assert facts["rules"]["turns_per_game"]["mean"] == pytest.approx(statistics.mean(turns), abs=1e-3)


@compiled
@pytest.mark.parametrize("seat", [1, 2])
def test_the_starting_player_is_first_in_the_order_of_turns(seat: int) -> None:
    facts = study(asked("lines", {"first": seat}))
    played = matches("lines", {"first": seat}, [("greedy",) * 2], 40)
    results = [match.result for match in played if match.result is not None]
    won = sum(1 / len(result["winners"]) for result in results if seat in result["winners"])
    assert facts["turn_order"][0]["share"] == pytest.approx(won / 40, abs=1e-6)


def test_different_bots_move_round_the_seats_of_every_deal() -> None:
    assert Sample.of("stacks", {"players": 3}, ["easy", "random"], SEED).seatings == (
        ("easy", "random", "easy"),
        ("random", "easy", "easy"),
        ("easy", "easy", "random"),
    )
    facts = study(asked("lines", bots="easy,random", games=15))
    assert (facts["deals"], facts["games"]) == (8, 16)
    played = matches("lines", {}, [("easy", "random"), ("random", "easy")], 8)
    won = sum(1 / len(winners_by_place(match)) for match in played if 0 in winners_by_place(match))
    assert facts["turn_order"][0]["share"] == pytest.approx(won / 16, abs=1e-6)
    assert facts["rules"]["games"] == 16


@compiled
@each_game
def test_an_interval_holds_the_share_and_narrows_with_more_games(game: str) -> None:
    few, many = (study(asked(game, games=games))["turn_order"][0] for games in (50, 2000))
    for place in (few, many):
        assert place["interval"][0] < place["share"] < place["interval"][1]
    assert many["interval"][1] - many["interval"][0] < (few["interval"][1] - few["interval"][0]) / 4


@compiled
@one_game_or_each
def test_the_number_of_jobs_changes_nothing(game: str) -> None:
    question = asked(game, games=2100, vary=("players=3",), pair=("easy", "random"), deals=2)
    once, twice = (json.dumps(study(question, jobs)) for jobs in (1, 2))
    assert once == twice


# Options


@compiled
def test_a_varied_table_is_studied_like_any_other() -> None:
    facts = study(asked("stockpile", {"players": 3}, vary=("stock=3,10", "must_play")))
    assert [option["option"] for option in facts["variations"]] == ["stock", "must_play"]
    stock, must_play = facts["variations"]
    assert [(value["value"], value["usual"]) for value in stock["values"]] == [(3, False), (10, True)]
    assert [value["value"] for value in must_play["values"]] == [True, False]
    alone = study(asked("stockpile", {"players": 3, "stock": 3}))
    for key in ("turn_order", "length", "reasons", "scores"):
        assert stock["values"][0][key] == alone[key]
        assert stock["values"][1][key] == must_play["values"][0][key] == facts[key]
    assert "rules" not in stock["values"][1]
    assert "skill" not in stock["values"][1]


@compiled
def test_the_same_table_is_not_played_at_twice() -> None:
    games: list[int] = []

    @contextlib.contextmanager
    def counting(_part: str, _games: int) -> Iterator[Callable[[int], None]]:
        yield games.append

    study(asked("lines", games=100, vary=("reshuffle", "give")), progress=counting)
    assert sum(games) == 300


def test_skill_is_asked_at_varied_tables_only_if_it_was_named() -> None:
    question: dict[str, Any] = {"games": 4, "pair": ("easy", "random"), "deals": 2}
    only, everywhere = (
        study(asked("lines", bots="easy", vary=("colours=5,6",), skill_everywhere=named, **question))
        for named in (False, True)
    )
    assert not any("skill" in value for value in only["variations"][0]["values"])
    five, six = everywhere["variations"][0]["values"]
    assert five["skill"] == everywhere["skill"] == only["skill"]
    assert six["skill"] == study(asked("lines", {"colours": 6}, "easy", **question))["skill"]


def read(game: str, *texts: str, **options: object) -> list[tuple[str, object, str | None]]:
    found = read_variations(find(game), options, texts)
    return [(variation.option.name, variation.value, variation.refused) for variation in found]


def test_values_that_are_named_twice_are_taken_once() -> None:
    assert read("stockpile", "stock=5,10,5") == [("stock", 5, None), ("stock", 10, None)]


def test_a_name_alone_is_all_values_and_those_that_cannot_be_dealt_say_why() -> None:
    sentence = "5 players need 6 colours, not 5 (L1.2)"
    assert read("lines", "players") == [
        *(("players", players, None) for players in (2, 3, 4)),
        ("players", 5, sentence),
    ]
    assert read("lines", "players", colours=6)[3] == ("players", 5, None)


@each_game
def test_all_is_every_option_but_who_begins(game: str) -> None:
    names = list(dict.fromkeys(name for name, _, _ in read(game, "all")))
    assert names == [option.name for option in find(game).options if option.name not in ("first", "dealer")]
    assert all(
        option.default in [value for name, value, _ in read(game, "all") if name == option.name]
        for option in find(game).options
        if option.name in names
    )


def test_a_number_with_many_values_is_halved_and_doubled() -> None:
    assert [value for name, value, _ in read("stockpile", "all") if name == "stock"] == [5, 10, 20]


WRONG = {
    "stock=5,99": "stock cannot be '99': it is a whole number from 1 to 30 (S2.2)",
    "stock=20,21": "4 players can have at most 20 stockpile cards each, not 21 (S2.2)",
    "stock=": "stock cannot be '': it is a whole number from 1 to 30 (S2.2)",
    "stock": "stock is a whole number from 1 to 30, so say which, as in stock=10,...",
    "first": "first only decides who goes first, so it changes nothing: a study counts from there",
    "first=1,2": "first only decides who goes first, so it changes nothing: a study counts from there",
    "frob=1": (
        "there is no option 'frob': the options are players, first, stock, refill, must_play, recycle"
    ),
    "": "there is no option '': the options are players, first, stock, refill, must_play, recycle",
}


def test_what_cannot_be_varied_is_refused_before_anything_is_played(subtests: pytest.Subtests) -> None:
    for text, sentence in WRONG.items():
        with subtests.test(text):
            with pytest.raises(OptionError) as refused:
                asked("stockpile", {"players": 4}, vary=(text,))
            assert str(refused.value) == sentence


def test_an_option_is_varied_once() -> None:
    with pytest.raises(OptionError, match=r"^refill is varied twice$"):
        asked("stockpile", vary=("all", "refill"))


def test_more_bots_than_a_varied_table_has_seats_are_refused() -> None:
    with pytest.raises(UpcardError, match=r"^name 1 to 2 bots for 2 players, not 3$"):
        asked("lines", {"players": 3}, "easy,random,greedy", vary=("players=2,3",))


# Luck and skill


@each_game
@pytest.mark.parametrize("players", [2, 3])
def test_skill_is_counted_on_deals_that_are_played_at_every_seat(game: str, players: int) -> None:
    question = asked(game, {"players": players}, "easy", games=1, pair=("easy", "random"), deals=6)
    skill = study(question)["skill"]
    won, fates = 0.0, Counter[str]()
    for number in range(6):
        results = []
        for seat in range(1, players + 1):
            bots = ["easy" if other == seat else "random" for other in range(1, players + 1)]
            match = play_match(find(game), {"players": players}, numbered_seed(SEED, number), bots)
            assert match.result is not None
            results.append((seat, match.result["winners"]))
        won += sum((seat in winners) / len(winners) for seat, winners in results)
        if all([seat] == winners for seat, winners in results):
            fates["strong_always"] += 1
        elif not any(seat in winners for seat, winners in results):
            fates["strong_never"] += 1
        elif all(winners == results[0][1] and len(winners) == 1 for _, winners in results):
            fates["same_seat"] += 1
        else:
            fates["otherwise"] += 1
    assert (skill["deals"], skill["games"]) == (6, 6 * players)
    assert skill["share"] == pytest.approx(won / (6 * players), abs=1e-6)
    assert skill["equal_share"] == pytest.approx(1 / players, abs=1e-6)
    for fate, share in skill["fates"].items():
        assert share["share"] == pytest.approx(fates[fate] / 6, abs=1e-6), fate


def test_no_deals_leave_skill_out() -> None:
    facts = study(asked("lines", bots="easy", games=2, pair=("frob", "frob"), deals=0))
    assert "skill" not in facts
    assert facts["skill_bots"] is None


def test_two_equal_bots_have_no_skill_to_compare() -> None:
    with pytest.raises(UpcardError, match=r"^--skill compares two different bots, and easy is only one$"):
        asked("lines", pair=("easy", "easy"), deals=1)


def test_bots_that_think_by_the_clock_are_named() -> None:
    facts = study(asked("lines", bots="easy", games=1, pair=("search@5", "easy"), deals=1))
    assert facts["by_the_clock"] == []
    question = asked("lines", bots="search@200ms", pair=("hard", "easy"), deals=1)
    assert study(question, progress=pressing(1))["by_the_clock"] == ["search@200ms", "hard"]


def test_a_sentence_is_about_the_games_that_were_watched_or_about_all_of_them() -> None:
    facts = study(asked("lines", bots="easy", games=3, deals=0))
    rules = facts.pop("rules")
    # These sentences depend only on the figures of all games.
    assert findings.length(facts).startswith(
        f"A game takes {findings.number(facts['length']['mean'])} moves; "
    )
    assert findings.endings(facts).startswith("Of 100 games, ")
    # And these only on the games whose events were counted.
    turns = findings.number(rules["turns_per_game"]["mean"])
    assert findings.events(rules).startswith(
        f"In 3 games whose events were counted, {turns} turns long on average, "
    )
    assert findings.ended_by(rules).startswith("Of 100 games whose events were counted, ")


# Ctrl-C


def pressing(part: int) -> Callable[[str, int], contextlib.AbstractContextManager[Callable[[int], None]]]:
    """Return a progress at which Ctrl-C is pressed in the part of that number, as soon as it begins."""
    begun = []

    @contextlib.contextmanager
    def pressed(name: str, _games: int) -> Iterator[Callable[[int], None]]:
        begun.append(name)
        if len(begun) == part:
            raise KeyboardInterrupt
        yield lambda done: None

    return pressed


NAMES = ["the games", "give=free", "give=matching", "easy against random"]


@pytest.mark.parametrize("finished", [0, 1, 2, 3])
def test_ctrl_c_keeps_the_parts_that_are_finished(finished: int) -> None:
    question = asked("lines", bots="easy", games=3, vary=("give",), pair=("easy", "random"), deals=1)
    facts = study(question, progress=pressing(finished + 1))
    whole = study(question)
    assert facts["interrupted"] is True
    assert facts["missing"] == NAMES[finished:]
    assert ("games" in facts, "rules" in facts) == (finished > 0, finished > 0)
    values = facts["variations"][0]["values"]
    assert ["games" in value for value in values] == [finished > 1, finished > 2]
    assert "skill" not in facts
    assert all(facts[key] == whole[key] for key in ("turn_order", "length", "rules") if finished)
    assert whole["interrupted"] is False
    assert whole["missing"] == []
