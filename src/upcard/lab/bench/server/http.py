"""As much HTTP as it takes to play, by hand: whoever makes the load should not need more of the machine than
the server."""

from __future__ import annotations

__all__ = ["Answer", "Hear", "Line", "Listener", "get", "post"]

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import NamedTuple, Self, cast

from upcard.core.errors import UpcardError

HEAD_END = b"\r\n\r\n"


def get(path: str, token: str = "", *more: str) -> bytes:
    """Return a request to look at something; `more` are further headers."""
    return "\r\n".join([f"GET {path} HTTP/1.1", *_headers(token), *more, "", ""]).encode()


def post(path: str, body: bytes, token: str = "") -> bytes:
    """Return a request to do something."""
    headers = [*_headers(token), "Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([f"POST {path} HTTP/1.1", *headers, "", ""]).encode() + body


def _headers(token: str) -> list[str]:
    return ["Host: upcard", *([f"Authorization: Bearer {token}"] if token else [])]


class Answer(NamedTuple):
    """What comes back."""

    status: int
    body: bytes


class Line(asyncio.Protocol):
    """A connection that is kept: one request at a time, one answer to each."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._waiting: asyncio.Future[Answer] | None = None
        self._data = b""

    @classmethod
    async def to(cls, host: str, port: int) -> Self:
        """Connect."""
        _, line = await asyncio.get_running_loop().create_connection(cls, host, port)
        return line

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """Whether anybody is at the other end."""
        return self._transport is not None and not self._transport.is_closing()

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()

    def ask(self, request: bytes) -> asyncio.Future[Answer]:
        """Send a request. Raises ConnectionError if the other end hangs up before it has answered."""
        if self._transport is None or self._transport.is_closing():
            raise ConnectionResetError("the line is dead")
        assert self._waiting is None, "one request at a time"
        self._waiting = self._loop.create_future()
        self._transport.write(request)
        return self._waiting

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._data = self._data + data if self._data else data
        head = self._data.find(HEAD_END)
        if head < 0:
            return
        end = head + len(HEAD_END) + _length(self._data, head)
        if len(self._data) >= end:
            answer = Answer(int(self._data[9:12]), self._data[head + len(HEAD_END) : end])
            if b"connection: close" in self._data[:head].lower():
                self.close()
            self._data = self._data[end:]
            self._settle(answer)

    def connection_lost(self, exc: Exception | None) -> None:
        self._settle(ConnectionResetError("the line is dead"))

    def _settle(self, outcome: Answer | Exception) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is None or waiting.done():
            return
        if isinstance(outcome, Exception):
            waiting.set_exception(outcome)
        else:
            waiting.set_result(outcome)


def _length(data: bytes, head: int) -> int:
    """Return how long the body of an answer is, which the server always says."""
    start = data.find(b"content-length: ", 0, head)
    return int(data[start + 16 : data.find(b"\r", start)]) if start >= 0 else 0


# Streams

Hear = Callable[[int | None, bytes, bytes], None]


class Listener(asyncio.Protocol):
    """A stream of events. `hear` is called with the number of each (if it has one), its kind and its data;
    `gone` when the stream ends."""

    def __init__(self, request: bytes, hear: Hear, gone: Callable[[], None]) -> None:
        self._request = request
        self._hear = hear
        self._gone = gone
        self._transport: asyncio.Transport | None = None
        # What has come and is not yet a whole chunk, and what is not yet a whole event.
        self._data = b""
        self._text = b""
        # The status of the answer, as soon as it has come.
        self.opened: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @classmethod
    async def to(cls, host: str, port: int, request: bytes, hear: Hear, gone: Callable[[], None]) -> Listener:
        """Open a stream, and return when it is open. Raises ConnectionError if that does not work now."""
        loop = asyncio.get_running_loop()
        _, listener = await loop.create_connection(lambda: cls(request, hear, gone), host, port)
        try:
            status = await listener.opened
            if status == 503:
                raise ConnectionRefusedError("the server is stopping, or has too much to do")
            if status != 200:
                raise UpcardError(f"a stream was answered by {status}")
        except BaseException:
            listener.close()
            raise
        return listener

    def close(self) -> None:
        """Stop listening; whoever does so is not told that the stream has ended."""
        self._gone = _nothing
        self._hear = _deaf
        if self._transport is not None:
            self._transport.close()

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._data = self._data + data if self._data else data
        if self.opened.cancelled():
            return  # nobody waits for it any more
        if not self.opened.done():
            head = self._data.find(HEAD_END)
            if head < 0:
                return
            self.opened.set_result(int(self._data[9:12]))
            self._data = self._data[head + len(HEAD_END) :]
        self._take_chunks()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionResetError("the stream was not opened"))
        else:
            self._gone()

    def _take_chunks(self) -> None:
        data, start = self._data, 0
        while (line := data.find(b"\r\n", start)) >= 0:
            end = line + 2 + int(data[start:line], 16)
            if len(data) < end + 2:
                break
            self._take_events(data[line + 2 : end])
            start = end + 2
        self._data = data[start:]

    def _take_events(self, text: bytes) -> None:
        *events, self._text = (self._text + text).split(b"\n\n")
        for event in events:
            number, kind, data = None, b"message", b""
            for line in event.split(b"\n"):
                name, _, value = line.partition(b": ")
                if name == b"data":
                    data = value
                elif name == b"id":
                    number = int(value)
                elif name == b"event":
                    kind = value
            if data:
                self._hear(number, kind, data)


def _nothing() -> None:
    pass


def _deaf(_number: int | None, _kind: bytes, _data: bytes) -> None:
    pass
