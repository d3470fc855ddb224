"""Positions: pictures for the rulebooks, each of a real game at a moment that shows a clause.

A position is told by the seed of a game among greedy bots and by how many moves were made. The tests play
every one again and look whether it still shows what its caption says; they also find others.
"""

from __future__ import annotations

__all__ = ["POSITIONS", "Position", "address_of", "caption_of", "figure_of", "play_to"]

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from upcard.bots import Greedy, Turn
from upcard.games import find
from upcard.match import Match, Player, read_seed
from upcard.server.web.steps import state_of

# People of all our languages could be called so.
NAMES = ("Ana", "Leo", "Mia")
# Nobody answers in a picture, but how long the window would be open belongs to the facts of a table.
WINDOW_SECONDS = 8


@dataclass(frozen=True)
class Position:
    """A moment of a game, as the seat saw it that was to move. `picked` is a legal move of that moment: its
    card is shown lifted, and the places where it may go are lit."""

    game: str
    players: int
    seed: int
    moves: int
    picked: str | None = None
    # What fills the gaps of the caption.
    named: Mapping[str, str | int] = field(default_factory=dict)


# By clause, in the order of the rulebooks.
POSITIONS: dict[str, Position] = {
    "S2.3": Position("stockpile", 2, 58, 0),
    "S3.4": Position("stockpile", 2, 40, 4, "A 1", {"pile": "1", "height": 2, "next": 3}),
    "S3.5": Position("stockpile", 2, 37, 11, "B 1", {"pile": "1"}),
    "S3.6": Position("stockpile", 2, 39, 6, "stock 1", {"card": "5", "pile": "1"}),
    "S5.1": Position("stockpile", 2, 52, 17, "stock 4"),
    "L3.5": Position("lines", 3, 6, 6, "r9 +1"),
    "L3.6": Position("lines", 3, 10, 12),
    "L4.2": Position("lines", 3, 0, 3, "p6 @2 +1"),
    "L4.4": Position("lines", 3, 10, 6, "y8 top"),
    "L5.1": Position("lines", 3, 46, 10),
    "K3.2": Position("stacks", 3, 19, 3, "r3 R1", {"pile": "R1", "height": 2, "next": 3}),
    "K3.3": Position("stacks", 3, 16, 10, "top B1"),
    "K3.4": Position("stacks", 3, 42, 15, "r5 R2", {"pile": "R2"}),
    "K4.4": Position("stacks", 3, 33, 19, "chip @3 red"),
    "K5.1": Position("stacks", 3, 14, 7, None, {"pile": "R1"}),
}


def play_to(position: Position) -> Match:
    """Play a game to the moment that is shown."""
    players = [Player(name) for name in NAMES[: position.players]]
    match = Match(find(position.game), {"players": position.players}, read_seed(position.seed), players)
    bot = Greedy()
    for _ in range(position.moves):
        turn = Turn(match.game, match.view(match.to_move), match.game.legal_moves(match.table))
        match.make_legal(bot.choose(turn))
    return match


def caption_of(clause: str) -> tuple[str, Mapping[str, str | int]]:
    """Return the code of what is written below a picture, and what fills its gaps."""
    return f"web.position_{clause.replace('.', '_')}", POSITIONS[clause].named


def address_of(clause: str) -> str:
    """Return where a picture is; another one at the same clause has another address."""
    return f"/positions/{POSITIONS[clause].game}/{clause}.json?v={_version(clause)}"


@functools.cache
def _version(clause: str) -> str:
    return hashlib.sha256(msgspec.json.encode(figure_of(clause))).hexdigest()[:12]


@functools.cache
def figure_of(clause: str) -> dict[str, Any]:
    """Return a position as the table in the browser draws it."""
    position = POSITIONS[clause]
    match = play_to(position)
    state = state_of(match, match.to_move, position.moves)
    if match.asked:
        window = {"opened": 0, "closes": 0, "asked": match.asked, "answers": match.legal, "answered": None}
        state |= {"to_move": state["view"]["turn"], "window": window}
    else:
        # To discard is nearly always possible, and would only distract.
        state["legal"] = [move for move in match.legal if not move.startswith("x ")]
    facts = {
        "table": None,
        "game": position.game,
        "options": match.options,
        "window_seconds": WINDOW_SECONDS,
    }
    return {"facts": facts, "state": state, "picked": position.picked}
