"""A client of a stream that stores what it receives, and resumes where it was when the connection breaks."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

from upcard.server.runtime.streams import Stream

Projected = dict[str, Any]


class Reader:
    """Everything that a viewer of a table knows from streams alone."""

    def __init__(self) -> None:
        # Everything with a number that has arrived, in order.
        self.entries: list[Projected] = []
        # The last event id, as a browser would send it.
        self.last: int | None = None
        # The last state of the table.
        self.state: Projected | None = None
        # The seats, derived from the first state and all entries after it.
        self.seats: list[Projected] = []
        self.others: list[tuple[str, Projected]] = []
        self._rest = b""
        self._following: asyncio.Future[None] | None = None

    def take(self, data: bytes) -> None:
        """Read more bytes. An incomplete event is not an event yet."""
        *events, self._rest = (self._rest + data).split(b"\n\n")
        for text in events:
            self._read(text.decode())

    def break_off(self) -> None:
        """The connection is gone, and with it an incomplete event."""
        self._rest = b""

    def _read(self, text: str) -> None:
        lines = dict(line.partition(": ")[::2] for line in text.split("\n"))
        if "id" in lines:
            self.last = int(lines["id"])
        if "data" not in lines:
            return
        data = json.loads(lines["data"])
        match lines.get("event"):
            case None:
                assert data["seq"] == self.last
                self.entries.append(data)
                apply(self.seats, data)
            case "state":
                self.seats = self.seats if self.state is not None else copy.deepcopy(data["seats"])
                self.state = data
            case kind:
                self.others.append((str(kind), data))

    @property
    def seen(self) -> list[int]:
        """The numbers of all entries that have arrived."""
        return [entry["seq"] for entry in self.entries]

    async def follow(self, stream: Stream) -> None:
        """Read a stream until it ends."""
        while data := await stream.read():
            self.take(data)

    def begin(self, stream: Stream) -> None:
        """Start reading a stream."""
        self._following = asyncio.ensure_future(self.follow(stream))


def apply(seats: list[Projected], entry: Projected) -> None:
    """Update the seats from an entry; a client needs nothing but the stream."""
    if "seat" not in entry or not seats:
        return
    seat = seats[entry["seat"] - 1]
    match entry["kind"]:
        case "sat":
            seat |= {"kind": "person", "name": entry["name"], "bot": None, "kept": False, "away": False}
        case "stood":
            seat |= {"kind": "free", "name": "", "bot": None, "kept": False, "away": False}
        case "placed":
            kind = "free" if entry["bot"] is None else "bot"
            seat |= {"kind": kind, "name": entry["name"], "bot": entry["bot"], "kept": False, "away": False}
        case "renamed":
            seat["name"] = entry["name"]
        case "left":
            seat["away"] = True
        case "sat_in":
            seat |= {"bot": entry["bot"], "away": True}
        case "took_back":
            seat |= {"bot": None, "away": False}
