"""Which games the contracts are tried with.

`ALL_CASES` is the whole product: every game with every combination of its options. `CASES` is a small part of
it in which every two values of two options still meet: a pairwise covering array. `make test` plays the part,
`make soak` the whole.
"""

from __future__ import annotations

__all__ = ["ALL_CASES", "CASES", "Case", "each_case", "values_of"]

import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from upcard.core.errors import OptionError
from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice
from upcard.games import all_games

# More would take long and show nothing new.
MOST = 60


@dataclass(frozen=True)
class Case:
    """A game and the options that differ from its defaults."""

    game: Game
    chosen: tuple[tuple[str, Any], ...]

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.chosen)

    def __str__(self) -> str:
        return "-".join([self.game.id, *(f"{name}={value}" for name, value in self.chosen)])


def values_of(option: Option) -> list[Any]:
    """Return the values of an option that are worth playing with, the default first: all, or the extremes."""
    match option:
        case Choice():
            return [*option.choices]
        case Flag():
            return [option.default, not option.default]
        case Number(name="players"):
            return [*range(option.least, option.most + 1)]
        case Number():
            return [option.usual, option.least, min(option.most, MOST)]
        case SeatChoice():
            return ["random", 2]
    raise AssertionError(option)


def _whole_product(game: Game) -> Iterator[Case]:
    """Return every combination of options that can be dealt and is a game of its own."""
    names = [option.name for option in game.options]
    for values in itertools.product(*map(values_of, game.options)):
        options = dict(zip(names, values, strict=True))
        if _is_dealable(game, options) and not _is_idle(game, options):
            differing = {
                option.name: options[option.name]
                for option in game.options
                if options[option.name] != option.default or option.name == "players"
            }
            yield Case(game, tuple(differing.items()))


def _is_dealable(game: Game, options: dict[str, Any]) -> bool:
    try:
        game.complete(options)
    except OptionError:
        return False
    return True


def _is_idle(game: Game, options: dict[str, Any]) -> bool:
    """Whether an option was chosen that changes nothing here, so that the game is another one's twin."""
    return any(
        option.players not in (None, options["players"]) and options[option.name] != option.default
        for option in game.options
    )


def _pairwise(cases: list[Case]) -> list[Case]:
    """Return some cases in which all pairs of values meet that meet in any.

    Greedy: the case that adds the most pairs comes next. Where a number is as low as can be, the game is over
    before much can meet in it, so such a value gets one case, and its pairs do not count.
    """
    long = [case for case in cases if not _lowest(case)]
    short = {name: case for case in cases for name in _lowest(case)}
    chosen = []
    left = set(itertools.chain.from_iterable(map(_pairs, long)))
    while left:
        chosen.append(max(long, key=lambda case: len(_pairs(case) & left)))
        left -= _pairs(chosen[-1])
    return [*chosen, *short.values()]


def _lowest(case: Case) -> list[str]:
    """Return the names of the numbers, other than that of the players, that are as low as can be."""
    return [
        option.name
        for option in case.game.options
        if isinstance(option, Number) and option.name != "players"
        if case.options.get(option.name) == option.least
    ]


def _pairs(case: Case) -> set[frozenset[tuple[str, str]]]:
    """Return all pairs of an option's value and another's."""
    values = [
        (option.name, repr(case.options.get(option.name, option.default))) for option in case.game.options
    ]
    return {frozenset(pair) for pair in itertools.combinations(values, 2)}


PRODUCTS = [[*_whole_product(game)] for game in all_games()]
ALL_CASES = [case for product in PRODUCTS for case in product]
CASES = [case for product in PRODUCTS for case in _pairwise(product)]


def _tried() -> list[Any]:
    if os.environ.get("TEST_CASES") == "all":
        return [pytest.param(case, marks=pytest.mark.soak) for case in ALL_CASES]
    return list(CASES)


each_case = pytest.mark.parametrize("case", _tried(), ids=str)
