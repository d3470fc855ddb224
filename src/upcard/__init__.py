"""Upcard: three sequence-building card games, to play, to simulate and to study.

>>> import upcard
>>> match = upcard.new("stockpile", players=3, seed=7)
>>> print(match)
>>> match.play(match.legal[0])
>>> upcard.play_out(match, bots=["greedy", "easy", "random"])
"""

from __future__ import annotations

__all__ = ["Match", "Player", "UpcardError", "games", "load", "new", "play_out", "position"]

import importlib

# Type checkers understand this. Importing typing takes milliseconds, in which Ctrl-C would show a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal, Unpack, overload

    from upcard.core.errors import UpcardError
    from upcard.core.game import Game
    from upcard.games.lines.options import LinesOptions
    from upcard.games.stacks.options import StacksOptions
    from upcard.games.stockpile.options import StockpileOptions
    from upcard.match import GameResult, Match, Player

    Seed = int | str | bytes | None
else:

    def overload(function):
        return function


__version__ = "0.1.0"

# Loaded when first asked for, so that the command line starts quickly.
_LAZY = {"Match": "upcard.match", "Player": "upcard.match", "UpcardError": "upcard.core.errors"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'upcard' has no attribute {name!r}")


def games() -> list[Game]:
    """Return the games that are installed."""
    from upcard.games import all_games

    return all_games()


@overload
def new(
    game: Literal["stockpile"],
    *,
    seed: Seed = None,
    names: list[str] | None = None,
    **options: Unpack[StockpileOptions],
) -> Match: ...
@overload
def new(
    game: Literal["lines"],
    *,
    seed: Seed = None,
    names: list[str] | None = None,
    **options: Unpack[LinesOptions],
) -> Match: ...
@overload
def new(
    game: Literal["stacks"],
    *,
    seed: Seed = None,
    names: list[str] | None = None,
    **options: Unpack[StacksOptions],
) -> Match: ...
@overload
def new(game: str, *, seed: Seed = None, names: list[str] | None = None, players: int = ...) -> Match: ...
@overload
def new(game: Game, *, seed: Seed = None, names: list[str] | None = None, **options: object) -> Match: ...
def new(game: str | Game, *, seed: Seed = None, names: list[str] | None = None, **options: Any) -> Match:
    """Deal a new game; the same seed deals the same cards. Options are those of `upcard games`.

    A game is given by its id; a game of another package can also be given as its `Game`.
    """
    return _match(game, seed, names, options)


def position(
    game: str | Game, text: str, *, seed: Seed = 0, names: list[str] | None = None, **options: Any
) -> Match:
    """Return a match that begins with a position, written as one line of text, instead of a deal.

    >>> match = upcard.position("stacks", "R1: r1 r2; @1 hand: r3 skip; @2 chips: 1 2", players=2)

    `Match.position` writes such a line. Cards that it does not mention are in the draw pile, shuffled by the
    seed.
    """
    return _match(game, seed, names, options, text)


def _match(
    game: str | Game, seed: Seed, names: list[str] | None, options: dict[str, Any], text: str | None = None
) -> Match:
    from upcard.core.game import Game
    from upcard.games import find
    from upcard.match import Match, Player, new_seed, read_seed

    players = None if names is None else [Player(name) for name in _checked(names, "names")]
    if players is not None:
        options.setdefault("players", len(players))
    found = find(game.id if isinstance(game, Game) else game)
    return Match(found, options, new_seed() if seed is None else read_seed(seed), players, position=text)


def load(record: Mapping[str, Any] | str | PathLike[str]) -> Match:
    """Return the match of a record, and check every entry of it.

    A record is what `Match.record` returns, its JSON text, or the path of a file with one record.
    """
    from os import PathLike
    from pathlib import Path

    from upcard.match import replay
    from upcard.match.format import read_json
    from upcard.match.reading import only_record_in

    if not isinstance(record, str | PathLike):
        return replay(record)
    if isinstance(record, str) and record.lstrip().startswith(("{", "[")):
        return replay(read_json(record.encode(errors="surrogatepass")))
    return replay(only_record_in(Path(record)))


def play_out(match: Match, bots: Sequence[str]) -> GameResult:
    """Let bots play a match to its end, one for each seat, and return the result.

    Raise a BotError if a bot chooses an illegal move or raises an exception.
    """
    from upcard.bots import Seated, find
    from upcard.core.errors import OptionError
    from upcard.core.text import counted

    if len(_checked(bots, "bots")) != len(match.players):
        raise OptionError(f"there are {len(match.players)} players, but {counted(len(bots), 'bot')}")
    seated = [Seated(find(bot), match, seat) for seat, bot in enumerate(bots, 1)]
    while match.to_move is not None:
        match.make(seated[match.to_move - 1].choose())
    assert match.result is not None, "a game that is over has a result"
    return match.result


def _checked(texts: Sequence[str], what: str) -> Sequence[str]:
    """Return a list of texts, or raise an OptionError for anything else, also for a single text."""
    from upcard.core.errors import OptionError
    from upcard.core.text import quoted

    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise OptionError(f"{what} should be a list of texts, not {quoted(texts)}")
    return texts
