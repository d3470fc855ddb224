"""Responses. The answers to commands are in runtime/answers.py."""

from __future__ import annotations

__all__ = [
    "Entry",
    "GameAbout",
    "GameEvent",
    "GameRecord",
    "Games",
    "HandedOut",
    "Joined",
    "Missed",
    "MyTable",
    "MyTables",
    "OpenTable",
    "OpenTables",
    "Opened",
    "OptionAbout",
    "Outcome",
    "Proof",
    "PushKey",
    "QuestionState",
    "RecordEntry",
    "RecordSeat",
    "RecoveryPhrase",
    "Reported",
    "SeatState",
    "Session",
    "Snapshot",
    "Subscribed",
    "TableOutcome",
    "TableSnapshot",
    "WindowState",
]

from typing import Any, Literal, NotRequired, TypedDict

import msgspec

from upcard.core.options import Value


class Opened(msgspec.Struct, frozen=True):
    """A table was set up. `commitment` is the SHA-256 of what the server adds to the shuffle."""

    table: str
    code: str | None
    commitment: str
    seq: int


class Joined(msgspec.Struct, frozen=True):
    """The table to which a short code, or a code for a seat, belongs."""

    table: str


class HandedOut(msgspec.Struct, frozen=True):
    """A code that can be used once, until the time `expires`."""

    code: str
    expires: float


class PushKey(msgspec.Struct, frozen=True):
    """The public key of this server for push messages, in base64 for addresses; null if it sends none."""

    key: str | None


class Subscribed(msgspec.Struct, frozen=True):
    """Whether this device gets push messages."""

    subscribed: bool


class RecoveryPhrase(msgspec.Struct, frozen=True):
    """Ten words with which another device becomes the same person. They are shown only once."""

    phrase: str


class Reported(msgspec.Struct, frozen=True):
    """The player at this seat is reported."""

    seat: int


class Session(msgspec.Struct, frozen=True):
    """The sender's identity. `token` is for programs, as `Authorization: Bearer`; browsers have a cookie."""

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
    """Public tables that wait for players and have someone there; the newest of each address first."""

    tables: list[OpenTable]


class MyTable(msgspec.Struct, frozen=True):
    """A table at which the asker has a seat. `your_turn` says that the table waits for the asker, `deadline`
    until when, and `since` when the game last changed."""

    table: str
    game: str
    phase: Literal["open", "playing", "archived"]
    you: int
    names: list[str]
    your_turn: bool
    since: float
    deadline: float | None


class MyTables(msgspec.Struct, frozen=True):
    """The tables at which the asker has a seat and whose game has no result: first those that wait for a
    move, then the last changed."""

    tables: list[MyTable]


# Responses that are dictionaries, since they depend on the game or on what has happened.


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


class TableOutcome(TypedDict):
    """Why the game of a table ended: as in its record, or because players resigned, or agreed to end it."""

    reason: Literal["won", "stuck", "scored", "limit", "resigned", "agreed"]
    winners: list[int]
    scores: list[int]


class SeatState(TypedDict):
    """A seat: `bot` is the bot that plays there now, `kept` whether it is reserved for a player of the
    previous game, `away` whether its player is absent, `resigned` whether its player has given up, `face` and
    `tint` what the player has chosen to look like, and `unhurried` whether the player always has time to
    answer in windows."""

    kind: Literal["bot", "person", "free"]
    name: str
    bot: str | None
    kept: bool
    away: bool
    resigned: bool
    face: str | None
    tint: int | None
    unhurried: bool


class QuestionState(TypedDict):
    """A question to which all players have to agree: the seat that asked, the sequence number of the
    question, and the seats that have not answered."""

    seat: int
    asked: int
    waiting: list[int]


class WindowState(TypedDict):
    """A period in which seats may answer out of turn: the sequence number at which it opened, when it closes,
    the seats that are asked, those that have asked everyone to wait, and the possible answers and the last
    answer of this viewer."""

    opened: int
    closes: float
    asked: list[int]
    held_by: list[int]
    answers: list[str]
    answered: str | None


class Snapshot(TypedDict):
    """The state of a table as this viewer may know it. `you` is the viewer's seat, `legal` are its legal
    moves, `undo` asks whether a move may be taken back, and `ending` whether the game may end without a
    winner; `view` depends on the game, `present` are the seats whose players are connected, and `wins` the
    games that each seat has won since these people began to play."""

    seq: int
    phase: Literal["new", "open", "playing", "over", "archived"]
    you: int | None
    host: int | None
    locked: bool
    seats: list[SeatState]
    to_move: int | None
    deadline: float | None
    undo: QuestionState | None
    ending: QuestionState | None
    rematch: str | None
    wins: list[int]
    pace: float
    window: WindowState | None
    legal: list[str]
    view: dict[str, Any] | None
    result: TableOutcome | None
    present: list[int]
    fairness: NotRequired[Proof]


class TableSnapshot(Snapshot):
    """A table: how it was set up, and its state as the asker may know it."""

    table: str
    game: str
    options: dict[str, Value]
    public: bool
    code: str | None
    patience: Literal["none", "nudge", "bot"]
    patience_seconds: float
    window_seconds: float
    hold_seconds: float
    unhurried: bool
    starts_when_full: bool
    rematch_of: str | None
    # The seat whose game, begun elsewhere, continues here.
    continues: int | None
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
    """The entries after a sequence number, a page at a time, and the state of the table after all of them.
    With `more`, the next page begins after the last of these entries."""

    seq: int
    news: list[Entry]
    more: bool
    state: Snapshot


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


class RecordContinuation(TypedDict):
    """The game that a record continues: its seed and moves, and the seat whose knowledge was kept."""

    seed: str
    seat: int
    log: list[RecordEntry]


class GameRecord(TypedDict):
    """The record of a game. Until the game is over, it has only the moves the asker knows, and no seed. If
    the players ended the game, it has no result."""

    upcard: int
    game: str
    options: dict[str, Value]
    first: int
    seats: list[RecordSeat]
    seed: str | None
    fairness: NotRequired[Proof]
    continues: NotRequired[RecordContinuation]
    log: list[RecordEntry]
    result: Outcome | None
