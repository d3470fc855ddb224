"""Sending a message to one device: one request on a connection of its own, within a time limit."""

from __future__ import annotations

__all__ = ["Delivery", "Outcome", "post"]

import asyncio
import functools
import hashlib
import re
import ssl
from collections.abc import Mapping
from typing import Literal, NamedTuple

from upcard.core.entropy import random_bytes
from upcard.server import base64url
from upcard.server.runtime.push.encryption import SALT_BYTES, SEED_BYTES, encrypt, private_key
from upcard.server.runtime.push.endpoint import Endpoint, resolve
from upcard.server.runtime.push.vapid import Signer
from upcard.server.store import Subscription

# The time limit for everything about one message, in seconds.
TIME_LIMIT = 10.0
# The answer is not read beyond its first line, which is not longer than this.
MAX_LINE = 1024

# gone: the device does not want any more messages. later: another attempt may succeed.
Outcome = Literal["sent", "gone", "later", "refused"]


class Delivery(NamedTuple):
    """A message to a device, and how long the push service keeps it, in seconds. A newer message about the
    same topic replaces it there."""

    subscription: Subscription
    text: bytes
    topic: str
    seconds: int


async def post(delivery: Delivery, endpoint: Endpoint, signer: Signer, now: float) -> Outcome:
    """Send a message. Raises OSError or TimeoutError if the push service cannot be reached."""
    headers, body = await asyncio.to_thread(_request, delivery, endpoint, signer, now)
    async with asyncio.timeout(TIME_LIMIT):
        return _outcome(await _status(endpoint, headers, body))


def _request(
    delivery: Delivery, endpoint: Endpoint, signer: Signer, now: float
) -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of the request."""
    to = delivery.subscription
    sender = private_key(random_bytes("key of a push message", SEED_BYTES))
    salt = random_bytes("salt of a push message", SALT_BYTES)
    body = encrypt(delivery.text, to.public_key, to.auth, sender, salt)
    headers = {
        "Host": endpoint.origin.partition("://")[2],
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "Content-Length": str(len(body)),
        "TTL": str(delivery.seconds),
        "Topic": _topic(delivery.topic),
        "Urgency": "normal",
        "Authorization": signer.header(endpoint.origin, to.site, now),
        "Connection": "close",
    }
    return headers, body


def _topic(name: str) -> str:
    """Return a topic that says nothing about its name: 32 letters, which is the limit."""
    return base64url.encode(hashlib.sha256(b"upcard topic " + name.encode()).digest()[:24])


async def _status(endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> int:
    """Send a request, and return the status of the answer. Redirects are not followed."""
    secure = None if endpoint.loopback else _tls()
    reader, writer = await asyncio.open_connection(
        await resolve(endpoint),
        endpoint.port,
        limit=MAX_LINE,
        ssl=secure,
        server_hostname=endpoint.host if secure else None,
    )
    try:
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"POST {endpoint.path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        await writer.drain()
        line = await reader.readline()
    except ValueError:
        raise ConnectionError("the push service does not answer in HTTP") from None
    finally:
        writer.close()
    found = re.match(rb"HTTP/1\.[01] (\d{3})\b", line)
    if found is None:
        raise ConnectionError("the push service does not answer in HTTP")
    return int(found[1])


@functools.cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _outcome(status: int) -> Outcome:
    if 200 <= status < 300:
        return "sent"
    if status in (404, 410):
        return "gone"
    return "later" if status == 429 or status >= 500 else "refused"
