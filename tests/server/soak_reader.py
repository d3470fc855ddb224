"""A client of a stream that keeps what it is told, and comes back where it was when the connection breaks."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

from upcard.server.runtime.streams import Stream

Projected = dict[str, Any]


class Reader:
    """What one viewer of a table knows from streams alone."""

    def __init__(self) -> None:
        # Everything with a number that came in, in that order.
        self.entries: list[Projected] = []
        # What a browser would say it has seen last.
        self.last: int | None = None
        # How the table stands, as it was last told.
        self.state: Projected | None = None
        # Who sits where, made of the first state and all entries after it.
        self.seats: list[Projected] = []
        self.others: list[tuple[str, Projected]] = []
        self._rest = b""
        self._following: asyncio.Future[None] | None = None

    def take(self, data: bytes) -> None:
        """Read on. What is not there to its end is no event yet."""
        *events, self._rest = (self._rest + data).split(b"\n\n")
        for text in events:
            self._read(text.decode())

    def break_off(self) -> None:
        """The connection is gone, and with it the event that had only come in part."""
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
        """The numbers of all entries that came in."""
        return [entry["seq"] for entry in self.entries]

    async def follow(self, stream: Stream) -> None:
        """Take in a stream until it ends."""
        while data := await stream.read():
            self.take(data)

    def begin(self, stream: Stream) -> None:
        """Take in a stream from now on."""
        self._following = asyncio.ensure_future(self.follow(stream))


def apply(seats: list[Projected], entry: Projected) -> None:
    """Change who sits where as an entry says; a client needs nothing but what it is told."""
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
