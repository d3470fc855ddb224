"""Upcard: three sequence-building card games, to play, to simulate and to study.

>>> import upcard
>>> table = upcard.new("stockpile", players=3, seed=7)
>>> print(table)
>>> table.play(table.legal[0])
"""

from __future__ import annotations

__all__ = ["Match", "Player", "UpcardError", "load", "new"]

import importlib

# As type checkers understand it. To import typing takes milliseconds, in which Ctrl-C would be a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upcard.core.errors import UpcardError
    from upcard.match import Match, Player

__version__ = "0.1.0"

# Loaded when first asked for, so that the command line answers at once.
_LAZY = {"Match": "upcard.match", "Player": "upcard.match", "UpcardError": "upcard.core.errors"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'upcard' has no attribute {name!r}")


def new(
    game: str, *, seed: int | str | bytes | None = None, names: list[str] | None = None, **options: Any
) -> Match:
    """Deal a new game; the same seed deals the same cards. Options are those of `upcard games`."""
    from upcard.games import find
    from upcard.match import Match, Player, new_seed, read_seed

    players = None if names is None else [Player(name) for name in names]
    if names is not None:
        options.setdefault("players", len(names))
    return Match(find(game), options, new_seed() if seed is None else read_seed(seed), players)


def load(record: Any) -> Match:
    """Return the match of a record (as `Match.record` made it), checking every entry."""
    from upcard.match import replay

    return replay(record)
