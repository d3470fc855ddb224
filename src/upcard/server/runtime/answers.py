"""Answers to commands, as clients get them: part of the public format of the server."""

from __future__ import annotations

__all__ = ["Answer", "Done", "Hint", "Kept", "Refusal", "Stale", "refusal_of"]

import msgspec
from msgspec import Raw

from upcard.core.errors import Refused


class Done(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """It is done, and on disk. `news` is all that is new since `base` (or since the command), `state` how the
    table stands now."""

    seq: int
    news: list[Raw]
    state: Raw


class Kept(msgspec.Struct, frozen=True, tag_field="type", tag="kept"):
    """The answer in a window is kept, and counts when the window closes."""

    seq: int
    move: str


class Refusal(msgspec.Struct, frozen=True, tag_field="type", tag="refused"):
    """It cannot be done, for a reason of the rules (with its clause) or of the table."""

    code: str
    parameters: dict[str, str | int]
    clause: str | None
    seq: int


class Stale(msgspec.Struct, frozen=True, tag_field="type", tag="stale"):
    """The table has gone on since `base`. Nothing has changed; this is what was missed."""

    seq: int
    news: list[Raw]
    state: Raw


Answer = Done | Kept | Refusal | Stale


class Hint(msgspec.Struct, frozen=True):
    """What a bot would do at this seat, and why: the code of a sentence, and what fills its gaps."""

    seq: int
    move: str
    why: tuple[str, dict[str, str | int]]


def refusal_of(refused: Refused, seq: int) -> Refusal:
    """Return a refusal as it is answered."""
    refusal = refused.refusal
    return Refusal(refusal.code, dict(refusal.parameters), refusal.clause or None, seq)
