"""Endpoints: their method, path and types, and the call that their handler gets."""

from __future__ import annotations

__all__ = ["ENDPOINTS", "Call", "Endpoint", "Services", "add", "charge_missed", "endpoint", "json_response"]

import functools
import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from upcard.server.http.identity import Authenticator, Person
from upcard.server.http.problems import TokenExpired
from upcard.server.http.rate_limit import RateLimits
from upcard.server.http.request_context import context_of
from upcard.server.metrics import Metrics
from upcard.server.runtime.tables import Tables
from upcard.server.runtime.watched_table import MAX_MISSED
from upcard.server.store import CommandKey

Method = Literal["GET", "POST"]

# The number of log entries that are prepared for a viewer in about a millisecond.
ENTRIES_PER_TOKEN = 20

_encode = msgspec.json.Encoder().encode


@dataclass
class Services:
    """The services that endpoints use."""

    key: bytes
    authenticator: Authenticator
    limits: RateLimits
    tables: Tables
    metrics: Metrics


class Call:
    """One request to an endpoint."""

    __slots__ = ("body", "is_new", "known", "request", "services")

    def __init__(self, request: Request, body: Any) -> None:
        self.services: Services = request.app.state.services
        self.request = request
        self.body = body
        # The sender, if the request has a valid token or cookie.
        self.known = context_of(request).person
        # Whether the response gives the sender an identity.
        self.is_new = False

    @property
    def person(self) -> Person:
        """The sender. A sender without an identity gets one, unless it has lost one without noticing."""
        if self.known is None:
            if context_of(self.request).sender.has_expired:
                raise TokenExpired(
                    "this session has run out: load the page again, and enter your recovery phrase"
                )
            return self.new_person()
        return self.known

    def new_person(self) -> Person:
        """Give the sender a new identity with the response."""
        person = self.services.authenticator.new()
        self.become(person)
        return person

    def become(self, person: Person) -> None:
        """Give the sender the identity of a person with the response."""
        self.known, self.is_new = person, True

    @property
    def mark(self) -> str | None:
        """The mark of the sender, None for a stranger."""
        return None if self.known is None else self.known.mark

    @property
    def key(self) -> CommandKey:
        """The key of the command in the body, by which a repeated command is carried out only once. A
        different request with the same id has a different digest and is refused."""
        request = self.request.url.path.encode() + b"\0" + _encode(self.body)
        return CommandKey(self.person.mark, self.body.id, hashlib.sha256(request).digest()[:16])

    @property
    def table(self) -> str:
        """The id of the table in the path."""
        return str(self.request.path_params["table"])

    @property
    def request_body(self) -> bytes:
        """The raw body."""
        return context_of(self.request).body

    @property
    def address(self) -> str:
        """The client address that rate limits count."""
        return context_of(self.request).address

    def charge(self, tokens: float) -> None:
        """Charge the address for more work than an ordinary request causes."""
        self.services.limits.charge(self.address, tokens)


async def charge_missed(call: Call, since: int) -> None:
    """Charge for the entries that a client has missed, before they are prepared."""
    actor = await call.services.tables.actor(call.table)
    missed = min(actor.state.seq - since, MAX_MISSED)
    if missed > 0:
        call.charge(missed / ENTRIES_PER_TOKEN)


Handler = Callable[[Call], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    """One endpoint. `answers` are its response types by status. If it `streams`, a request that does not ask
    for JSON gets server-sent events."""

    method: Method
    path: str
    handler: Handler
    summary: str
    request: type[msgspec.Struct] | None = None
    answers: dict[int, Any] = field(default_factory=dict)
    parameters: dict[str, tuple[Any, str]] = field(default_factory=dict)
    streams: bool = False

    @property
    def name(self) -> str:
        """Its operation id, derived from its path."""
        return re.sub(r"\W+", "_", self.path.replace("/api/", f"{self.method.lower()}/")).strip("_")

    @functools.cached_property
    def _decode(self) -> Callable[[bytes], Any] | None:
        return None if self.request is None else msgspec.json.Decoder(self.request).decode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        body = None if self._decode is None else self._decode(context_of(scope).body)
        call = Call(Request(scope, receive), body)
        response = await self.handler(call)
        if call.is_new:
            secure = call.request.url.scheme == "https"
            response.headers.append("set-cookie", call.services.authenticator.cookie(call.person, secure))
        await response(scope, receive, send)


ENDPOINTS: list[Endpoint] = []


def add(new: Endpoint) -> None:
    """Add an endpoint."""
    ENDPOINTS.append(new)


def endpoint(method: Method, path: str, summary: str, **about: Any) -> Callable[[Handler], Handler]:
    """Add an endpoint with the decorated handler."""

    def decorate(handler: Handler) -> Handler:
        add(Endpoint(method, path, handler, summary, **about))
        return handler

    return decorate


def json_response(content: object, status: int = 200) -> Response:
    """Return a response with JSON."""
    return Response(_encode(content), status, media_type="application/json")
