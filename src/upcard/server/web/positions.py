"""Pictures in the rulebooks, each from a real game at a moment that illustrates a clause.

A game lists its positions in its own module `positions` (see `core/picture.py`).
"""

from __future__ import annotations

__all__ = ["address_of", "caption_of", "figure_of", "play_to", "positions_of"]

import functools
import hashlib
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from upcard.bots import Greedy, Turn
from upcard.core.picture import Picture
from upcard.games import find
from upcard.match import Match, Player, read_seed

# These names exist in all our languages.
NAMES = ("Ana", "Leo", "Mia")
# A picture does not accept answers, but the facts of a table contain the length of windows, in seconds.
WINDOW_SECONDS = 8


@functools.cache
def positions_of(game: str) -> Mapping[str, Picture]:
    """Return the pictures of a game by clause: those in its module `positions`, if it has one."""
    module = f"{find(game).package}.positions"
    if find_spec(module) is None:
        return {}
    positions: Mapping[str, Picture] = import_module(module).POSITIONS
    return positions


def play_to(game: str, position: Picture) -> Match:
    """Play a game to the moment that is shown."""
    players = [Player(NAMES[seat % len(NAMES)]) for seat in range(position.players)]
    match = Match(find(game), {"players": position.players}, read_seed(position.seed), players)
    bot = Greedy()
    for _ in range(position.moves):
        turn = Turn(match.game, match.view(match.to_move), match.game.legal_moves(match.table))
        match.make_legal(bot.choose(turn))
    return match


def caption_of(game: str, clause: str) -> tuple[str, Mapping[str, str | int]]:
    """Return the code of the caption of a picture, and its parameters."""
    return f"web.position_{clause.replace('.', '_')}", positions_of(game)[clause].named


def address_of(game: str, clause: str) -> str:
    """Return the address of a picture; each picture of a clause has its own."""
    return f"/positions/{game}/{clause}.json?v={_version(game, clause)}"


@functools.cache
def _version(game: str, clause: str) -> str:
    return hashlib.sha256(msgspec.json.encode(figure_of(game, clause))).hexdigest()[:12]


def _state_of(match: Match, seat: int | None, number: int) -> dict[str, Any]:
    """Return the state of a table after a number of moves as a seat knows it, in the format of the server."""
    seats = [
        {
            "kind": "person" if player.bot is None else "bot",
            "name": player.name,
            "bot": player.bot,
            "kept": False,
            "away": False,
        }
        for player in match.players
    ]
    return {
        "seq": number,
        "phase": "over" if match.over else "playing",
        "you": seat,
        "host": None,
        "seats": seats,
        "to_move": match.to_move,
        "deadline": None,
        "undo": None,
        "rematch": None,
        "window": None,
        "legal": [],
        "view": match.game.show(match.view(seat)),
        "result": match.result,
        "present": list(range(1, len(seats) + 1)),
    }


@functools.cache
def figure_of(game: str, clause: str) -> dict[str, Any]:
    """Return a position in the form that the table in the browser draws."""
    position = positions_of(game)[clause]
    match = play_to(game, position)
    state = _state_of(match, match.to_move, position.moves)
    state["legal"] = match.legal
    if match.asked:
        window = {
            "opened": 0,
            "closes": 0,
            "held_by": [],
            "asked": match.asked,
            "answers": match.legal,
            "answered": None,
        }
        state |= {"to_move": state["view"]["turn"], "window": window, "legal": []}
    facts = {
        "table": None,
        "game": game,
        "options": match.options,
        "window_seconds": WINDOW_SECONDS,
    }
    return {"facts": facts, "state": state, "picked": position.picked}
