"""The cases of the contract tests: few, and yet every pair of values of two options occurs."""

from __future__ import annotations

import itertools

import pytest

from tests.cases import ALL_CASES, CASES, Case, values_of
from upcard.core.game import Game
from upcard.core.options import Number, Value
from upcard.games import all_games

each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


def values(case: Case) -> dict[str, Value]:
    return case.game.complete(case.options)


@each_game
def test_every_two_values_that_ever_meet_do_so_in_a_few_cases(game: Game) -> None:
    some, every = ([values(case) for case in cases if case.game is game] for cases in (CASES, ALL_CASES))
    for one, other in itertools.combinations(game.options, 2):
        lowest = {
            (option.name, option.minimum)
            for option in (one, other)
            if isinstance(option, Number) and option.name != "players"
        }
        for pair in itertools.product(values_of(one), values_of(other)):
            wanted = dict(zip((one.name, other.name), pair, strict=True))
            if not lowest & wanted.items() and any(wanted.items() <= case.items() for case in every):
                assert any(wanted.items() <= case.items() for case in some), wanted
    assert len(some) <= len(every) // 8


@each_game
def test_every_value_of_every_option_is_played(game: Game) -> None:
    some = [values(case) for case in CASES if case.game is game]
    for option in game.options:
        assert {case[option.name] for case in some} == {*values_of(option)}


def test_no_case_is_there_twice() -> None:
    assert len(set(ALL_CASES)) == len(ALL_CASES)
    assert len(set(CASES)) == len(CASES)
    assert set(CASES) <= set(ALL_CASES)
