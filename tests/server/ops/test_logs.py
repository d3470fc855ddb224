"""The log: one line for every request, without secrets, and without delaying anything."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import logging
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace as Namespace
from typing import Any

import httpx
import pytest
import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router

from upcard.match import new_seed
from upcard.server.app import App
from upcard.server.config import Settings
from upcard.server.http import middleware
from upcard.server.http.identity import Authenticator, new_code, new_table_code
from upcard.server.http.middleware import RequestMiddleware
from upcard.server.http.rate_limit import RateLimits
from upcard.server.ops import logs
from upcard.server.ops.logs import HIDDEN, Log, hide
from upcard.server.signing_keys import signing_keys


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Reset logging after a test, and silence the client's own log. The log under test is written to its end,
    however long that takes."""
    monkeypatch.setattr(logging.getLogger("httpx"), "disabled", True)
    monkeypatch.setattr(logs, "FAREWELL", None)
    yield
    structlog.reset_defaults()


class Notebook(io.BytesIO):
    """A file whose contents a test can read."""

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


def hidden(**event: Any) -> dict[str, Any]:
    return dict(hide(None, "info", event))


# Requests


class House:
    """A server that logs."""

    def __init__(self, log: Log, settings: Settings) -> None:
        self.people = Authenticator(signing_keys(settings))
        routes = [
            Route("/tables/{table}", self.table, methods=["GET", "POST"]),
            Route("/codes/{code}", self.table),
            Route("/broken", self.broken, methods=["GET", "POST"]),
        ]
        limits = RateLimits(settings)
        self.app = App(
            Router(routes),
            lambda app: RequestMiddleware(app, settings, self.people, limits, [log.request_finished]),
        )

    async def table(self, request: Request) -> Response:
        person = self.people.new()
        return JSONResponse({}, headers={"Set-Cookie": self.people.cookie(person, secure=False)})

    async def broken(self, request: Request) -> Response:
        """Fail with a message full of secrets, as careless code might."""
        body = (await request.body()).decode()
        structlog.get_logger().warning("careless", headers=dict(request.headers), body=body)
        logging.getLogger("library").error("careless %s", dict(request.headers))
        raise ValueError(f"careless: {dict(request.headers)} {request.url} {body}")

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def asking() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://cards.local") as browser:
                return await browser.request(method, path, **more)

        return asyncio.run(asking())


def test_a_request_is_one_line_with_all_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    # The times at which a request begins and ends.
    monkeypatch.setattr(middleware, "time", Namespace(perf_counter=itertools.cycle([5.0, 5.25]).__next__))
    clock = Namespace(time=lambda: 1.75, gmtime=time.gmtime, strftime=time.strftime)
    monkeypatch.setattr(logs, "time", clock)
    settings, file = Settings(secret="x" * 40), Notebook()
    table = "x" * 16
    with Log(settings, file) as log:
        house = House(log, settings)
        ann = house.people.new()
        headers = {"Authorization": f"Bearer {house.people.token(ann)}"}
        answer = house.ask("GET", f"/tables/{table}?since=7", headers=headers)
        house.ask("GET", "/nowhere")
    first, second = file.lines
    assert first == {
        "time": "1970-01-01T00:00:01.750Z",
        "level": "info",
        "event": "request",
        "method": "GET",
        "path": f"/tables/{table}",
        "status": 200,
        "ms": 250.0,
        "person": ann.mark[:8],
        "request": answer.headers["X-Request-Id"],
    }
    assert (second["path"], second["status"], second["person"]) == ("/nowhere", 404, None)


@pytest.mark.parametrize("form", ["json", "text"])
def test_tokens_cookies_secrets_and_codes_are_in_no_line(form: Any) -> None:
    settings, file = (
        Settings(secret="Zx9-the-key-with-which-all-is-signed", log=form, log_level="debug"),
        Notebook(),
    )
    with Log(settings, file) as log:
        house = House(log, settings)
        ann = house.people.new()
        token, cookie = house.people.token(ann), house.people.token(house.people.new())
        code, table_code, seed = new_code(), new_table_code(), new_seed()
        secrets = [
            token,
            token.partition(".")[2],
            cookie,
            ann.bits.hex(),
            code,
            table_code,
            seed.hex(),
            str(settings.secret),
        ]
        said = " ".join(secrets)
        headers = {"Content-Type": "application/json", "Origin": "http://cards.local"}
        for path in (
            f"/tables/1?token={token}",
            f"/codes/{table_code}",
            f"/codes/{table_code.lower()}",
            f"/codes/{code}",
            f"/{token}",
            "/broken",
        ):
            for who in ({"Authorization": f"Bearer {token}"}, {"Cookie": f"upcard={cookie}"}):
                house.ask("POST", path, headers=headers | who | {"X-Told": said}, content=said)
                answer = house.ask("GET", path, headers=headers | who | {"X-Told": said})
                secrets.append(answer.headers.get("Set-Cookie", "upcard=none;")[7:].partition(";")[0])
        log_line = structlog.get_logger().info
        log_line("said", token=token, set_cookie=cookie, secret=settings.secret, code=code, bits=ann.bits)
        log_line(
            said, settings=settings, person=ann, parts=[token, {"x": code, "y": (cookie,)}], **{token: 1}
        )
        log_line("said", this=ann.bits, that=seed, things=[ann.bits, Namespace(said=token)])
        log_line("said", code=code.lower(), seed=seed, key=ann.bits.hex(), deep={"password": "pass word"})
    text = file.getvalue().decode()
    assert text.count("careless") > 4
    assert "Traceback" in text
    assert ann.mark[:8] in text
    for secret in [*secrets, "pass word", repr(seed), repr(ann.bits)]:
        if secret != "none":
            assert secret not in text
            assert secret.lower() not in text.lower()


def test_values_that_look_secret_are_hidden_and_others_are_not() -> None:
    for text in (
        "there is no such table",
        "/tables/AbC_dEf-GhI123xy/moves",
        'File "starlette/_exception_handler.py", line 53, in wrap_app_handling_exceptions',
        "HttpParserInvalidMethodError: Invalid method",
        "10.0.0.1 asked for cross-origin-resource-policy",
        "0123456789abcdef",
        "UPCARD",
    ):
        assert hidden(told=text) == {"told": text}
    assert hidden(told="see ABCDE and BCDFGH") == {"told": f"see ABCDE and {HIDDEN}"}
    assert hidden(told="34679-ACDEF and 34679ACDEF") == {"told": f"{HIDDEN} and {HIDDEN}"}
    assert hidden(told="0123456789abcdef0123456789abcdef") == {"told": HIDDEN}
    assert hidden(status_code=200, n=1, x=None, y=1.5, z=True) == {
        "status_code": 200,
        "n": 1,
        "x": None,
        "y": 1.5,
        "z": True,
    }
    for name in (
        "token",
        "Authorization",
        "Set-Cookie",
        "db_password",
        "code",
        "table_code",
        "key",
        "seed",
        "bits",
    ):
        assert hidden(**{name: 1}) == {name: HIDDEN}


def test_hiding_takes_no_longer_than_reading() -> None:
    # If it took quadratic time, this would not end today.
    for letter in ("a", "A", "1", "-", "_", "Ab", "a_", "B-", "a."):
        assert hidden(told=letter * 500_000)


def test_an_unexpected_error_has_its_traceback_in_the_log_alone() -> None:
    settings, file = Settings(secret="x" * 40), Notebook()
    with Log(settings, file) as log:
        answer = House(log, settings).ask("GET", "/broken")
    (error,) = [line for line in file.lines if line["event"] == "unexpected error"]
    assert error["level"] == "error"
    assert "in broken" in error["exception"]
    assert error["incident"] == answer.json()["incident"] == file.lines[-1]["request"]
    assert "broken" not in answer.text


# The format of lines


def test_nobody_can_write_lines_of_their_own() -> None:
    evil = "/x\n2026-01-01 info forged\x1b[2J\r\u2028\x85\x9b\x00"
    for form in ("json", "text"):
        file = Notebook()
        with Log(Settings(log=form), file):
            structlog.get_logger().info("request", path=evil)
            structlog.get_logger().info(evil)
            logging.getLogger("library").warning(evil)
        text = file.getvalue().decode()
        assert len(text.splitlines()) == 3
        assert not any(letter in text for letter in "\x1b\r\x00\u2028\x85\x9b")


def test_text_is_for_people() -> None:
    file = Notebook()
    with Log(Settings(log="text"), file):
        structlog.get_logger().warning("hello", name="Ann", n=3, nothing=None, words="two words", x="a=b")
        try:
            raise ValueError("a reason\n\x1b[2J")
        except ValueError:
            structlog.get_logger().exception("it failed")
    first, second, *trace = file.getvalue().decode().splitlines()
    assert first.split(" ", 1)[1] == 'warning hello name=Ann n=3 words="two words" x="a=b"'
    assert second.split(" ", 1)[1] == "error   it failed"
    assert trace[0] == "    Traceback (most recent call last):"
    assert trace[-2:] == ["    ValueError: a reason", "    ?[2J"]


def test_invalid_text_is_logged_all_the_same() -> None:
    for form in ("json", "text"):
        file = Notebook()
        with Log(Settings(log=form), file):
            structlog.get_logger().info("half a letter \ud800", x=float("nan"), y={"a": {1, 2}}, z=object())
        assert "ud800" in file.getvalue().decode()


def test_levels_are_kept_for_libraries_as_well() -> None:
    file = Notebook()
    with Log(Settings(log_level="warning"), file):
        for level in ("debug", "info", "warning", "error", "critical"):
            getattr(structlog.get_logger(), level)("ours")
            getattr(logging.getLogger("library"), level)("%s and %s", "theirs", 1)
        logging.getLogger("library").log(35, "between")
        logging.getLogger("library").log(99, "beyond")
    assert [(line["level"], line["event"], line.get("logger")) for line in file.lines] == [
        ("warning", "ours", None),
        ("warning", "theirs and 1", "library"),
        ("error", "ours", None),
        ("error", "theirs and 1", "library"),
        ("critical", "ours", None),
        ("critical", "theirs and 1", "library"),
        ("warning", "between", "library"),
        ("critical", "beyond", "library"),
    ]


def test_requests_are_not_logged_twice() -> None:
    file = Notebook()
    with Log(Settings(), file):
        logging.getLogger("uvicorn.access").info('%s - "GET /x?token=1"', "10.0.0.1")
        logging.getLogger("uvicorn.error").info("started")
    assert [line["event"] for line in file.lines] == ["started"]


def test_afterwards_all_is_as_before() -> None:
    root = logging.getLogger()
    before = root.level, list(root.handlers)
    with Log(Settings(log_level="debug"), Notebook()):
        assert root.level == logging.DEBUG
    assert (root.level, root.handlers) == before
    assert not structlog.is_configured()


# No delays


class Stuck(Notebook):
    """A file that nobody reads: writing to it blocks until it is released."""

    def __init__(self) -> None:
        super().__init__()
        self.is_stuck = threading.Event()
        self.is_read = threading.Event()

    def write(self, data: Any, /) -> int:
        self.is_stuck.set()
        self.is_read.wait()
        return super().write(data)


def test_a_log_that_nobody_reads_delays_nobody_and_says_what_was_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(logs, "MAX_WAITING", 100)
    file = Stuck()
    with Log(Settings(), file):
        log = structlog.get_logger()
        log.info("first")
        file.is_stuck.wait()

        def work() -> None:
            for number in range(250):
                log.info("more", number=number)

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        try:
            worker.join()  # which would never end if anything had to wait
        finally:
            file.is_read.set()
    events = [line["event"] for line in file.lines]
    assert events == ["first"] + ["more"] * 100 + ["log lines lost"]
    assert file.lines[-1]["count"] == 150
    assert [line["number"] for line in file.lines[1:-1]] == list(range(100))


def test_a_log_that_cannot_be_written_is_done_without() -> None:
    class Full(Notebook):
        def write(self, data: Any, /) -> int:
            raise OSError("no space left")

    with Log(Settings(), Full()):
        structlog.get_logger().info("lost")


def test_lines_of_many_threads_are_whole() -> None:
    file = Notebook()
    with Log(Settings(), file):

        def work(name: int) -> None:
            for number in range(200):
                structlog.get_logger().info("line", name=name, number=number, long="x y " * 50)

        threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(file.lines) == 800
    for name in range(4):
        assert [line["number"] for line in file.lines if line["name"] == name] == list(range(200))
