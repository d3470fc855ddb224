"""Requests.

Every command has an `id` of the client's choice: sent again, it is done only once and answered as before.
`base` is the last sequence number that the client has seen; a command that depends on it is refused when the
table has changed since.
"""

from __future__ import annotations

__all__ = [
    "AnswerEnd",
    "AnswerUndo",
    "AskEnd",
    "AskUndo",
    "Branch",
    "Code",
    "Come",
    "Command",
    "Continued",
    "GiveTime",
    "HandOver",
    "Hold",
    "Hurry",
    "Leave",
    "Lock",
    "Open",
    "Place",
    "Play",
    "React",
    "Recover",
    "Rematch",
    "Remove",
    "Rename",
    "ReportPlayer",
    "Resign",
    "Say",
    "SeatPlan",
    "SetPace",
    "Sit",
    "Stand",
    "Start",
    "Stay",
    "Subscribe",
    "SubscriptionKeys",
    "TakeHost",
    "TakeSeat",
    "Unsubscribe",
]

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from upcard.core.options import Value
from upcard.server.table.commands import TINTS

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
Asked = Annotated[
    int,
    Meta(
        ge=0,
        le=2**53,
        description="`asked` of the question that is answered: a late answer does not count for another one.",
    ),
]
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
# How long a window shows everyone what is at stake, in seconds.
WINDOW_SECONDS = 2.0
HoldSeconds = Annotated[
    float, Meta(ge=0, le=300, description="How long a window stays open that someone has asked to hold.")
]
Face = Annotated[str, Meta(max_length=20, description="The picture of a player; empty if none was chosen.")]
Tint = Annotated[int, Meta(ge=0, le=TINTS, description="The colour of a player; 0 if none was chosen.")]
WindowSeconds = Annotated[float, Meta(ge=0, le=60, description="How long a window stays open.")]
TableId = Annotated[str, Meta(max_length=40)]


class _Request(msgspec.Struct, forbid_unknown_fields=True, frozen=True, omit_defaults=True):
    """The base of all requests: unknown fields are errors."""


class SeatPlan(_Request, frozen=True):
    """The plan for a seat: a bot, or (null) a person."""

    bot: Annotated[str, Meta(max_length=40)] | None = None


class Continued(_Request, frozen=True):
    """A game on the sender's own device: its seed, the sender's seat, and its moves (seat and move). What the
    sender could not know there is dealt again."""

    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
    seat: SeatNumber
    moves: Annotated[list[tuple[SeatNumber, MoveText]], Meta(max_length=1000)]


class Open(_Request, frozen=True):
    """Set up a table. Seats that are not mentioned are for people."""

    id: CommandId
    game: Annotated[str, Meta(max_length=40, description="The id of a game.")]
    options: dict[str, Value] = {}
    seats: Annotated[list[SeatPlan], Meta(max_length=6)] = []
    public: bool = False
    patience: Literal["none", "nudge", "bot"] = "none"
    patience_seconds: Annotated[float, Meta(ge=1, le=7 * 86_400)] = 60.0
    pace: Pace = 1.2
    window_seconds: WindowSeconds = WINDOW_SECONDS
    hold_seconds: HoldSeconds = 15.0
    unhurried: Annotated[bool, Meta(description="Whether windows wait until all who are asked answer.")] = (
        False
    )
    continues: Continued | None = None


class Branch(_Request, frozen=True):
    """Continue from a position of a finished game, given as a table or as a record, against bots."""

    id: CommandId
    moves: Annotated[int, Meta(ge=0, le=100_000, description="How many moves of the game are kept.")]
    seat: SeatNumber
    name: Name
    table: TableId | None = None
    record: dict[str, Any] | None = None
    bot: Annotated[str, Meta(max_length=40)] = "normal"
    pace: Pace = 1.2
    window_seconds: WindowSeconds = WINDOW_SECONDS


class Command(_Request, frozen=True):
    """A command that depends on nothing that could have changed."""

    id: CommandId


class Stand(Command, frozen=True):
    """Stand up before the game begins."""


class Start(Command, frozen=True):
    """Deal the cards; only the host may."""


class Leave(Command, frozen=True):
    """Leave; the seat can be taken back at any time."""


class Come(Command, frozen=True):
    """Take one's seat back, from a bot if one sits there."""


class Stay(Command, frozen=True):
    """Say that one is present and still thinking, or is back."""


class Hurry(Command, frozen=True):
    """Let bots move without a pause until it is a person's turn."""


class SetPace(_Request, frozen=True):
    """Let bots take more or less time for a move."""

    id: CommandId
    pace: Pace


class TakeHost(Command, frozen=True):
    """Become the host of the table, if its host is not connected."""


class Rematch(_Request, frozen=True):
    """Set up another table for the same players, for the same game or another one. With a `share`, the sender
    sits down there as well, and the cards are dealt as soon as all players have done so."""

    id: CommandId
    share: Share | None = None
    face: Face = ""
    tint: Tint = 0
    game: Annotated[str, Meta(max_length=40)] | None = None
    options: dict[str, Value] = {}


class Hold(_Request, frozen=True):
    """Ask everyone to wait while a window is open; every player who is asked may do so."""

    id: CommandId
    base: Base


class GiveTime(_Request, frozen=True):
    """Always have time to answer in windows, or no longer."""

    id: CommandId
    given: bool


class Sit(_Request, frozen=True):
    """Sit down, at the first free seat if none is named."""

    id: CommandId
    name: Name
    share: Share
    seat: SeatNumber | None = None
    face: Face = ""
    tint: Tint = 0


class Rename(_Request, frozen=True):
    """Choose another name, face or colour."""

    id: CommandId
    name: Name
    face: Face = ""
    tint: Tint = 0


class Place(_Request, frozen=True):
    """Put a bot on a seat, or (null) make it free for a person; only the host may."""

    id: CommandId
    seat: SeatNumber
    bot: Annotated[str, Meta(max_length=40)] | None


class Remove(_Request, frozen=True):
    """Remove another person from the table before the game; only the host may."""

    id: CommandId
    seat: SeatNumber


class Lock(_Request, frozen=True):
    """Lock the table, so that nobody else can sit down, or (false) unlock it; only the host may."""

    id: CommandId
    locked: bool


class Play(_Request, frozen=True):
    """Make a move."""

    id: CommandId
    base: Base
    move: MoveText


class React(_Request, frozen=True):
    """Answer out of turn, while a window is open. Until it closes, a later answer replaces this one."""

    id: CommandId
    base: Base
    move: MoveText


class Say(_Request, frozen=True):
    """Say one of the phrases."""

    id: CommandId
    phrase: Annotated[str, Meta(max_length=40)]


class AskUndo(_Request, frozen=True):
    """Ask to take back one's last move, and all that came after it."""

    id: CommandId
    base: Base


class AnswerUndo(_Request, frozen=True):
    """Agree or refuse to let a player take back a move."""

    id: CommandId
    agreed: bool
    asked: Asked


class ReportPlayer(_Request, frozen=True):
    """Report the player at a seat to the operator; reporting them again changes nothing."""

    seat: SeatNumber


class Resign(Command, frozen=True):
    """Give up. With two players the other one wins; if other people play on, a bot plays this seat."""


class AskEnd(Command, frozen=True):
    """Ask whether the game may end without a winner."""


class AnswerEnd(_Request, frozen=True):
    """Agree or refuse to end the game; the player who asked may withdraw the question."""

    id: CommandId
    agreed: bool
    asked: Asked


class HandOver(Command, frozen=True):
    """Ask for a code with which another device takes this seat."""


class TakeSeat(_Request, frozen=True):
    """Take a seat by such a code."""

    code: Annotated[str, Meta(max_length=40)]


class Recover(_Request, frozen=True):
    """A recovery phrase."""

    phrase: Annotated[str, Meta(max_length=400)]


class SubscriptionKeys(msgspec.Struct, frozen=True):
    """The keys with which messages to a device are encrypted, in base64 for addresses."""

    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=30)]


class Subscribe(_Request, frozen=True):
    """A subscription to push messages, as `PushSubscription.toJSON` writes it, and the language of the
    messages."""

    endpoint: Annotated[str, Meta(max_length=1024)]
    keys: SubscriptionKeys
    language: Annotated[str, Meta(max_length=20)] = "en"


class Unsubscribe(_Request, frozen=True):
    """The endpoint of a subscription to push messages."""

    endpoint: Annotated[str, Meta(max_length=1024)]


class Code(_Request, frozen=True):
    """The short code of a table."""

    code: str
