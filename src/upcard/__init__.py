"""Upcard: three sequence-building card games, to play, to simulate and to study.

    >>> import upcard
    >>> table = upcard.new("stockpile", players=3, seed=7)
    >>> print(table)
    >>> table.play(table.legal[0])
"""

from __future__ import annotations

__all__ = ["Match", "Player", "UpcardError", "games", "load", "new"]

from typing import Any

from upcard.core.errors import UpcardError
from upcard.games import GAMES, find
from upcard.match import Match, Player, new_seed, read_seed, replay

__version__ = "0.1.0"


def games() -> list[str]:
    """Return the names of the games."""
    return list(GAMES)


def new(game: str, *, seed: int | str | bytes | None = None, names: list[str] | None = None, **options: Any) -> Match:
    """Deal a new game; the same seed deals the same cards. Options are those of `upcard games`."""
    players = None if names is None else [Player(name) for name in names]
    if names is not None:
        options.setdefault("players", len(names))
    return Match(find(game), options, new_seed() if seed is None else read_seed(seed), players)


def load(record: Any) -> Match:
    """Return the match of a record (as `Match.record` made it), checking every entry."""
    return replay(record)
