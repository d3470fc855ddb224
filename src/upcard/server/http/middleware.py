"""Middleware that checks every request before it reaches the tables, and every response before it leaves.

It works with any ASGI application. protocol.py, below it, turns bytes into requests.
"""

from __future__ import annotations

__all__ = ["SECURITY_HEADERS", "RequestMiddleware", "without_port"]

import asyncio
import functools
import ipaddress
import socket
import time
from collections.abc import Callable, Sequence
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from upcard.server.config import UNIX, Settings
from upcard.server.http.bodies import BODY_SECONDS, CLOSE, check_length, drain, read_body
from upcard.server.http.identity import Authenticator, Headers, bearer, has_cookie, headers_of
from upcard.server.http.problems import (
    Banned,
    NotJson,
    TooSlow,
    WrongHost,
    WrongOrigin,
    told,
)
from upcard.server.http.rate_limit import READ_COST, WRITE_COST, RateLimits
from upcard.server.http.request_context import RequestContext
from upcard.server.runtime.policy import PolicyRules

# Headers that browsers read only from the response that contains the page.
ONLY_FOR_PAGES: Final = frozenset({b"permissions-policy"})
# Headers of every response that does not set them itself.
SECURITY_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)
# Top-level domains that do not exist in the public DNS.
LOCAL_NAMES: Final = (".local", ".localhost", ".lan", ".internal", ".home.arpa")
SAFE_METHODS: Final = ("GET", "HEAD")
JSON_METHODS: Final = ("POST", "PUT", "PATCH")

# Versioned paths besides /static/, with the version in the query.
VERSIONED: Final = ("/words/", "/positions/", "/offers.json")

# How many times larger than a command the record of a long game may be.
WITH_RECORDS: Final = ("/api/branch",)
RECORD: Final = 32

# Logged when the client has gone before the answer.
CLIENT_CLOSED_REQUEST: Final = 499


class RequestMiddleware:
    """Wraps an application. The observers are called with every finished request."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        people: Authenticator,
        limits: RateLimits,
        observers: Sequence[Callable[[RequestContext], None]] = (),
        body_seconds: float = BODY_SECONDS,
        policy: PolicyRules | None = None,
    ) -> None:
        self.app = app
        self._people = people
        self._policy = policy or PolicyRules()
        self._limits = limits
        self._observers = observers
        self._max_body = settings.max_body
        self._body_seconds = body_seconds
        self._origins = {origin.lower() for origin in settings.origins}
        self._proxies = [ipaddress.ip_network(proxy) for proxy in settings.proxies if proxy != UNIX]
        self._trusts = functools.lru_cache(1024)(self._is_proxy)
        self._trusts_unix = UNIX in settings.proxies
        own = {socket.gethostname(), settings.host, *settings.hosts}
        own |= {origin.partition("://")[2] for origin in settings.origins}
        self._names = {without_port(name).lower() for name in own}
        self._is_named = functools.lru_cache(256)(self._is_own_name)
        self._accepts = functools.lru_cache(256)(self._is_ours)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._handle(RequestContext(scope), receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
        else:
            await self.app(scope, receive, send)

    async def _handle(self, context: RequestContext, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        scope = context.scope
        scope["upcard"] = context
        answer = _Answer(context, send)
        try:
            headers = headers_of(scope)
            self._check(context, headers)
            if scope["method"] not in SAFE_METHODS or _has_body(headers):
                receive = await self._take_body(context, headers, receive)
            await self.app(scope, receive, answer)
        except (ClientDisconnect, _EnoughError):
            pass
        except Exception as error:
            await self._refuse(error, context, receive, answer)
        finally:
            context.seconds = time.perf_counter() - started
            context.status = context.status or CLIENT_CLOSED_REQUEST
            for observe in self._observers:
                observe(context)
            # Break the reference cycle, so that both are freed right away instead of by the garbage
            # collector.
            del scope["upcard"]

    async def _refuse(
        self, error: Exception, context: RequestContext, receive: Receive, answer: _Answer
    ) -> None:
        """Answer with a problem, unless a response has already begun: then the server breaks the
        connection."""
        problem = told(error, context.id)
        context.problem = problem.type
        if context.status != 0:
            return
        if problem.headers.get("Connection") != "close" or context.has_whole_body:
            await problem.response()(context.scope, _nothing, answer)
            return
        # The connection will be closed. A proxy that is still sending the body would take that for a failure
        # of the server, so the response ends only when the rest has arrived, or after a while.
        response = problem.response()
        await answer(
            {"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers}
        )
        await answer({"type": "http.response.body", "body": bytes(response.body), "more_body": True})
        await drain(receive)
        await answer({"type": "http.response.body", "body": b"", "more_body": False})

    # Checks

    def _check(self, context: RequestContext, headers: Headers) -> None:
        """Identify the sender, and check whether the request is allowed at all."""
        method = context.scope["method"]
        looking = method in SAFE_METHODS
        self._find_address(context, headers)
        host = headers.get(b"host", b"")
        if context.proxied:
            host = headers.get(b"x-forwarded-host", host)
        context.host = host.decode("latin-1")
        if not (context.proxied or self._is_named(context.host)):
            raise WrongHost(
                f"this server is not known as {context.host!r:.80}: add the name to its setting 'hosts', "
                "or the address of the proxy to 'proxies'"
            )
        cost = 0.0 if looking and _is_versioned(context.scope) else READ_COST if looking else WRITE_COST
        self._limits.charge(context.address, cost)
        if not looking:
            self._check_origin(context, headers, needed=has_cookie(headers) and bearer(headers) is None)
        context.sender = self._people.identify(headers, context.scope.get("scheme") == "https")
        mark = None if context.person is None else context.person.mark
        if mark is not None:
            self._limits.charge_person(mark, cost)
        if context.scope["path"].startswith("/api/") and self._policy.is_banned(mark, context.address):
            raise Banned("the operator of this server has banned you")
        if method in JSON_METHODS and not _is_json(headers):
            raise NotJson("send JSON, with the header Content-Type: application/json")

    def _find_address(self, context: RequestContext, headers: Headers) -> None:
        peer = context.scope.get("client")
        address = peer[0] if peer else UNIX
        if self._trusts_unix if address == UNIX else self._proxies and self._trusts(address):
            context.proxied = True
            address = self._forwarded(headers) or address
            scheme = headers.get(b"x-forwarded-proto", b"").decode("latin-1").lower()
            if scheme in ("http", "https"):
                context.scope["scheme"] = scheme
        context.address = _network(address) if ":" in address else address

    def _forwarded(self, headers: Headers) -> str | None:
        """Return the client behind proxies. Each proxy appends the address that it was called from; anything
        before the first untrusted one may be forged."""
        found = None
        for part in reversed(headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")):
            address = _without_port(part.strip())
            if address is None:
                break
            found = address
            if not self._trusts(address):
                break
        return found

    def _is_own_name(self, host: str) -> bool:
        """Whether a Host header names this server.

        Another site can point its name at our address (DNS rebinding), and browsers then take us for that
        site. An IP address, or a name that exists only in local networks, cannot be another site's name.
        """
        name = without_port(host).lower().removesuffix(".")
        return "." not in name or name.endswith(LOCAL_NAMES) or name in self._names or _is_address(name)

    def _is_proxy(self, address: str) -> bool:
        try:
            read = ipaddress.ip_address(address)
        except ValueError:
            return False
        # A dual-stack socket reports an IPv4 address as ::ffff:192.0.2.1.
        read = getattr(read, "ipv4_mapped", None) or read
        return any(read in network for network in self._proxies)

    def _check_origin(self, context: RequestContext, headers: Headers, needed: bool) -> None:
        """Refuse requests from pages of other sites. Browsers send our cookie with them too, but also their
        origin."""
        origin = headers.get(b"origin")
        if origin is None:
            if needed:
                raise WrongOrigin("a request with a cookie needs the header Origin")
            return
        if not self._accepts(origin, context.host, context.scope.get("scheme", "http")):
            raise WrongOrigin("pages of other sites have no access to this server")

    def _is_ours(self, page: bytes, to: str, ours: str) -> bool:
        origin, host = page.decode("latin-1").lower(), to.lower()
        if origin in self._origins:
            return True
        scheme, _, site = origin.partition("://")
        # An unknown proxy may have turned http into https, but never the other way round.
        right_scheme = scheme == ours or (scheme, ours) == ("https", "http")
        name = _site(site, scheme)
        return right_scheme and name != "" and name == _site(host, ours)

    # The body

    async def _take_body(self, context: RequestContext, headers: Headers, receive: Receive) -> Receive:
        """Read a body, if it is not too large and arrives in time, and return a function that replays it."""
        most = self._max_body * (RECORD if context.scope["path"] in WITH_RECORDS else 1)
        check_length(headers.get(b"content-length"), most)
        door = context.scope.get("upcard.protocol")
        if door is not None and door.has_all_of(context.scope):
            context.body = await read_body(receive, most)  # no waiting, and no timer
        else:
            try:
                async with asyncio.timeout(self._body_seconds):
                    context.body = await read_body(receive, most)
            except TimeoutError:
                raise TooSlow("the body did not arrive in time", headers=CLOSE) from None
        context.has_whole_body = True
        waiting: list[Message] = [{"type": "http.request", "body": context.body, "more_body": False}]

        async def again() -> Message:
            return waiting.pop() if waiting else await receive()

        return again


class _EnoughError(OSError):
    """Raised to stop a stream that answers a HEAD request."""


# Browsers log every response with an error status to their console, even an ordinary refusal. Our pages send
# this header and read the status from the body.
STATUS_HEADER = b"upcard-status"
ORDINARY = (404, 409, 422)


class _Answer:
    """Sends a response with strict headers."""

    __slots__ = ("_context", "_is_head", "_send")

    def __init__(self, context: RequestContext, send: Send) -> None:
        self._context = context
        self._send = send
        self._is_head = context.scope["method"] == "HEAD"

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._context.status = message["status"]
            if message["status"] in ORDINARY and (STATUS_HEADER, b"body") in self._context.scope["headers"]:
                message["status"] = 200
            headers = list(message.get("headers", ()))
            names = {name for name, _ in headers}
            # A versioned file is one of the many parts of a page, and leaves out the headers that only pages
            # need.
            if any(name == b"cache-control" and b"immutable" in value for name, value in headers):
                names |= ONLY_FOR_PAGES
            # Nobody else may be sent a copy of a renewed cookie, so it is only in responses that no cache
            # keeps. A response that gives the sender another identity does not renew the old one.
            if b"set-cookie" not in names and (
                b"cache-control" not in names or (b"cache-control", b"no-store") in headers
            ):
                headers.extend(self._context.sender.renewal)
            headers.extend([pair for pair in SECURITY_HEADERS if pair[0] not in names])
            headers.append((b"x-request-id", self._context.id.encode()))
            message["headers"] = headers
        elif self._is_head and message.get("more_body", False):
            # A stream may last for hours, so there is no end to wait for.
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            raise _EnoughError
        await self._send(message)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}


def _is_versioned(scope: Scope) -> bool:
    """Whether a request is for a file that browsers cache. These are in memory here, and a page has dozens of
    them."""
    path: str = scope["path"]
    return path.startswith(("/static/", "/books/")) or (
        path.startswith(VERSIONED) and scope["query_string"].startswith(b"v=")
    )


def _has_body(headers: Headers) -> bool:
    return b"content-length" in headers or b"transfer-encoding" in headers


def _is_json(headers: Headers) -> bool:
    kind, _, _ = headers.get(b"content-type", b"").partition(b";")
    return kind.strip().lower() == b"application/json"


def _site(host: str, scheme: str) -> str:
    """Return a host as in an origin, without the default port."""
    return host.removesuffix(":443" if scheme == "https" else ":80")


def without_port(host: str) -> str:
    """Return a host without its port, and an IPv6 address without its brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _without_port(text: str) -> str | None:
    """Return an address without the port that some proxies add, None if it is not an address."""
    try:
        return str(ipaddress.ip_address(without_port(text)))
    except ValueError:
        return None


@functools.lru_cache(4096)
def _network(address: str) -> str:
    """Return the network that counts as one address: a client with one IPv6 address has 2**64 of them."""
    try:
        read = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if read.ipv4_mapped is not None:
        return str(read.ipv4_mapped)
    return str(read) if read.is_loopback else str(ipaddress.ip_network((read, 64), strict=False))
