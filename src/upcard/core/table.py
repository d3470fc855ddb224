"""The fields that tables and views of all games have."""

from __future__ import annotations

__all__ = ["MAX_SEATS", "PLAYING", "Reason", "Result", "Table", "View", "copy_head"]

from enum import IntEnum
from typing import TYPE_CHECKING, Annotated, Any

from upcard.core.chance import Chance
from upcard.core.events import Event
from upcard.core.rule import rule
from upcard.core.seats import SPECTATOR
from upcard.core.struct import PLAIN_ONLY, Struct

PLAYING = 0
MAX_SEATS = 6


class Reason(IntEnum):
    """Why a game is over; the field has 0 while it is not."""

    WON = 1
    STUCK = 2
    SCORED = 3
    LIMIT = 4


class Result(Struct):
    """Who won, why, and the score of each seat."""

    reason: int
    winners: Annotated[list[int], MAX_SEATS]
    scores: Annotated[list[int], MAX_SEATS]


class Table(Struct):
    """A table: the number of players, the starting seat, the seat to move, whether it is over, and its
    chance."""

    # The list to which a plain table adds its events; None without a listener.
    events: Annotated[list[Event] | None, PLAIN_ONLY] = None

    players: int
    first: int
    to_move: int
    over: int
    # Whether the players sit apart, at separate screens, and may not learn anything from which seats are
    # asked.
    apart: int
    chance: Chance


class View(Struct):
    """The knowledge of one viewer, built from scratch. Seats are numbered from 0."""

    viewer: int
    players: int
    first: int
    to_move: int
    over: int

    if TYPE_CHECKING:
        # A game's own views have more fields.
        def __getattr__(self, name: str) -> Any: ...

    def __str__(self) -> str:
        from upcard.core.game import game_of

        return game_of(self).render(self, [f"Seat {seat}" for seat in range(1, self.players + 1)])

    def __repr__(self) -> str:
        who = "a spectator" if self.viewer == SPECTATOR else f"seat {self.viewer + 1}"
        return f"<{type(self).__module__}.View of {who}, {self.players} players>"


@rule
def copy_head(target: Table | View, source: Table | View) -> None:
    """Copy the fields that tables and views of all games have in common, in either direction."""
    target.players = source.players
    target.first = source.first
    target.to_move = source.to_move
    target.over = source.over
