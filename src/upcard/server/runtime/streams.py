"""Event streams to the viewers of a table, and handling of clients that read too slowly."""

from __future__ import annotations

__all__ = ["MAX_WAITING", "Outlet", "Stream", "event", "numbered"]

import asyncio
from collections.abc import Callable
from typing import Protocol

import msgspec

# A client with a larger backlog than this, in bytes, is disconnected. It can reconnect.
MAX_WAITING = 128 * 1024

_encode = msgspec.json.Encoder().encode


def numbered(seq: int, told: bytes) -> bytes:
    """Return an entry of the log (as JSON) as a server-sent event. A browser that reconnects sends the last
    number."""
    return b"id: %d\ndata: %s\n\n" % (seq, told)


def event(kind: str, told: object) -> bytes:
    """Return other data as a server-sent event of its own kind, without a number."""
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), told if isinstance(told, bytes) else _encode(told))


class Outlet(Protocol):
    """A connection that a stream is written to."""

    def write(self, data: bytes) -> None:
        """Send bytes."""

    @property
    def backlog(self) -> int:
        """The number of bytes that the client has not read yet."""

    def finish(self) -> None:
        """Send what is waiting, and hang up."""

    def abort(self) -> None:
        """Hang up immediately."""


class Stream:
    """One open stream. Pushing never waits for a slow reader: data goes into a connection, or is queued until
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
        # The seat of the person, set by the table.
        self.seat: int | None = None
        # Whether the stream contains the state of the table besides its events.
        self.states = states
        self.ended = False
        self.slow = False
        # The task that writes, which may be waiting for a client that has stopped reading.
        self.cut: asyncio.Task[None] | None = None
        # Called when the connection is gone.
        self.lost: Callable[[], None] | None = None
        self._outlet: Outlet | None = None
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self._reader: asyncio.Future[None] | None = None

    @property
    def watcher(self) -> str:
        """The key by which the stream is counted: the person, or the address if the person is unknown."""
        return self.person or self.address

    def push(self, data: bytes) -> None:
        """Add data to be written."""
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
        """Disconnect a client that has stopped reading."""
        self.slow = self.ended = True
        self._waiting.clear()
        if self._outlet is not None:
            self._outlet.abort()
        if self.cut is not None:
            self.cut.cancel()

    def end(self) -> None:
        """End the stream after the data that is waiting."""
        if self._outlet is not None and not self.ended:
            self._outlet.finish()
        self.ended = True
        self._wake()

    # Into a connection

    def flow_to(self, outlet: Outlet) -> None:
        """Write everything that is waiting to a connection, and from now on everything that is pushed."""
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

    # To a reader

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def read(self) -> bytes:
        """Return everything that is waiting as soon as there is something; nothing once the stream has
        ended."""
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
