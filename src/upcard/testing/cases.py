"""The tables that the contract tests play: a game with some of its options changed.

`all_cases` is every combination of the options of a game. `some_cases` is a small part of it in which every
pair of values of two options still occurs: a pairwise covering array.
"""

from __future__ import annotations

__all__ = ["Case", "all_cases", "some_cases", "values_of"]

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from upcard.core.errors import OptionError
from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice

# Higher values of a number take long and show nothing new.
HIGHEST_TRIED = 60


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
    """Return the values of an option to test, the default first: all, or the extremes."""
    match option:
        case Choice():
            return [*option.choices]
        case Flag():
            return [option.default, not option.default]
        case Number(name="players"):
            return [*range(option.minimum, option.maximum + 1)]
        case Number():
            return [option.standard, option.minimum, min(option.maximum, HIGHEST_TRIED)]
        case SeatChoice():
            return ["random", 2]
    raise AssertionError(option)


@functools.cache
def all_cases(game: Game) -> list[Case]:
    """Return every combination of options that can be dealt and makes a difference."""
    return list(_combinations(game))


def _combinations(game: Game) -> Iterator[Case]:
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
    """Whether a chosen option has no effect here, so that another case plays the same game."""
    return any(
        option.players not in (None, options["players"]) and options[option.name] != option.default
        for option in game.options
    )


@functools.cache
def some_cases(game: Game) -> list[Case]:
    """Return some cases that contain every pair of values that occurs in any case.

    Greedy: the case that adds the most pairs comes next. With the lowest value of a number, the game is over
    before much can happen, so such a value gets one case, and its pairs do not count.
    """
    cases = all_cases(game)
    long = [case for case in cases if not _lowest(case)]
    short = {name: case for case in cases for name in _lowest(case)}
    chosen = []
    left = set(itertools.chain.from_iterable(map(_pairs, long)))
    while left:
        chosen.append(max(long, key=lambda case: len(_pairs(case) & left)))
        left -= _pairs(chosen[-1])
    return [*chosen, *short.values()]


def _lowest(case: Case) -> list[str]:
    """Return the names of the numbers, other than the number of players, that have their lowest values."""
    return [
        option.name
        for option in case.game.options
        if isinstance(option, Number) and option.name != "players"
        if case.options.get(option.name) == option.minimum
    ]


def _pairs(case: Case) -> set[frozenset[tuple[str, str]]]:
    """Return all pairs of an option's value and another's."""
    values = [
        (option.name, repr(case.options.get(option.name, option.default))) for option in case.game.options
    ]
    return {frozenset(pair) for pair in itertools.combinations(values, 2)}
