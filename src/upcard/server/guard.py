"""The guard: looks at every request before the tables see it, and at every answer before it leaves.

It is middleware for any ASGI application. Below it is the door (door.py), where bytes become requests.
"""

from __future__ import annotations

__all__ = ["STRICT", "Guard", "Visit", "visit_of"]

import asyncio
import functools
import ipaddress
import re
import time
from collections.abc import Callable, Sequence
from typing import Final

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from upcard.core.entropy import random_bytes
from upcard.server.config import UNIX, Settings
from upcard.server.limits import DO, LOOK, Limits
from upcard.server.people import Headers, People, Person, bearer, cookies, headers_of
from upcard.server.problems import (
    BadRequest,
    NotJson,
    Problem,
    TooLarge,
    TooSlow,
    WrongOrigin,
    told,
)

# On every answer that does not say otherwise itself.
STRICT: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
LOOKING: Final = ("GET", "HEAD")
WITH_JSON: Final = ("POST", "PUT", "PATCH")

# The record of a long game is longer than any command, by so many times.
WITH_RECORDS: Final = ("/api/replay", "/api/branch")
RECORD: Final = 32

# So many seconds has a body to arrive.
BODY_SECONDS: Final = 10.0

# For the log: there was nobody left to answer.
GONE: Final = 499


# Numbers for requests, many from one system call. They cannot be guessed all the same: whoever could work out
# the next ones would know from their own how many requests others have sent in between.
_numbers: list[str] = []


def _number() -> str:
    try:
        return _numbers.pop()
    except IndexError:
        first, *others = re.findall("." * 16, random_bytes("requests", 8 * 512).hex())
        _numbers.extend(others)
        return str(first)


class Visit:
    """One request, from the door to the end of its answer."""

    __slots__ = ("address", "body", "id", "person", "proxied", "scope", "seconds", "status")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.id = _number()
        # Where it comes from, as far as limits care: all of an IPv6 network is one.
        self.address = UNIX
        # Whether a proxy that we trust has told us so.
        self.proxied = False
        self.person: Person | None = None
        self.body = b""
        # 0 while there is no answer.
        self.status = 0
        self.seconds = 0.0

    @property
    def method(self) -> str:
        """What is to be done, as HTTP has it."""
        return str(self.scope["method"])

    @property
    def route(self) -> str | None:
        """The pattern of the address, such as /tables/{table}; None if nothing is there."""
        return getattr(self.scope.get("route"), "path", None)


def visit_of(asking: Scope | HTTPConnection) -> Visit:
    """Return what the guard knows of a request."""
    scope = asking.scope if isinstance(asking, HTTPConnection) else asking
    visit: Visit = scope["upcard"]
    return visit


class Guard:
    """Stands before an application. Everybody in `seen` is told of every visit when it is over."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        people: People,
        limits: Limits,
        seen: Sequence[Callable[[Visit], None]] = (),
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self.app = app
        self._people = people
        self._limits = limits
        self._seen = seen
        self._max_body = settings.max_body
        self._body_seconds = body_seconds
        self._origins = {origin.lower() for origin in settings.origins}
        self._proxies = [ipaddress.ip_network(proxy) for proxy in settings.proxies if proxy != UNIX]
        self._trusts = functools.lru_cache(1024)(self._is_proxy)
        self._trusts_unix = UNIX in settings.proxies
        self._accepts = functools.lru_cache(256)(self._is_ours)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._visit(Visit(scope), receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            await self.app(scope, receive, send)

    async def _visit(self, visit: Visit, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        scope = visit.scope
        scope["upcard"] = visit
        answer = _Answer(visit, send)
        try:
            headers = headers_of(scope)
            self._look_at(visit, headers)
            if scope["method"] not in LOOKING or _has_body(headers):
                receive = await self._take_body(visit, headers, receive)
            await self.app(scope, receive, answer)
        except (ClientDisconnect, _EnoughError):
            pass
        except Exception as error:
            await self._refuse(error, visit, answer)
        finally:
            visit.seconds = time.perf_counter() - started
            visit.status = visit.status or GONE
            for see in self._seen:
                see(visit)
            # Each knows the other. Apart they are forgotten at once, and not by looking for garbage.
            del scope["upcard"]

    async def _refuse(self, error: Exception, visit: Visit, answer: _Answer) -> None:
        """Answer with a problem, unless another answer has begun: then the server breaks the connection."""
        problem = told(error, visit.id)
        if visit.status == 0:
            await problem.response()(visit.scope, _nothing, answer)

    # What is looked at

    def _look_at(self, visit: Visit, headers: Headers) -> None:
        """Find out who asks, and whether they may ask at all."""
        method = visit.scope["method"]
        looking = method in LOOKING
        self._find_address(visit, headers)
        self._limits.ask_from(visit.address, LOOK if looking else DO)
        token, shown = bearer(headers), cookies(headers)
        if not looking:
            self._check_origin(visit, headers, needed=token is None and bool(shown))
        if token is not None or shown:
            visit.person = self._people.who(token, shown)
            if visit.person is not None:
                self._limits.ask_by(visit.person.mark, LOOK if looking else DO)
        if method in WITH_JSON and not _is_json(headers):
            raise NotJson("send JSON, with the header Content-Type: application/json")

    def _find_address(self, visit: Visit, headers: Headers) -> None:
        peer = visit.scope.get("client")
        address = peer[0] if peer else UNIX
        if self._trusts_unix if address == UNIX else self._proxies and self._trusts(address):
            visit.proxied = True
            address = self._forwarded(headers) or address
            scheme = headers.get(b"x-forwarded-proto", b"").decode("latin-1").lower()
            if scheme in ("http", "https"):
                visit.scope["scheme"] = scheme
        visit.address = _network(address) if ":" in address else address

    def _forwarded(self, headers: Headers) -> str | None:
        """Return for whom proxies ask. Each adds at the end by whom it was asked, and what is before the
        first one that we do not trust could be anything."""
        found = None
        for part in reversed(headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")):
            address = _without_port(part.strip())
            if address is None:
                break
            found = address
            if not self._trusts(address):
                break
        return found

    def _is_proxy(self, address: str) -> bool:
        try:
            read = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(read in network for network in self._proxies)

    def _check_origin(self, visit: Visit, headers: Headers, needed: bool) -> None:
        """Refuse what pages of other sites send. A browser shows our cookie for them, too, but it says where
        they are from."""
        origin = headers.get(b"origin")
        if origin is None:
            if needed:
                raise WrongOrigin("who shows a cookie has to say where they come from, by the header Origin")
            return
        host = headers.get(b"host", b"")
        if visit.proxied:
            host = headers.get(b"x-forwarded-host", host)
        if not self._accepts(origin, host, visit.scope.get("scheme", "http")):
            raise WrongOrigin("pages of other sites have no access to this server")

    def _is_ours(self, page: bytes, to: bytes, ours: str) -> bool:
        origin, host = page.decode("latin-1").lower(), to.decode("latin-1").lower()
        if origin in self._origins:
            return True
        scheme, _, site = origin.partition("://")
        # A proxy of which we were not told may add the s, but nobody takes it away.
        right_scheme = scheme == ours or (scheme, ours) == ("https", "http")
        name = _site(site, scheme)
        return right_scheme and name != "" and name == _site(host, ours)

    # The body

    async def _take_body(self, visit: Visit, headers: Headers, receive: Receive) -> Receive:
        """Take in a body, if it is not too large and comes in time, and return how to read it again."""
        most = self._max_body * (RECORD if visit.scope["path"] in WITH_RECORDS else 1)
        _check_length(headers.get(b"content-length"), most)
        door = visit.scope.get("upcard.door")
        if door is not None and door.has_all_of(visit.scope):
            visit.body = await _read(receive, most)  # nobody has to wait, or to watch how long
        else:
            try:
                async with asyncio.timeout(self._body_seconds):
                    visit.body = await _read(receive, most)
            except TimeoutError:
                raise TooSlow("the body did not arrive in time", headers=CLOSE) from None
        waiting: list[Message] = [{"type": "http.request", "body": visit.body, "more_body": False}]

        async def again() -> Message:
            return waiting.pop() if waiting else await receive()

        return again


def _check_length(length: bytes | None, most: int) -> None:
    if length is not None:
        if not length.isdigit():
            raise BadRequest("Content-Length should be a number", headers=CLOSE)
        if len(length) > 12 or int(length) > most:
            raise _too_large(most)


async def _read(receive: Receive, most: int) -> bytes:
    body = bytearray()
    has_more = True
    while has_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if len(body) > most:
            raise _too_large(most)
        has_more = message.get("more_body", False)
    return bytes(body)


def _too_large(most: int) -> Problem:
    return TooLarge(f"the body may have {most} bytes", headers=CLOSE)


# Whoever is still sending is not listened to any more.
CLOSE: Final = {"Connection": "close"}


class _EnoughError(OSError):
    """Nobody reads the rest of this answer."""


class _Answer:
    """Sends an answer on, with strict headers."""

    __slots__ = ("_is_head", "_send", "_visit")

    def __init__(self, visit: Visit, send: Send) -> None:
        self._visit = visit
        self._send = send
        self._is_head = visit.scope["method"] == "HEAD"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._visit.status = message["status"]
            headers = list(message.get("headers", ()))
            names = {name for name, _ in headers}
            headers.extend([pair for pair in STRICT if pair[0] not in names])
            headers.append((b"x-request-id", self._visit.id.encode()))
            message["headers"] = headers
        elif self._is_head and message.get("more_body", False):
            # What would be sent little by little, perhaps for hours, has no end to wait for.
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            raise _EnoughError
        await self._send(message)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


def _has_body(headers: Headers) -> bool:
    return b"content-length" in headers or b"transfer-encoding" in headers


def _is_json(headers: Headers) -> bool:
    kind, _, _ = headers.get(b"content-type", b"").partition(b";")
    return kind.strip().lower() == b"application/json"


def _site(host: str, scheme: str) -> str:
    """Return a host as an origin has it: without the port that everybody expects."""
    return host.removesuffix(":443" if scheme == "https" else ":80")


def _without_port(text: str) -> str | None:
    """Return an address without the port that some proxies add, None if it is none."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        return None


@functools.lru_cache(4096)
def _network(address: str) -> str:
    """Return what counts as one address: whoever has one of IPv6 has 2**64 of them."""
    try:
        read = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if read.ipv4_mapped is not None:
        return str(read.ipv4_mapped)
    return str(read) if read.is_loopback else str(ipaddress.ip_network((read, 64), strict=False))
