"""Offers: the games with their options, and the files with which a browser draws each of them."""

from __future__ import annotations

__all__ = ["offered", "offers_json", "offers_version"]

import functools
import hashlib
from typing import Any

import msgspec

from upcard.core.game import Game
from upcard.core.options import Choice, Flag, Number, Option, SeatChoice
from upcard.games import all_games
from upcard.server.table.commands import PHRASES
from upcard.server.web import assets

# Bots for people to play with, the weakest first; the others are for the lab.
LEVELS = ("easy", "normal", "hard", "expert")
# The files that pages look for in a game's `web` folder. A game need not bring any of them.
PARTS = {
    "table": "table.js",
    "styles": "table.css",
    "deck": "deck.svg",
    "lesson": "lesson.js",
    "picture": "picture.svg",
}


@functools.cache
def offered() -> dict[str, Any]:
    """Return the games with their options, the levels of bots, and the phrases."""
    return {"games": {game.id: _game(game) for game in all_games()}, "levels": LEVELS, "phrases": PHRASES}


@functools.cache
def offers_json() -> bytes:
    """Return the offers as JSON."""
    return msgspec.json.encode(offered())


@functools.cache
def offers_version() -> str:
    """Return a hash of the offers, for their address."""
    return hashlib.sha256(offers_json()).hexdigest()[:12]


def _game(game: Game) -> dict[str, Any]:
    players, *others = game.options
    assert isinstance(players, Number)
    return {
        "title": game.title,
        "summary": game.summary,
        "least": players.minimum,
        "most": players.maximum,
        "usual": players.standard,
        "company": max(players.minimum, game.solo_seats),
        "presets": {str(count): dict(chosen) for count, chosen in game.presets.items()},
        "lowest_wins": game.lowest_wins,
        "options": [_option(option) for option in others],
        "web": {part: _address(game.id, name) for part, name in PARTS.items()},
    }


def _address(game: str, name: str) -> str | None:
    found = assets.part_of(game, name)
    return None if found is None else assets.address(found)


def _option(option: Option) -> dict[str, Any]:
    about: dict[str, Any] = {"name": option.name, "clause": option.clause, "usual": option.default}
    about["players"] = option.players
    match option:
        case SeatChoice():
            return about | {"kind": "seat"}
        case Choice(choices=choices):
            return about | {"kind": "choice", "choices": choices}
        case Flag():
            return about | {"kind": "flag"}
        case Number(minimum=least, maximum=most):
            return about | {"kind": "number", "least": least, "most": most}
    raise AssertionError(f"{option.name} is an option of another kind")
