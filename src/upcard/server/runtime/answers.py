"""Answers to commands, as clients get them: part of the public format of the server."""

from __future__ import annotations

__all__ = ["Answer", "Done", "Hint", "Kept", "Refusal", "Stale", "ToThink", "refusal_of"]

import msgspec
from msgspec import Raw

from upcard.core.errors import Refused


class Done(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """The command is done, and on disk. `news` contains everything new since `base` (or since the command),
    `state` is the current state of the table."""

    seq: int
    news: list[Raw]
    state: Raw


class Kept(msgspec.Struct, frozen=True, tag_field="type", tag="kept"):
    """The answer in a window was stored, and counts when the window closes."""

    seq: int
    move: str


class Refusal(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """The command was refused, by the rules (with a clause) or by the table."""

    code: str
    parameters: dict[str, str | int]
    clause: str | None
    seq: int


class Stale(msgspec.Struct, frozen=True, tag_field="type", tag="stale"):
    """The table has changed since `base`. The command had no effect; these are the missed entries."""

    seq: int
    news: list[Raw]
    state: Raw


Answer = Done | Kept | Refusal | Stale


class Hint(msgspec.Struct, frozen=True):
    """What a bot would do at this seat, and why: the code of a sentence, and its parameters."""

    seq: int
    move: str
    why: tuple[str, dict[str, str | int]]


class ToThink(msgspec.Struct, frozen=True):
    """What a bot needs to choose a move for the viewer: the numbers of the view of the seat, as rules in
    JavaScript have it in memory, and those of the legal moves."""

    seq: int
    seat: int
    view: list[int]
    moves: list[int]


def refusal_of(refused: Refused, seq: int) -> Refusal:
    """Return a refusal as an answer."""
    refusal = refused.refusal
    return Refusal(refusal.code, dict(refusal.parameters), refusal.clause or None, seq)
