"""What clients send, and how they are answered: the public format of the server.

Every command has an `id` of the client's choice: sent again, it is answered as the first time and done only
once. Where it matters what is already known, `base` is the last sequence number that the client has seen.
"""

from __future__ import annotations

__all__ = [
    "Answer",
    "AnswerUndo",
    "AskUndo",
    "Branch",
    "Come",
    "Command",
    "Done",
    "HandOver",
    "HandedOut",
    "Hint",
    "Joined",
    "Kept",
    "Leave",
    "Open",
    "OpenTable",
    "OpenTables",
    "Opened",
    "Place",
    "Play",
    "React",
    "Refusal",
    "Rematch",
    "Rename",
    "Say",
    "SeatPlan",
    "Session",
    "Sit",
    "Stale",
    "Stand",
    "Start",
    "TakeSeat",
]

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw

from upcard.core.options import Value

CommandId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[A-Za-z0-9_-]+$(?!\n)",
        description="Chosen by the client, once for each command.",
    ),
]
Base = Annotated[int, Meta(ge=0, le=2**53, description="The last sequence number that the client has seen.")]
SeatNumber = Annotated[int, Meta(ge=1, le=6)]
Name = Annotated[str, Meta(min_length=1, max_length=100)]
MoveText = Annotated[
    str, Meta(min_length=1, max_length=40, description="A move in notation, as `legal` has it.")
]
Share = Annotated[
    str,
    Meta(
        pattern=r"^(?:[0-9a-f]{2}){16,64}$(?!\n)",
        description="16 to 64 random bytes in hexadecimal digits, which the device adds to the shuffle.",
    ),
]
Pace = Annotated[float, Meta(ge=0, le=10, description="Seconds that bots take for a move.")]
WindowSeconds = Annotated[
    float, Meta(ge=0, le=60, description="How long it is asked whether anybody blocks.")
]
TableId = Annotated[str, Meta(max_length=40)]


class _Request(msgspec.Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """What all requests have in common: unknown fields are mistakes."""


class SeatPlan(_Request, frozen=True):
    """Who is to sit at a seat: a bot, or (null) a person."""

    bot: Annotated[str, Meta(max_length=40)] | None = None


class Open(_Request, frozen=True):
    """Set up a table. Seats that are not mentioned are for people."""

    id: CommandId
    game: Annotated[str, Meta(max_length=40, description="stockpile, lines or stacks.")]
    options: dict[str, Value] = {}
    seats: Annotated[list[SeatPlan], Meta(max_length=6)] = []
    public: bool = False
    patience: Literal["none", "nudge", "bot"] = "bot"
    patience_seconds: Annotated[float, Meta(ge=1, le=86_400)] = 60.0
    pace: Pace = 1.2
    window_seconds: WindowSeconds = 5.0


class Branch(_Request, frozen=True):
    """Play on from a position of a finished game, given as a table or as a record, against bots."""

    id: CommandId
    moves: Annotated[int, Meta(ge=0, le=100_000, description="How many moves of the game are kept.")]
    seat: SeatNumber
    name: Name
    table: TableId | None = None
    record: dict[str, Any] | None = None
    bot: Annotated[str, Meta(max_length=40)] = "normal"
    pace: Pace = 1.2
    window_seconds: WindowSeconds = 5.0


class Command(_Request, frozen=True):
    """A command that depends on nothing that could have changed."""

    id: CommandId


class Stand(Command, frozen=True):
    """Stand up before the game begins."""


class Start(Command, frozen=True):
    """Deal the cards; only the host may."""


class Leave(Command, frozen=True):
    """Go away; the seat can be taken back at any time."""


class Come(Command, frozen=True):
    """Take one's seat back, from a bot if one sits there."""


class Rematch(Command, frozen=True):
    """Set up another table for the same players; those who want to play sit down there."""


class Sit(_Request, frozen=True):
    """Sit down, at the first free seat if none is named."""

    id: CommandId
    name: Name
    share: Share
    seat: SeatNumber | None = None


class Rename(_Request, frozen=True):
    """Be called something else."""

    id: CommandId
    name: Name


class Place(_Request, frozen=True):
    """Put a bot on a seat, or (null) make it free for a person; only the host may."""

    id: CommandId
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=40)] | None


class Play(_Request, frozen=True):
    """Make a move."""

    id: CommandId
    base: Base
    move: MoveText


class React(_Request, frozen=True):
    """Answer out of turn, while a window is open. Until it closes, another answer takes its place."""

    id: CommandId
    base: Base
    move: MoveText


class Say(_Request, frozen=True):
    """Say one of the phrases."""

    id: CommandId
    phrase: Annotated[str, Meta(max_length=40)]


class AskUndo(_Request, frozen=True):
    """Ask whether one's last move may be taken back, and all that came after it."""

    id: CommandId
    base: Base


class AnswerUndo(_Request, frozen=True):
    """Agree that somebody takes back a move, or do not."""

    id: CommandId
    agreed: bool


class HandOver(Command, frozen=True):
    """Ask for a code with which another device takes this seat."""


class TakeSeat(_Request, frozen=True):
    """Take a seat by such a code."""

    code: Annotated[str, Meta(max_length=40)]


# Answers


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


class Opened(msgspec.Struct, frozen=True):
    """A table is set up. `commitment` is the SHA-256 of what the server adds to the shuffle."""

    table: str
    code: str | None
    commitment: str
    seq: int


class Joined(msgspec.Struct, frozen=True):
    """The table to which a short code, or a code for a seat, belongs."""

    table: str


class Hint(msgspec.Struct, frozen=True):
    """What a bot would do at this seat, and why: the code of a sentence, and what fills its gaps."""

    seq: int
    move: str
    why: tuple[str, dict[str, str | int]]


class HandedOut(msgspec.Struct, frozen=True):
    """A code that can be used once, until the time `expires`."""

    code: str
    expires: float


class Session(msgspec.Struct, frozen=True):
    """Who is asking. `token` is for programs, as `Authorization: Bearer`; browsers have a cookie."""

    mark: str
    token: str | None = None


class OpenTable(msgspec.Struct, frozen=True):
    """A public table at which seats are free."""

    table: str
    game: str
    options: dict[str, Value]
    free: int
    names: list[str]
    opened: float


class OpenTables(msgspec.Struct, frozen=True):
    """All public tables at which seats are free, the newest first."""

    tables: list[OpenTable]
