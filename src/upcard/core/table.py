"""What every table has, whatever the game."""

from __future__ import annotations

__all__ = ["MOST_SEATS", "PLAYING", "Reason", "Result", "Table", "View", "copy_head"]

from enum import IntEnum
from typing import Annotated

from upcard.core.chance import Chance
from upcard.core.news import Event
from upcard.core.record import PLAIN_ONLY, Record
from upcard.core.rule import rule

PLAYING = 0
MOST_SEATS = 6


class Reason(IntEnum):
    """Why a game is over; 0 is none of these: it is not."""

    WON = 1
    STUCK = 2
    SCORED = 3
    LIMIT = 4


class Result(Record):
    """Who won, why, and the score of each seat."""

    reason: int
    winners: Annotated[list[int], MOST_SEATS]
    scores: Annotated[list[int], MOST_SEATS]


class Table(Record):
    """A table: how many play, who starts, who is to move, whether it is over, and its chance."""

    # Where a plain table puts its news; None while nobody listens.
    news: Annotated[list[Event] | None, PLAIN_ONLY] = None

    players: int
    first: int
    to_move: int
    over: int
    # Whether the players sit apart, at screens of their own, and may learn nothing from who is asked.
    apart: int
    chance: Chance


class View(Record):
    """What one viewer may know of a table; built up from nothing."""

    viewer: int
    players: int
    first: int
    to_move: int
    over: int


@rule
def copy_head(target: Table | View, source: Table | View) -> None:
    """Copy what tables and views of all games have in common, in either direction."""
    target.players = source.players
    target.first = source.first
    target.to_move = source.to_move
    target.over = source.over
