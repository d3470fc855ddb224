"""What the middleware knows about one request."""

from __future__ import annotations

__all__ = ["RequestContext", "context_of"]

import re

from starlette.requests import HTTPConnection
from starlette.types import Scope

from upcard.core.entropy import random_bytes
from upcard.server.config import UNIX
from upcard.server.http.identity import ANONYMOUS, Person

# Ids for requests, many from one system call. They cannot be guessed: a client that could predict the next
# ids would learn from its own how many requests others have sent in between.
_numbers: list[str] = []


def _number() -> str:
    try:
        return _numbers.pop()
    except IndexError:
        first, *others = re.findall("." * 16, random_bytes("requests", 8 * 512).hex())
        _numbers.extend(others)
        return str(first)


class RequestContext:
    """One request, from its arrival to the end of its response."""

    __slots__ = (
        "address",
        "body",
        "has_whole_body",
        "host",
        "id",
        "problem",
        "proxied",
        "scope",
        "seconds",
        "sender",
        "status",
    )

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.id = _number()
        # The address that limits count: a whole IPv6 network counts as one.
        self.address = UNIX
        # Whether a trusted proxy has named it.
        self.proxied = False
        # The host in links to this server.
        self.host = ""
        self.sender = ANONYMOUS
        # The type of the problem that it was answered with.
        self.problem: str | None = None
        self.body = b""
        self.has_whole_body = False
        # 0 until there is a response.
        self.status = 0
        self.seconds = 0.0

    @property
    def person(self) -> Person | None:
        """The person who has sent it, None for a stranger."""
        return self.sender.person

    @property
    def method(self) -> str:
        """The HTTP method."""
        return str(self.scope["method"])

    @property
    def route(self) -> str | None:
        """The pattern of the path, such as /tables/{table}; None if nothing is there."""
        return getattr(self.scope.get("route"), "path", None)


def context_of(request: Scope | HTTPConnection) -> RequestContext:
    """Return the context that the middleware has added to a request."""
    scope = request.scope if isinstance(request, HTTPConnection) else request
    context: RequestContext = scope["upcard"]
    return context
