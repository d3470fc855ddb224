"""The cases of all games: `make test` plays `CASES`, `make soak` plays `ALL_CASES`."""

from __future__ import annotations

__all__ = ["ALL_CASES", "CASES", "Case", "each_case", "in_game", "values_of"]

import os
from typing import Any

import pytest

from upcard.games import GAMES, all_games
from upcard.testing.cases import Case, all_cases, some_cases, values_of

ALL_CASES = [case for game in all_games() for case in all_cases(game)]
CASES = [case for game in all_games() for case in some_cases(game)]


def _tried() -> list[Any]:
    if os.environ.get("TEST_CASES") == "all":
        return [pytest.param(case, marks=pytest.mark.soak) for case in ALL_CASES]
    return list(CASES)


each_case = pytest.mark.parametrize("case", _tried(), ids=str)


def in_game(tried: str) -> pytest.MarkDecorator:
    """Run a test of something that is the same in all games: `make test` does so in one of them, and
    `make soak` in the others."""
    others = [pytest.param(game, marks=pytest.mark.soak) for game in GAMES if game != tried]
    return pytest.mark.parametrize("game", [tried, *others])
