"""The bodies of requests: how large they may be, and how long they may take to arrive."""

from __future__ import annotations

__all__ = ["BODY_SECONDS", "CLOSE", "check_length", "drain", "read_body"]

import asyncio
import contextlib
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import Receive

from upcard.server.http.problems import BadRequest, Problem, TooLarge

# Time limit for receiving a body, in seconds.
BODY_SECONDS: Final = 10.0

# How much of the rest of a body is read after a refusal, and for how long, in bytes and seconds.
DRAIN_BYTES: Final = 4 * 1024 * 1024
DRAIN_SECONDS: Final = 2.0

# A client that is still sending is cut off.
CLOSE: Final = {"Connection": "close"}


def check_length(length: bytes | None, most: int) -> None:
    if length is not None:
        if not length.isdigit():
            raise BadRequest("Content-Length should be a number", headers=CLOSE)
        if len(length) > 12 or int(length) > most:
            raise too_large(most)


async def drain(receive: Receive) -> None:
    """Read and discard the rest of a body, within limits of size and time."""
    rest = DRAIN_BYTES
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while rest > 0:
                message = await receive()
                rest -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


async def read_body(receive: Receive, most: int) -> bytes:
    body = bytearray()
    has_more = True
    while has_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > most:
            raise too_large(most)
        has_more = message.get("more_body", False)
    return bytes(body)


def too_large(most: int) -> Problem:
    return TooLarge(f"the body may have {most} bytes", headers=CLOSE)
