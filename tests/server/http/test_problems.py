"""Problems: every error becomes one that a program can read, and none reveals too much."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import msgspec
import pytest
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

import upcard
from upcard.core.errors import FieldError, UpcardError
from upcard.games import GAMES
from upcard.server.app import App
from upcard.server.config import Settings
from upcard.server.http import problems
from upcard.server.http.identity import Authenticator
from upcard.server.http.middleware import RequestMiddleware
from upcard.server.http.problems import NotFound, Problem, Stopping, TooMany, problem_of, told
from upcard.server.http.rate_limit import RateLimits
from upcard.server.signing_keys import fixed_keys

KINDS = [
    kind
    for kind in vars(problems).values()
    if isinstance(kind, type) and issubclass(kind, Problem) and kind not in (Problem, problems.Later)
]


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    bot: str | None = None


class Open(msgspec.Struct, forbid_unknown_fields=True):
    seats: list[Seat]


def read(text: bytes) -> Problem:
    """Return the problem that a client gets for the body of a request."""
    with pytest.raises(msgspec.DecodeError) as error:
        msgspec.json.decode(text, type=Open)
    problem = problem_of(error.value)
    assert problem is not None
    return problem


def body(response: Response) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(bytes(response.body))
    return decoded


def test_the_types_of_problems_are_a_promise() -> None:
    assert {kind.__name__: (kind.status, kind.type) for kind in KINDS} == {
        "BadJson": (400, "bad-json"),
        "Banned": (403, "banned"),
        "BadRequest": (400, "bad-request"),
        "CommandIdReused": (400, "command-id-reused"),
        "HeadTooLarge": (431, "too-large"),
        "Internal": (500, "internal"),
        "MethodNotAllowed": (405, "method-not-allowed"),
        "NotFound": (404, "not-found"),
        "NotJson": (415, "not-json"),
        "NotYours": (403, "not-yours"),
        "Overloaded": (503, "overloaded"),
        "SessionNeeded": (401, "session-needed"),
        "Stopping": (503, "stopping"),
        "TokenExpired": (401, "token-expired"),
        "TooLarge": (413, "too-large"),
        "TooMany": (429, "too-many"),
        "TooSlow": (408, "too-slow"),
        "Unauthorized": (401, "unauthorized"),
        "WrongHost": (421, "wrong-host"),
        "WrongOrigin": (403, "wrong-origin"),
    }


def test_a_problem_has_the_members_of_rfc_9457() -> None:
    for kind in KINDS:
        problem = kind("something is wrong", more=[1])
        assert isinstance(problem, UpcardError)
        assert str(problem) == "something is wrong"
        response = problem.response()
        assert response.status_code == problem.status
        assert response.headers["Content-Type"] == "application/problem+json"
        members = body(response)
        members.pop("retry_after", None)
        assert members == {
            "type": problem.type,
            "title": problem.title,
            "status": problem.status,
            "detail": "something is wrong",
            "more": [1],
        }
        assert problem.title


def test_a_client_that_comes_too_early_is_told_when_to_come_back() -> None:
    for wait, seconds in ((0.0, 1), (0.1, 1), (1.0, 1), (1.2, 2), (60.0, 60)):
        response = TooMany("not yet", wait=wait).response()
        assert response.headers["Retry-After"] == str(seconds)
        assert body(response)["retry_after"] == seconds
    assert Stopping("not now").response().headers["Retry-After"] == "1"


def test_a_field_that_is_wrong_is_named_by_its_path() -> None:
    for text, field in (
        (b"[]", "$"),
        (b"{}", "$"),
        (b'{"seats": 1}', "$.seats"),
        (b'{"seats": [{}, {"bot": 1}]}', "$.seats[1].bot"),
        (b'{"seats": [{"bat": "x"}]}', "$.seats[0]"),
    ):
        problem = read(text)
        assert (problem.status, problem.type, problem.members["field"]) == (400, "bad-request", field)
    assert read(b'{"seats": [{"bot": 1}]}').detail == "Expected `str | null`, got `int`, at $.seats[0].bot"


def test_a_body_that_is_not_json_is_distinguished_from_an_invalid_one() -> None:
    for text in (b"", b"{", b"\xff", b"no", b'{"seats": []} x', b'{"seats": [}'):
        problem = read(text)
        assert (problem.status, problem.type) == (400, "bad-json")


def test_client_input_is_not_repeated_at_length() -> None:
    problem = read(b'{"%s": 1}' % (b"x" * 10_000))
    assert len(problem.response().body) < 1000


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_of_a_game_is_passed_on_unchanged(game: str) -> None:
    match = upcard.new(game, seed=1)
    refused: list[Callable[[], object]] = [
        lambda: upcard.new(game, players=99),
        lambda: upcard.new(game + "x"),
        lambda: match.play("frob"),
        lambda: match.play(match.legal[0], seat=3 - (match.to_move or 0)),
    ]
    for do in refused:
        with pytest.raises(UpcardError) as error:
            do()
        problem = problem_of(error.value)
        assert problem is not None
        assert (problem.status, problem.type, problem.detail) == (400, "bad-request", str(error.value))


def test_errors_of_others_can_be_registered() -> None:
    class Full(Exception):
        pass

    assert problem_of(Full()) is None
    problem_of.register(Full, lambda error: problems.Overloaded(f"full of {error}"))
    assert told(Full("cards")).response().status_code == 503


def test_an_unexpected_error_is_logged_and_the_client_gets_only_its_number() -> None:
    secret = "what nobody should see"
    for error in (ValueError(secret), FieldError(secret), UpcardError(secret), RecursionError(secret)):
        with structlog.testing.capture_logs() as lines:
            response = told(error).response()
        assert response.status_code == 500
        assert secret.encode() not in response.body
        (line,) = lines
        assert line["exc_info"] is error
        assert line["incident"] == body(response)["incident"]
    with structlog.testing.capture_logs():
        assert told(ValueError(), "the number").members == {"incident": "the number"}


def app() -> App:
    def raising(error: Exception) -> Callable[[Request], Awaitable[Response]]:
        async def route(_request: Request) -> Response:
            raise error

        return route

    routes = [
        Route("/problem", raising(NotFound("no such table", table="x"))),
        Route("/broken", raising(ValueError("what nobody should see")), methods=["GET"]),
        Route("/teapot", raising(HTTPException(418, "short and stout", {"X-Tea": "green"}))),
        Route("/post", raising(ValueError()), methods=["POST", "DELETE", "PUT"]),
    ]
    settings, people = Settings(), Authenticator(fixed_keys(b"a key that is long enough to sign"))
    return App(
        Router(routes), lambda router: RequestMiddleware(router, settings, people, RateLimits(settings))
    )


def ask(method: str, path: str) -> httpx.Response:
    async def asking() -> httpx.Response:
        transport = httpx.ASGITransport(app())
        async with httpx.AsyncClient(transport=transport, base_url="http://cards.local") as client:
            return await client.request(method, path, headers={"Content-Type": "application/json"})

    with structlog.testing.capture_logs():
        return asyncio.run(asking())


def test_the_framework_answers_with_problems_too() -> None:
    for method, path, status, kind in (
        ("GET", "/nowhere", 404, "not-found"),
        ("GET", "/problem", 404, "not-found"),
        ("POST", "/broken", 405, "method-not-allowed"),
        ("OPTIONS", "/broken", 405, "method-not-allowed"),
        ("FROB", "/broken", 405, "method-not-allowed"),
        ("GET", "/teapot", 418, "about:blank"),
        ("GET", "/broken", 500, "internal"),
    ):
        response = ask(method, path)
        assert response.headers["Content-Type"] == "application/problem+json"
        assert response.status_code == response.json()["status"] == status
        assert response.json()["type"] == kind
        assert "what nobody should see" not in response.text
        assert "Traceback" not in response.text
    assert ask("GET", "/teapot").headers["X-Tea"] == "green"
    assert ask("GET", "/post").headers["Allow"] == "DELETE, POST, PUT"
