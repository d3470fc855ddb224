"""Offers: what can be chosen when somebody sets up a table, as a form needs to know it."""

from __future__ import annotations

__all__ = ["offered"]

import functools
from typing import Any

from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice
from upcard.games import all_games
from upcard.server.commands import PHRASES

# Bots for people to play with, the weakest first; the others are for the lab.
LEVELS = ("easy", "normal", "hard", "expert")


@functools.cache
def offered() -> dict[str, Any]:
    """Return the games with their options, the levels of bots, and the phrases."""
    return {"games": {game.id: _game(game) for game in all_games()}, "levels": LEVELS, "phrases": PHRASES}


def _game(game: Game) -> dict[str, Any]:
    players, *others = game.options
    assert isinstance(players, Number)
    return {
        "least": players.least,
        "most": players.most,
        "usual": players.usual,
        "options": [_option(option) for option in others],
    }


def _option(option: Option) -> dict[str, Any]:
    about = {"name": option.name, "clause": option.clause, "usual": option.default}
    match option:
        case SeatChoice():
            return about | {"kind": "seat"}
        case Choice(choices=choices):
            return about | {"kind": "choice", "choices": choices}
        case Flag():
            return about | {"kind": "flag"}
        case Number(least=least, most=most):
            return about | {"kind": "number", "least": least, "most": most}
    raise AssertionError(f"{option.name} is an option of another kind")
