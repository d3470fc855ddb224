"""Event streams: what is written to one viewer of one table, and who reads too slowly."""

from __future__ import annotations

__all__ = ["MAX_WAITING", "Outlet", "Stream", "event", "numbered"]

import asyncio
from collections.abc import Callable
from typing import Protocol

import msgspec

# A client for which more bytes than this are waiting does not read any more. It can reconnect.
MAX_WAITING = 128 * 1024

_encode = msgspec.json.Encoder().encode


def numbered(seq: int, told: bytes) -> bytes:
    """Return an entry of the log (as JSON) as a server-sent event; a browser that comes back names the last
    number."""
    return b"id: %d\ndata: %s\n\n" % (seq, told)


def event(kind: str, told: object) -> bytes:
    """Return anything else as a server-sent event of its own kind, which has no number."""
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), told if isinstance(told, bytes) else _encode(told))


class Outlet(Protocol):
    """A connection that a stream flows into."""

    def write(self, data: bytes) -> None:
        """Send something."""

    @property
    def backlog(self) -> int:
        """How many bytes were given to it, and not yet read by the other side."""

    def finish(self) -> None:
        """Send what waits, and hang up."""

    def abort(self) -> None:
        """Hang up at once."""


class Stream:
    """One open stream. Nobody waits for a slow reader: what is pushed flows into a connection, or waits until
    it is read."""

    __slots__ = (
        "_outlet",
        "_reader",
        "_waiting",
        "_waiting_bytes",
        "address",
        "cut",
        "ended",
        "lost",
        "person",
        "seat",
        "slow",
        "states",
    )

    def __init__(self, person: str | None, address: str, states: bool = True) -> None:
        self.person = person
        self.address = address
        # The seat of the person, which the table knows.
        self.seat: int | None = None
        # Whether the state of the table is wanted with all that happens, or only what happens.
        self.states = states
        self.ended = False
        self.slow = False
        # The task that writes, which may be waiting for a reader who does not read any more.
        self.cut: asyncio.Task[None] | None = None
        # What is to be done when the connection is gone.
        self.lost: Callable[[], None] | None = None
        self._outlet: Outlet | None = None
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._reader: asyncio.Future[None] | None = None

    @property
    def watcher(self) -> str:
        """Who is counted as looking: the person, or where nobody knows who it is, the address."""
        return self.person or self.address

    def push(self, data: bytes) -> None:
        """Give it something to write."""
        if self.ended or not data:
            return
        if self._outlet is not None:
            self._outlet.write(data)
            waiting = self._outlet.backlog
        else:
            self._waiting.append(data)
            self._waiting_bytes += len(data)
            waiting = self._waiting_bytes
        if waiting > MAX_WAITING:
            self._give_up()
        self._wake()

    def _give_up(self) -> None:
        """Leave someone who does not read any more."""
        self.slow = self.ended = True
        self._waiting.clear()
        if self._outlet is not None:
            self._outlet.abort()
        if self.cut is not None:
            self.cut.cancel()

    def end(self) -> None:
        """Let it write what waits, and no more."""
        if self._outlet is not None and not self.ended:
            self._outlet.finish()
        self.ended = True
        self._wake()

    # Into a connection

    def flow_to(self, outlet: Outlet) -> None:
        """Write all that waits, and from now on everything, to a connection."""
        self._outlet = outlet
        if self._waiting:
            outlet.write(self._gathered())
        if self.ended:
            outlet.finish()

    def lose(self) -> None:
        """The connection is gone."""
        self.ended = True
        if self.lost is not None:
            self.lost()

    # To someone who reads

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def read(self) -> bytes:
        """Return all that waits as soon as there is something; nothing when it has ended."""
        if not self._waiting and not self.ended:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
            self._reader = None
        return self._gathered()

    def _gathered(self) -> bytes:
        data = b"".join(self._waiting)
        self._waiting.clear()
        self._waiting_bytes = 0
        return data
