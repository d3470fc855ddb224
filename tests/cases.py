"""Every game with every number of players and every value of every option: what contracts run over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from upcard.core.errors import OptionError
from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice
from upcard.games import all_games


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
    """Return the values of an option that are worth playing with: all, or the extremes."""
    match option:
        case Choice():
            return [*option.choices]
        case Flag():
            return [True, False]
        case Number(name="players"):
            return [*range(option.least, option.most + 1)]
        case Number():
            return [option.least, option.usual, min(option.most, 60)]
        case SeatChoice():
            return ["random", 1, 2]
    raise AssertionError(option)


def is_dealable(game: Game, options: dict[str, Any]) -> bool:
    try:
        game.complete(options)
    except OptionError:
        return False
    return True


def _cases() -> Iterator[Case]:
    for game in all_games():
        for players in values_of(game.options[0]):
            for option in game.options:
                for value in values_of(option):
                    options = {"players": players, option.name: value}
                    if value != option.default or option.name == "players":
                        yield Case(game, tuple(options.items()))
    yield from _mixtures()


def _mixtures() -> Iterator[Case]:
    """Some options together that change each other's effect."""
    games = {game.id: game for game in all_games()}
    stockpile, lines, stacks = games["stockpile"], games["lines"], games["stacks"]
    yield Case(stockpile, (("players", 4), ("stock", 20), ("recycle", "completed"), ("must_play", False)))
    yield Case(stockpile, (("players", 2), ("refill", "empty"), ("recycle", "completed"), ("stock", 30)))
    yield Case(lines, (("players", 4), ("colours", 4), ("reshuffle", False), ("give", "matching")))
    yield Case(lines, (("players", 5), ("colours", 6), ("extend", "next"), ("give", "matching")))
    yield Case(lines, (("players", 2), ("colours", 4), ("extend", "next"), ("give", "matching")))
    yield Case(stacks, (("players", 2), ("two_player_deck", "full"), ("must_play", True), ("recycle", "all")))
    yield Case(stacks, (("players", 6), ("block", "anytime"), ("chip_win", "delayed"), ("recycle", "all")))


CASES = list(dict.fromkeys(case for case in _cases() if is_dealable(case.game, case.options)))
