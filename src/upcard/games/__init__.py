"""The registry of games, which are found by entry points. Each game is loaded when it is first needed."""

from __future__ import annotations

__all__ = ["GAMES", "GROUP", "all_games", "find", "names"]

import functools
import sys
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from upcard.core.errors import UnknownGame, UpcardError, one_line
from upcard.core.game import Game, register
from upcard.core.text import quoted

# Any package adds a game by an entry point of this group: its name is the id of the game, its value a `Game`.
GROUP = "upcard.games"


# Listed first, in this order; entry points have none.
FIRST = ("stockpile", "lines", "stacks")


def _installed() -> dict[str, EntryPoint]:
    """Return the entry points of all games, ours first, then by their names."""
    games: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=GROUP), key=_rank):
        first = games.setdefault(point.name, point)
        if first.value != point.value:
            _warn(f"there are two games {quoted(point.name)}: {first.value} is used, {point.value} is not")
    return games


def _rank(point: EntryPoint) -> tuple[int, str]:
    is_ours = point.value.startswith(f"{__name__}.") and point.name in FIRST
    return FIRST.index(point.name) if is_ours else len(FIRST), point.name


def _warn(sentence: str) -> None:
    """Report a problem on standard error, unless the program configures logging."""
    import logging

    logging.getLogger(__name__).warning(sentence)


# The games by their ids.
GAMES = _installed()


@functools.cache
def find(name: str) -> Game:
    """Return a game by its id."""
    if name not in GAMES:
        raise UnknownGame(f"there is no game {quoted(name)}: choose {', '.join(GAMES)}")
    point = GAMES[name]
    try:
        game = point.load()
    except (Exception, SystemExit) as error:
        raise UnknownGame(f"the game {name} of {point.value} cannot be loaded: {one_line(error)}") from error
    if not isinstance(game, Game) or game.id != name:
        raise UnknownGame(f"the game {name} of {point.value} cannot be loaded: it is not a Game with that id")
    register(game)
    return game


def names() -> list[str]:
    """Return the ids of all games."""
    return list(GAMES)


def all_games() -> list[Game]:
    """Return all games. A game that cannot be loaded is omitted, and reported once."""
    return [game for name in GAMES if (game := _found(name)) is not None]


@functools.cache
def _found(name: str) -> Game | None:
    try:
        return find(name)
    except UpcardError as error:
        _warn(str(error))
        return None


class _Callable(ModuleType):
    """Importing this package hides the function `upcard.games`, so the package does the same when called."""

    def __call__(self) -> list[Game]:
        return all_games()


sys.modules[__name__].__class__ = _Callable
