"""All errors that clients are sent: problem details (RFC 9457), never HTML, never a traceback."""

from __future__ import annotations

__all__ = [
    "BadJson",
    "BadRequest",
    "Banned",
    "CommandIdReused",
    "HeadTooLarge",
    "Internal",
    "Later",
    "MethodNotAllowed",
    "NotFound",
    "NotJson",
    "NotYours",
    "Overloaded",
    "Problem",
    "SessionNeeded",
    "Stopping",
    "TokenExpired",
    "TooLarge",
    "TooMany",
    "TooSlow",
    "Unauthorized",
    "WrongHost",
    "WrongOrigin",
    "problem_of",
    "told",
]

import functools
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
import structlog
from starlette.exceptions import HTTPException
from starlette.responses import Response

from upcard.core.entropy import random_bytes
from upcard.core.errors import (
    GameOver,
    NotationError,
    OptionError,
    RecordError,
    Refused,
    UnknownGame,
    UpcardError,
)
from upcard.server import store
from upcard.server.outages import report_outage
from upcard.server.runtime.errors import NoSuchTable, ShuttingDown, TooManyStreams

# An answer may quote what a client sent, but not at length.
MAX_DETAIL = 300


class Problem(UpcardError):
    """Why a request failed. Programs rely on `type`, which never changes; `members` are further fields."""

    status = 400
    type = "bad-request"
    title = "The request makes no sense here"

    def __init__(self, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.detail = detail[:MAX_DETAIL]
        self.headers = dict(headers or {})
        self.members = members

    def response(self) -> Response:
        """Return it as a response."""
        told = {"type": self.type, "title": self.title, "status": self.status, "detail": self.detail}
        body = msgspec.json.encode(told | self.members)
        return Response(body, self.status, self.headers, "application/problem+json")


class BadRequest(Problem):
    """The request names something that does not exist in this form: a field, an option, a game, a move."""


class BadJson(Problem):
    """The body is not JSON at all."""

    type = "bad-json"
    title = "The body is not JSON"


class Unauthorized(Problem):
    """The bearer token is not one of ours."""

    status = 401
    type = "unauthorized"
    title = "Nobody is known by this token"

    def __init__(self, detail: str, **members: Any) -> None:
        super().__init__(detail, headers={"WWW-Authenticate": "Bearer"}, **members)


class TokenExpired(Unauthorized):
    """The sender's token or cookie has run out."""

    type = "token-expired"
    title = "This session has run out"


class SessionNeeded(Problem):
    """The client has no session yet, and this request needs one. The response sets a cookie."""

    status = 401
    type = "session-needed"
    title = "A session is needed first"


class CommandIdReused(Problem):
    """The client has sent this command id before, with another request."""

    type = "command-id-reused"
    title = "This id belongs to another command"


class NotYours(Problem):
    """Someone else may do this, but not this client."""

    status = 403
    type = "not-yours"
    title = "This is for someone else"


class Banned(Problem):
    """The operator has banned this person or address."""

    status = 403
    type = "banned"
    title = "You are banned"


class WrongHost(Problem):
    """The Host header names another server, perhaps another site that points at our address."""

    status = 421
    type = "wrong-host"
    title = "This server is not known by this name"


class WrongOrigin(Problem):
    """A page of another site sent the request."""

    status = 403
    type = "wrong-origin"
    title = "The request comes from another site"


class NotFound(Problem):
    """There is nothing here, or nothing that this client may know of."""

    status = 404
    type = "not-found"
    title = "There is nothing here"


class MethodNotAllowed(Problem):
    """The address exists, but not for this method."""

    status = 405
    type = "method-not-allowed"
    title = "This cannot be done here"


class TooSlow(Problem):
    """The body did not arrive in time."""

    status = 408
    type = "too-slow"
    title = "The request took too long to arrive"


class TooLarge(Problem):
    """The body is larger than any legitimate request."""

    status = 413
    type = "too-large"
    title = "The request is too large"


class HeadTooLarge(TooLarge):
    """The head is larger than that of any legitimate request."""

    status = 431


class NotJson(Problem):
    """The body does not say that it is JSON."""

    status = 415
    type = "not-json"
    title = "The body has to be application/json"


class Internal(Problem):
    """An error in the server. The log has the details under the `incident`."""

    status = 500
    type = "internal"
    title = "The server made a mistake"


class Later(Problem):
    """A request that may succeed `wait` seconds later."""

    status = 503

    def __init__(self, detail: str, *, wait: float = 1.0, **members: Any) -> None:
        seconds = max(1, math.ceil(wait))
        super().__init__(detail, headers={"Retry-After": str(seconds)}, retry_after=seconds, **members)


class TooMany(Later):
    """The client has exceeded its limits."""

    status = 429
    type = "too-many"
    title = "Too many requests"


class Overloaded(Later):
    """All clients together ask for more than the server can do."""

    type = "overloaded"
    title = "The server has too much to do"


class Stopping(Later):
    """The server is about to stop or restart."""

    type = "stopping"
    title = "The server is stopping"


@functools.singledispatch
def problem_of(error: Exception) -> Problem | None:
    """Return the problem for an error, None for an unexpected one.

    Other modules can register their own errors.
    """
    return None


@problem_of.register
def _known(error: Problem) -> Problem:
    return error


@problem_of.register(GameOver)
@problem_of.register(NotationError)
@problem_of.register(OptionError)
@problem_of.register(RecordError)
@problem_of.register(Refused)
@problem_of.register(UnknownGame)
def _refused(error: UpcardError) -> Problem:
    return BadRequest(str(error))


@problem_of.register
def _code_used(_error: store.CodeUsed) -> Problem:
    return NotFound("this code was used, has expired, or was never given out")


@problem_of.register
def _id_reused(_error: store.CommandIdReused) -> Problem:
    return CommandIdReused("the id was sent before, with another command: choose a new id for each command")


@problem_of.register
def _not_json(error: msgspec.DecodeError) -> Problem:
    return BadJson(f"the body cannot be read: {error}")


@problem_of.register
def _not_valid(error: msgspec.ValidationError) -> Problem:
    """Name the invalid field, which the library puts at the end of its sentence."""
    text, _, rest = str(error).rpartition(" - at `")
    if not text:
        return BadRequest(str(error), field="$")
    # The client chooses the names in this path, so it can be long.
    field = rest.rstrip("`")[:MAX_DETAIL]
    return BadRequest(f"{text}, at {field}", field=field)


@problem_of.register
def _by_status(error: HTTPException) -> Problem:
    """Translate errors of the framework: an address or a method that does not exist."""
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.NOT_FOUND:
        return NotFound("there is nothing at this address", headers=headers)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        # Starlette lists them in the order of a set. The same request should always get the same bytes.
        allowed = ", ".join(sorted(headers.get("Allow", "").split(", ")))
        return MethodNotAllowed(f"this address is for {allowed}", headers={"Allow": allowed})
    problem = Problem(error.detail, headers=headers)
    problem.status, problem.title = error.status_code, HTTPStatus(error.status_code).phrase
    # The type that RFC 9457 defines for problems that are fully described by their status.
    problem.type = "about:blank"
    return problem


@problem_of.register
def _no_text(error: UnicodeDecodeError) -> Problem:
    return BadJson(f"the body is not text in UTF-8: {error.reason}")


@problem_of.register
def _too_much_to_write(error: store.Overloaded) -> Problem:
    return Overloaded(str(error))


@problem_of.register
def _database_is_ill(error: store.StoreError) -> Problem:
    """The message of the error is for the operator, since it names files and addresses."""
    report_outage(str(error))
    return Overloaded("the tables cannot be written or read now; try again in a moment")


@problem_of.register
def _no_such_table(error: NoSuchTable) -> Problem:
    return NotFound(str(error))


@problem_of.register
def _too_many_streams(error: TooManyStreams) -> Problem:
    return TooMany(str(error))


@problem_of.register
def _shutting_down(error: ShuttingDown) -> Problem:
    return Stopping(str(error))


def told(error: Exception, incident: str | None = None) -> Problem:
    """Return the problem for any error. An unexpected one is logged in full, and the client gets only the
    number of the log entry."""
    problem = problem_of(error)
    if problem is None:
        incident = incident or random_bytes("incident", 8).hex()
        structlog.get_logger().error("unexpected error", incident=incident, exc_info=error)
        problem = Internal("this should not have happened; it is written down", incident=incident)
    return problem
