"""The registry of games. Each is loaded when it is first asked for."""

from __future__ import annotations

__all__ = ["GAMES", "all_games", "find"]

import importlib

from upcard.core.errors import UnknownGame
from upcard.core.game import Game, register
from upcard.core.text import quoted

# A game is one line here and a package of its own.
GAMES = {
    "stockpile": "upcard.games.stockpile",
    "lines": "upcard.games.lines",
    "stacks": "upcard.games.stacks",
}


def find(name: str) -> Game:
    """Return the game of that name, ready to be played."""
    if name not in GAMES:
        raise UnknownGame(f"there is no game {quoted(name)}: choose {', '.join(GAMES)}")
    game: Game = importlib.import_module(GAMES[name]).GAME
    register(game)
    return game


def all_games() -> list[Game]:
    """Return all games."""
    return [find(name) for name in GAMES]
