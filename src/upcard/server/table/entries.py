"""The entries of a table's log: everything that happened there, including what no player may see.

The state of a table follows from its entries (`state.py`), so nothing else needs to be stored. Entries are
stored as JSON, told apart by `kind`. Fields may be added with a default; none is ever renamed or removed, or
old tables could not be read.

Seats are numbered from 1. People are identified by their marks (`http/identity.py`), which are not secret
keys.
"""

from __future__ import annotations

__all__ = [
    "Archived",
    "Chair",
    "Closed",
    "Continued",
    "EndAnswered",
    "EndAsked",
    "Ended",
    "Entry",
    "HandedOver",
    "Held",
    "HostChanged",
    "Hurried",
    "Left",
    "Locked",
    "Moved",
    "Nudged",
    "Opened",
    "PaceChanged",
    "Placed",
    "Rematched",
    "Removed",
    "Renamed",
    "Reopened",
    "Resigned",
    "Resumed",
    "Said",
    "Sat",
    "SatIn",
    "Started",
    "Stayed",
    "Stood",
    "TimeGiven",
    "TookBack",
    "UndoAnswered",
    "UndoAsked",
    "Undone",
    "read_entry",
    "write_entry",
]

from typing import Literal

import msgspec

from upcard.core.options import Value

Patience = Literal["none", "nudge", "bot"]


class Chair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as it was set up: for a bot, reserved for a player of the previous game, or open to anyone."""

    name: str = ""
    bot: str | None = None
    kept_for: str | None = None
    face: str = ""
    tint: int = 0


class Continued(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game that was begun on a person's own device: its seed (hex), the seat of that person, and its moves
    so far."""

    seed: str
    seat: int
    moves: list[tuple[int, str]] = []


class _Entry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """The base of all entries."""


class Opened(_Entry, frozen=True, tag="opened"):
    """Someone has set up a table. `secret` (hex) is what the server adds to the shuffle."""

    game: str
    options: dict[str, Value]
    host: str
    chairs: list[Chair]
    secret: str
    public: bool = False
    code: str | None = None
    # What happens when a player takes longer than this many seconds: nothing, a nudge, or a bot plays for
    # them.
    patience: Patience = "none"
    patience_seconds: float = 60.0
    # How long bots take for a move, and how long a window stays open, in seconds.
    pace: float = 1.2
    window_seconds: float = 5.0
    # How long a window stays open after a player has asked everyone to wait, in seconds.
    hold_seconds: float = 15.0
    # Whether windows always stay open until all seats that are asked have answered.
    unhurried: bool = False
    # The table of the previous game of these players.
    rematch_of: str | None = None
    # Whether the cards are dealt as soon as all seats are taken.
    starts_when_full: bool = False
    # The number of previous games that each seat has won.
    wins: list[int] = []
    # The game that continues at this table. The cards that its player's seat did not know are dealt again.
    continues: Continued | None = None


class Sat(_Entry, frozen=True, tag="sat"):
    """Someone has sat down. `share` (hex) is what their device adds to the shuffle; empty for a player of the
    previous game who has not come yet."""

    seat: int
    person: str
    name: str
    share: str
    face: str = ""
    tint: int = 0


class Stood(_Entry, frozen=True, tag="stood"):
    """Someone has stood up before the game began."""

    seat: int


class Removed(_Entry, frozen=True, tag="removed"):
    """The host has removed a person before the game. That person cannot sit down here again."""

    seat: int
    name: str


class Locked(_Entry, frozen=True, tag="locked"):
    """The host has locked the table, so that nobody else can sit down, or has unlocked it."""

    locked: bool


class Renamed(_Entry, frozen=True, tag="renamed"):
    """Someone has changed their name, face or colour."""

    seat: int
    name: str
    face: str = ""
    tint: int = 0


class Placed(_Entry, frozen=True, tag="placed"):
    """The host has put a bot on a seat, or (None) made it free."""

    seat: int
    bot: str | None
    name: str = ""


class Started(_Entry, frozen=True, tag="started"):
    """The cards are dealt. With a seed (hex), they are those of a finished game, and its first moves are
    made: someone continues from there, and the shuffle has no proof."""

    seed: str | None = None
    moves: list[tuple[int, str]] = []


class Moved(_Entry, frozen=True, tag="moved"):
    """A seat has made a move, in notation."""

    seat: int
    move: str
    by: Literal["person", "bot"] = "person"


class Closed(_Entry, frozen=True, tag="closed"):
    """The window has closed. Only these seats have answered; the others let it pass."""

    answers: dict[int, str] = {}


class Held(_Entry, frozen=True, tag="held"):
    """Someone who is asked has asked everyone to wait. Every player who is asked may do so, whether they have
    a choice or not, so it reveals nothing."""

    seat: int


class Resumed(_Entry, frozen=True, tag="resumed"):
    """The window was open while the server was not running, so its time starts again."""


class TimeGiven(_Entry, frozen=True, tag="time_given"):
    """Someone always wants time to answer out of turn, or no longer does."""

    seat: int
    given: bool


class Stayed(_Entry, frozen=True, tag="stayed"):
    """The player to move is present, and still thinking."""

    seat: int


class PaceChanged(_Entry, frozen=True, tag="pace_changed"):
    """Bots take more or less time for a move from now on, in seconds."""

    seat: int
    pace: float


class Hurried(_Entry, frozen=True, tag="hurried"):
    """Someone skips to the next turn of a person: until then, bots move as soon as they have chosen."""

    seat: int


class HostChanged(_Entry, frozen=True, tag="host_changed"):
    """Someone has become the host, because the previous host was away."""

    seat: int


class Nudged(_Entry, frozen=True, tag="nudged"):
    """A player who takes long has been nudged."""

    seat: int


class Left(_Entry, frozen=True, tag="left"):
    """Someone has left a running game."""

    seat: int


class SatIn(_Entry, frozen=True, tag="sat_in"):
    """A bot now plays for a player who is away."""

    seat: int
    bot: str


class TookBack(_Entry, frozen=True, tag="took_back"):
    """Someone is back, and plays again."""

    seat: int


class HandedOver(_Entry, frozen=True, tag="handed_over"):
    """Someone continues on another device."""

    seat: int
    person: str


class Said(_Entry, frozen=True, tag="said"):
    """Someone has said one of the phrases."""

    seat: int
    phrase: str


class UndoAsked(_Entry, frozen=True, tag="undo_asked"):
    """Someone would like to take back their last move, and all that came after it."""

    seat: int


class UndoAnswered(_Entry, frozen=True, tag="undo_answered"):
    """Someone has answered a request to take back a move."""

    seat: int
    agreed: bool


class Undone(_Entry, frozen=True, tag="undone"):
    """This number of moves is taken back."""

    seat: int
    moves: int


class Resigned(_Entry, frozen=True, tag="resigned"):
    """A player has given up. A bot plays the seat to the end if the others play on."""

    seat: int


class EndAsked(_Entry, frozen=True, tag="end_asked"):
    """A player would like to end the game without a winner."""

    seat: int


class EndAnswered(_Entry, frozen=True, tag="end_answered"):
    """A player agrees to that, or does not."""

    seat: int
    agreed: bool


class Ended(_Entry, frozen=True, tag="ended"):
    """The game has ended before the rules ended it: all but the winners have resigned, or all players have
    agreed to end it, and then nobody has won."""

    reason: Literal["resigned", "agreed"]
    winners: list[int] = []


class Rematched(_Entry, frozen=True, tag="rematched"):
    """Someone has set up another table for the same players."""

    seat: int
    table: str


class Reopened(_Entry, frozen=True, tag="reopened"):
    """A player has come back to a table that was closed."""

    seat: int


class Archived(_Entry, frozen=True, tag="archived"):
    """The table is closed, and its record is kept: nobody has come back for days, or an operator has closed
    it. Only the operator's decision is final."""

    by_operator: bool = False


Entry = (
    Opened
    | Sat
    | Stood
    | Removed
    | Locked
    | Renamed
    | Placed
    | Started
    | Moved
    | Closed
    | Held
    | Resumed
    | TimeGiven
    | Stayed
    | HostChanged
    | PaceChanged
    | Hurried
    | Nudged
    | Left
    | SatIn
    | TookBack
    | HandedOver
    | Said
    | UndoAsked
    | UndoAnswered
    | Undone
    | Resigned
    | EndAsked
    | EndAnswered
    | Ended
    | Rematched
    | Archived
    | Reopened
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def write_entry(entry: Entry) -> bytes:
    """Return an entry as JSON."""
    return _encoder.encode(entry)


def read_entry(body: bytes) -> Entry:
    """Return an entry from its JSON."""
    try:
        return _decoder.decode(body)
    except msgspec.MsgspecError as error:
        # Not an error of the client that asks for the table.
        raise RuntimeError(f"an entry of a log cannot be read: {error}") from error
