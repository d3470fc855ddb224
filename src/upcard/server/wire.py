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
    "GameRecord",
    "Games",
    "HandOver",
    "HandedOut",
    "Hint",
    "Joined",
    "Kept",
    "Leave",
    "Missed",
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
    "TableState",
    "TakeSeat",
]

from typing import Annotated, Any, Literal, NotRequired, TypedDict

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


# Answers that are dictionaries, since they depend on the game or on what has happened.


class OptionAbout(TypedDict):
    """An option of a game: the clause it changes, its default, and its possible values in words."""

    name: str
    clause: str
    default: Value
    values: str


class GameAbout(TypedDict):
    """A game and its options."""

    game: str
    title: str
    summary: str
    options: list[OptionAbout]


class Games(TypedDict):
    """All games with their options, the bots that can sit at a table, and the phrases players can say."""

    games: list[GameAbout]
    bots: list[str]
    phrases: list[str]


class Proof(TypedDict):
    """The proof of a shuffle: the server's secret, its SHA-256 as published before the game, and the random
    bytes that each seat added."""

    secret: str
    commitment: str
    shares: list[str | None]


class Outcome(TypedDict):
    """Why a game ended, the seats that won, and the scores of all seats."""

    reason: Literal["won", "stuck", "scored", "limit"]
    winners: list[int]
    scores: list[int]


class SeatState(TypedDict):
    """A seat: `bot` is the bot that plays there now, `kept` whether it is reserved for a player of the
    previous game, `away` whether its player is absent."""

    kind: Literal["bot", "person", "free"]
    name: str
    bot: str | None
    kept: bool
    away: bool


class UndoState(TypedDict):
    """A request to take back a move: the seat that asked, and the seats that have not answered."""

    seat: int
    waiting: list[int]


class WindowState(TypedDict):
    """A time in which seats may answer out of turn: the sequence number at which it opened, when it closes,
    the seats that are asked, and the possible answers and the last answer of this viewer."""

    opened: int
    closes: float
    asked: list[int]
    answers: list[str]
    answered: str | None


class State(TypedDict):
    """The state of a table as this viewer may know it. `you` is the viewer's seat, `legal` are its legal
    moves, `view` depends on the game, and `present` are the seats whose players are connected."""

    seq: int
    phase: Literal["new", "open", "playing", "over", "archived"]
    you: int | None
    host: int | None
    seats: list[SeatState]
    to_move: int | None
    deadline: float | None
    undo: UndoState | None
    rematch: str | None
    window: WindowState | None
    legal: list[str]
    view: dict[str, Any] | None
    result: Outcome | None
    present: list[int]
    fairness: NotRequired[Proof]


class TableState(State):
    """A table: how it was set up, and its state as the asker may know it."""

    table: str
    game: str
    options: dict[str, Value]
    public: bool
    code: str | None
    patience: Literal["none", "nudge", "bot"]
    patience_seconds: float
    pace: float
    window_seconds: float
    rematch_of: str | None
    commitment: str


class GameEvent(TypedDict):
    """Something that happened in a game. `card` is null where the viewer may not know it, `say` is the code
    of a sentence and the values of its parameters; other fields depend on the kind and on the game."""

    kind: str
    seat: NotRequired[int]
    card: NotRequired[str | None]
    count: NotRequired[int]
    reason: NotRequired[str | None]
    say: NotRequired[tuple[str, dict[str, str | int]]]


class Entry(TypedDict):
    """An entry in the log of a table, as this viewer may know it; other fields depend on the kind."""

    seq: int
    at: float
    kind: str
    seat: NotRequired[int]
    news: NotRequired[list[GameEvent]]


class Missed(TypedDict):
    """The entries since a sequence number, and the state of the table after them."""

    seq: int
    news: list[Entry]
    state: State


class RecordSeat(TypedDict):
    """The player at a seat, and its bot if it is one."""

    name: str
    bot: NotRequired[str]


class RecordEntry(TypedDict, total=False):
    """A shuffle, with the cards in the order in which they are drawn; or a move, with the card it took."""

    shuffle: list[str]
    seat: int
    move: str
    took: str


class GameRecord(TypedDict):
    """The record of a game. Until the game is over, it has only the moves the asker knows, and no seed."""

    upcard: int
    game: str
    options: dict[str, Value]
    first: int
    seats: list[RecordSeat]
    seed: str | None
    fairness: NotRequired[Proof]
    log: list[RecordEntry]
    result: Outcome | None
