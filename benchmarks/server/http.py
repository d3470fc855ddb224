"""A minimal HTTP client: the load must need less of the machine than the server that it measures."""

from __future__ import annotations

__all__ = ["DISCONNECTED", "HOST", "JSON", "Answer", "Connection", "Event", "Stream", "get", "post"]

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple, Self

from upcard.core.errors import UpcardError

HOST = "127.0.0.1"
JSON = "Accept: application/json"
# Raised where the server closes a connection, or does not accept one.
DISCONNECTED = (OSError, asyncio.IncompleteReadError)


def get(path: str, token: str = "", *more: str) -> bytes:
    """Return a GET request; `more` are further headers."""
    return "\r\n".join([f"GET {path} HTTP/1.1", *_headers(token), *more, "", ""]).encode()


def post(path: str, body: bytes, token: str = "") -> bytes:
    """Return a POST request with a JSON body."""
    headers = [*_headers(token), "Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([f"POST {path} HTTP/1.1", *headers, "", ""]).encode() + body


def _headers(token: str) -> list[str]:
    return ["Host: upcard", *([f"Authorization: Bearer {token}"] if token else [])]


class Answer(NamedTuple):
    """A response."""

    status: int
    body: bytes


class Connection:
    """A connection that is kept open: one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Self:
        """Connect to a server on this machine."""
        return cls(*await asyncio.open_connection(HOST, port))

    @property
    def is_open(self) -> bool:
        """Whether a request can be sent."""
        return not self._writer.is_closing() and not self._reader.at_eof()

    def close(self) -> None:
        """Close it."""
        self._writer.close()

    async def ask(self, request: bytes) -> Answer:
        """Send a request, and return its answer."""
        self._writer.write(request)
        status, head = await self._head()
        length = head.partition(b"content-length: ")[2].partition(b"\r")[0]
        body = await self._reader.readexactly(int(length or 0))
        if b"connection: close" in head:
            self.close()
        return Answer(status, body)

    async def _head(self) -> tuple[int, bytes]:
        head = await self._reader.readuntil(b"\r\n\r\n")
        return int(head[9:12]), head.lower()


class Event(NamedTuple):
    """A server-sent event."""

    number: int | None
    kind: bytes
    data: bytes


class Stream(Connection):
    """A stream of server-sent events."""

    async def start(self, request: bytes) -> None:
        """Wait until the stream is open."""
        self._writer.write(request)
        status, _ = await self._head()
        if status == 503:
            raise ConnectionRefusedError("the server is stopping or overloaded")
        if status != 200:
            raise UpcardError(f"a stream was answered by {status}")

    async def __aiter__(self) -> AsyncIterator[Event]:
        text = b""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            chunk = await self._reader.readexactly(size + 2)
            *events, text = (text + chunk[:-2]).split(b"\n\n")
            for event in events:
                fields = dict(line.partition(b": ")[::2] for line in event.split(b"\n"))
                if b"data" in fields:
                    number = int(fields[b"id"]) if b"id" in fields else None
                    yield Event(number, fields.get(b"event", b"message"), fields[b"data"])
