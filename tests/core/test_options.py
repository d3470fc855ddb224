"""Options are read from JSON and from text, and wrong ones get one clear message."""

from __future__ import annotations

from typing import Any

import pytest

from upcard.core.errors import OptionError, UnknownGame
from upcard.core.game import Game
from upcard.games import all_games, find

each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


@each_game
def test_defaults_are_what_nobody_changed(game: Game) -> None:
    assert game.complete({}) == {option.name: option.default for option in game.options}


@each_game
def test_every_option_survives_the_numbers_that_the_rules_know(game: Game) -> None:
    for option in game.options:
        assert option.value(option.number(option.default)) == option.default


@each_game
def test_an_unknown_option_is_named_with_those_that_exist(game: Game) -> None:
    with pytest.raises(OptionError, match="there is no option 'speed': the options are players, "):
        game.complete({"speed": 3})


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("stockpile", {"players": 5}, "players cannot be 5: it is a whole number from 2 to 4 (S1.2)"),
    ("stockpile", {"players": "two"}, "players cannot be 'two'"),
    ("stockpile", {"players": True}, "players cannot be True"),
    ("stockpile", {"stock": 0}, "stock cannot be 0: it is a whole number from 1 to 30 (S2.2)"),
    ("stockpile", {"stock": 2.5}, "stock cannot be 2.5"),
    ("stockpile", {"stock": "³"}, "stock cannot be '³'"),
    ("stockpile", {"stock": "9" * 5000}, "stock cannot be"),
    ("stockpile", {"stock": 21, "players": 4}, "4 players can have at most 20 stockpile cards each"),
    ("stockpile", {"must_play": "maybe"}, "must_play cannot be 'maybe': it is yes or no (S3.8)"),
    ("stockpile", {"must_play": 1}, "must_play cannot be 1"),
    ("stockpile", {"first": 3}, "first cannot be seat 3: there are 2 players (S2.1)"),
    ("stockpile", {"first": 0}, "first cannot be 0"),
    ("stockpile", {"first": None}, "first cannot be None"),
    ("stockpile", {"refill": []}, "refill cannot be []: it is turn or empty (S3.7)"),
    ("lines", {"players": 5}, "5 players need 6 colours, not 5 (L1.2)"),
    ("lines", {"colours": 3}, "colours cannot be 3: it is 5 or 4 or 6 (L1.1)"),
    ("lines", {"colours": True}, "colours cannot be True"),
    ("stacks", {"dealer": 7, "players": 6}, "dealer cannot be seat 7: there are 6 players (K2.1)"),
    ("stacks", {"turn_limit": 0}, "turn_limit cannot be 0"),
    ("stacks", {"block": "never"}, "block cannot be 'never': it is completion or anytime (K5.1)"),
]


def test_a_value_out_of_range_gets_one_clear_message(subtests: pytest.Subtests) -> None:
    for game, options, message in WRONG:
        with subtests.test(message):
            with pytest.raises(OptionError) as refused:
                find(game).complete(options)
            assert str(refused.value).startswith(message)
            assert "\n" not in str(refused.value)


def test_text_means_the_same_as_json() -> None:
    stockpile = find("stockpile")
    text = {"players": "3", "stock": "5", "must_play": "no", "first": "2", "refill": "empty"}
    json = {"players": 3, "stock": 5, "must_play": False, "first": 2, "refill": "empty"}
    assert stockpile.complete(text) == stockpile.complete(json)


def test_there_is_no_fourth_game_yet() -> None:
    with pytest.raises(UnknownGame, match="there is no game 'chess': choose stockpile, lines, stacks"):
        find("chess")
