"""What is written in the log of a table: all that ever happened at it, as nobody in particular sees it.

The state of a table is what its entries make of it, one after another (`sitting.py`), so nothing else
has to be kept. Entries are stored as JSON, told apart by `kind`. Fields may be added with a default;
none is ever renamed or removed, or old tables could not be read.

Seats are numbered from 1. People are known by their marks (`people.py`), which are no secret keys.
"""

from __future__ import annotations

__all__ = [
    "Archived",
    "Chair",
    "Closed",
    "Entry",
    "HandedOver",
    "Held",
    "HostChanged",
    "Hurried",
    "Left",
    "Moved",
    "Nudged",
    "Opened",
    "PaceChanged",
    "Placed",
    "Rematched",
    "Renamed",
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
    """A seat as it was set up: for a bot, kept for someone who has played here before, or for anyone."""

    name: str = ""
    bot: str | None = None
    kept_for: str | None = None
    face: str = ""
    tint: int = 0


class _Entry(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="kind", tag=str.lower):
    """What all entries have in common."""


class Opened(_Entry, frozen=True, tag="opened"):
    """Someone has set up a table. `secret` (hex) is what the server adds to the shuffle."""

    game: str
    options: dict[str, Value]
    host: str
    chairs: list[Chair]
    secret: str
    public: bool = False
    code: str | None = None
    # What happens when someone is waited for: nothing, a nudge, or a bot sits in, after so many seconds.
    patience: Patience = "none"
    patience_seconds: float = 60.0
    # How long bots take for a move, and how long everyone is asked who may answer out of turn.
    pace: float = 1.2
    window_seconds: float = 5.0
    # How long a window stays open after someone has asked everyone to wait.
    hold_seconds: float = 15.0
    # Whether windows always stay open until everyone who is asked has answered.
    unhurried: bool = False
    # The table whose players play again here.
    rematch_of: str | None = None
    # Whether the cards are dealt as soon as nobody is missing.
    starts_when_full: bool = False
    # How many of the games before this one each seat has won.
    wins: list[int] = []


class Sat(_Entry, frozen=True, tag="sat"):
    """Someone has sat down. `share` is what their device adds to the shuffle, hex; empty for a player of the
    game before who is not there yet."""

    seat: int
    person: str
    name: str
    share: str
    face: str = ""
    tint: int = 0


class Stood(_Entry, frozen=True, tag="stood"):
    """Someone has stood up before the game began."""

    seat: int


class Renamed(_Entry, frozen=True, tag="renamed"):
    """Someone is called something else, or looks different."""

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
    """The cards are dealt. With a seed (hex) they are those of a game that is over, and its first moves are
    made: someone plays on from there, and nothing is proven of the shuffle."""

    seed: str | None = None
    moves: list[tuple[int, str]] = []


class Moved(_Entry, frozen=True, tag="moved"):
    """A seat has made a move, in notation."""

    seat: int
    move: str
    by: Literal["person", "bot"] = "person"


class Closed(_Entry, frozen=True, tag="closed"):
    """The time to answer out of turn is over. Only these seats have answered; the others let it pass."""

    answers: dict[int, str] = {}


class Held(_Entry, frozen=True, tag="held"):
    """Someone who may answer out of turn has asked everyone to wait. Whoever is asked may do so, with or
    without an answer to choose, so it tells nothing."""

    seat: int


class Resumed(_Entry, frozen=True, tag="resumed"):
    """The window was open while the server was not running, so its time begins again."""


class TimeGiven(_Entry, frozen=True, tag="time_given"):
    """Someone always wants time to answer out of turn, or does not any more."""

    seat: int
    given: bool


class Stayed(_Entry, frozen=True, tag="stayed"):
    """Someone who is waited for is there, and still thinking."""

    seat: int


class PaceChanged(_Entry, frozen=True, tag="pace_changed"):
    """Bots take more or less time for a move from now on, in seconds."""

    seat: int
    pace: float


class Hurried(_Entry, frozen=True, tag="hurried"):
    """Someone skips to the next turn of a person: until then, bots move as soon as they know their move."""

    seat: int


class HostChanged(_Entry, frozen=True, tag="host_changed"):
    """Someone takes care of the table instead of the host, who is not there."""

    seat: int


class Nudged(_Entry, frozen=True, tag="nudged"):
    """Someone has been waited for."""

    seat: int


class Left(_Entry, frozen=True, tag="left"):
    """Someone has left a game that goes on."""

    seat: int


class SatIn(_Entry, frozen=True, tag="sat_in"):
    """A bot plays for someone who is away."""

    seat: int
    bot: str


class TookBack(_Entry, frozen=True, tag="took_back"):
    """Someone is back, and plays again."""

    seat: int


class HandedOver(_Entry, frozen=True, tag="handed_over"):
    """Someone plays on from another device."""

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
    """Someone agrees to that, or does not."""

    seat: int
    agreed: bool


class Undone(_Entry, frozen=True, tag="undone"):
    """So many moves are taken back."""

    seat: int
    moves: int


class Rematched(_Entry, frozen=True, tag="rematched"):
    """Someone has set up another table for the same players."""

    seat: int
    table: str


class Archived(_Entry, frozen=True, tag="archived"):
    """Nobody has come back for days: the table is closed, and its record kept."""


Entry = (
    Opened
    | Sat
    | Stood
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
    | Rematched
    | Archived
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def write_entry(entry: Entry) -> bytes:
    """Return an entry as JSON."""
    return _encoder.encode(entry)


def read_entry(body: bytes) -> Entry:
    """Return the entry that JSON tells of."""
    try:
        return _decoder.decode(body)
    except msgspec.MsgspecError as error:
        # Not the mistake of whoever asks for the table.
        raise RuntimeError(f"an entry of a log cannot be read: {error}") from error
