"""The middleware: which requests are accepted, how others are refused, and the headers of every answer.

It wraps a small application, tested through httpx and, where bytes matter, through a real server.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import random
import re
import socket
import threading
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from types import SimpleNamespace as Namespace
from typing import Any

import httpx
import pytest
import structlog
import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, Router
from starlette.types import Message, Receive, Scope, Send

from tests.server.guests import NEVER, PatientProtocol, QuickUvicorn
from upcard.server.app import App
from upcard.server.config import Settings
from upcard.server.http import middleware, rate_limit, request_context
from upcard.server.http.identity import Authenticator, Person
from upcard.server.http.middleware import (
    CLIENT_CLOSED_REQUEST,
    SECURITY_HEADERS,
    RequestMiddleware,
)
from upcard.server.http.problems import NotYours
from upcard.server.http.protocol import MAX_HEAD, HttpProtocol
from upcard.server.http.rate_limit import RateLimits
from upcard.server.http.request_context import RequestContext, context_of
from upcard.server.signing_keys import fixed_keys

SECRET = "what nobody should see"
JSON = {"Content-Type": "application/json"}
OURS = {"Origin": "http://cards.example"}
MANY = 1_000_000


@pytest.fixture(autouse=True)
def one_person_at_each_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give an address the limits of one person."""
    monkeypatch.setattr(rate_limit, "ADDRESS_FACTOR", 1)


class House:
    """A server with the middleware, a clock that stands still, and a list of the requests that passed."""

    def __init__(self, body_seconds: float = 10.0, **settings: Any) -> None:
        usual: dict[str, Any] = {"commands_per_second": MANY, "burst": MANY, "hosts": ("cards.example",)}
        self.settings = Settings(**usual | settings)
        self.people = Authenticator(fixed_keys(b"a key that is long enough to sign"))
        self.now = 0.0
        self.seen: list[RequestContext] = []
        self.someone_left = threading.Event()
        # Requests that passed the middleware.
        self.inside: list[tuple[str, bytes]] = []
        routes = [
            Route("/tables/{table}", self.table, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
            Route("/page", self.page),
            Route("/stream", self.stream),
            Route("/quiet", self.quiet),
            Route("/broken", self.broken),
            Route("/broken-later", self.broken_later),
            Route("/forbidden", self.forbidden),
        ]
        limits = RateLimits(self.settings, clock=lambda: self.now)
        seen = [self.seen.append, lambda _visit: self.someone_left.set()]
        self.app = App(
            Router(routes),
            lambda app: RequestMiddleware(app, self.settings, self.people, limits, seen, body_seconds),
        )

    async def table(self, request: Request) -> Response:
        body = await request.body()
        self.inside.append((request.method, body))
        visit = context_of(request)
        return JSONResponse(
            {
                "person": visit.person and visit.person.mark,
                "address": visit.address,
                "scheme": request.url.scheme,
                "body": body.decode(),
            }
        )

    async def page(self, _request: Request) -> Response:
        return Response(
            "a page", headers={"Content-Security-Policy": "default-src 'self'", "Cache-Control": "max-age=60"}
        )

    async def stream(self, _request: Request) -> Response:
        async def events() -> AsyncIterator[bytes]:
            while True:
                yield b"data: x\n\n"
                await asyncio.sleep(0)

        return StreamingResponse(events(), media_type="text/event-stream")

    async def quiet(self, _request: Request) -> Response:
        async def events() -> AsyncIterator[bytes]:
            yield b"data: x\n\n"
            await asyncio.Event().wait()

        return StreamingResponse(events(), media_type="text/event-stream")

    async def broken(self, _request: Request) -> Response:
        raise ValueError(SECRET)

    async def broken_later(self, _request: Request) -> Response:
        async def half() -> AsyncIterator[bytes]:
            yield b"half of "
            raise ValueError(SECRET)

        return StreamingResponse(half())

    async def forbidden(self, _request: Request) -> Response:
        raise NotYours("this seat is someone else's")

    def ask(
        self,
        method: str,
        path: str,
        *,
        headers: dict[str, str] | None = None,
        content: Any = None,
        client: str = "203.0.113.1",
        base: str = "http://cards.example",
    ) -> httpx.Response:
        async def asking() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=(client, 1234))
            async with httpx.AsyncClient(transport=transport, base_url=base) as browser:
                return await browser.request(method, path, headers=headers, content=content)

        with structlog.testing.capture_logs():
            return asyncio.run(asking())

    def post(self, body: str = "{}", path: str = "/tables/1", **more: Any) -> httpx.Response:
        headers = JSON | more.pop("headers", {})
        return self.ask("POST", path, headers=headers, content=body, **more)

    def cookie(self, person: Person | None = None) -> dict[str, str]:
        return {"Cookie": f"upcard={self.people.token(person or self.people.new())}"}

    def bearer(self, person: Person | None = None) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.people.token(person or self.people.new())}"}


def refused(response: httpx.Response, status: int, kind: str) -> None:
    """Check that an answer is a problem of this type."""
    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.status_code, response.json()["type"]) == (status, kind)


# Answers


def test_every_answer_has_strict_headers() -> None:
    house = House()
    for response in (
        house.ask("GET", "/tables/1"),
        house.ask("HEAD", "/tables/1"),
        house.ask("GET", "/nowhere"),
        house.ask("POST", "/tables/1"),
        house.ask("OPTIONS", "/page"),
        house.ask("GET", "/broken"),
        house.ask("GET", "/forbidden"),
    ):
        assert response.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "camera=()" in response.headers["Permissions-Policy"]
        assert response.headers["Cache-Control"] == "no-store"
        names = [name for name, _ in response.headers.multi_items()]
        assert len(names) == len(set(names))


def test_an_answer_may_have_rules_of_its_own() -> None:
    headers = House().ask("GET", "/page").headers
    assert headers.get_list("Content-Security-Policy") == ["default-src 'self'"]
    assert headers.get_list("Cache-Control") == ["max-age=60"]
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_every_request_has_a_number() -> None:
    house = House()
    numbers = [house.ask("GET", "/page").headers["X-Request-Id"] for _ in range(20)]
    assert [visit.id for visit in house.seen] == numbers
    assert len(set(numbers)) == 20
    assert all(re.fullmatch("[0-9a-f]{16}", number) for number in numbers)


def test_numbers_of_requests_do_not_tell_how_many_others_there_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter would reveal it, and so would Python's random numbers, which can be predicted from enough
    samples."""
    monkeypatch.setattr(request_context, "_numbers", [])  # drawn by other tests
    numbers = [int(RequestContext({}).id, 16) for _ in range(1000)]
    assert len({number >> 48 for number in numbers}) > 900
    assert len({number & 0xFFFF for number in numbers}) > 900
    seen = [half for number in numbers[:312] for half in (number & 0xFFFFFFFF, number >> 32)]
    dice = random.Random(1)
    dice.setstate((3, (*map(state_of, seen), 624), None))
    assert not {dice.getrandbits(64) for _ in range(1000)} & set(numbers[312:])


def state_of(word: int) -> int:
    """Return the word of the state from which Python's generator (MT19937) made an output."""
    for shift, mask in ((-18, 0xFFFFFFFF), (15, 0xEFC60000), (7, 0x9D2C5680), (-11, 0xFFFFFFFF)):
        told = word
        for _ in range(32 // abs(shift) + 1):
            moved = word << shift if shift > 0 else word >> -shift
            word = told ^ (moved & mask)
    return word


def test_an_internal_error_is_a_problem_without_details() -> None:
    house = House()
    response = house.ask("GET", "/broken")
    refused(response, 500, "internal")
    assert response.json()["incident"] == response.headers["X-Request-Id"]
    assert SECRET not in response.text
    assert "Traceback" not in response.text
    refused(house.ask("GET", "/forbidden"), 403, "not-yours")


def test_those_who_watch_are_told_of_every_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each reading of this clock is a second after the last one.
    monkeypatch.setattr(middleware, "time", Namespace(perf_counter=itertools.count().__next__))
    house = House()
    ann = house.people.new()
    house.ask("GET", "/tables/1", headers=house.bearer(ann))
    house.ask("GET", "/nowhere")
    house.ask("POST", "/tables/1")
    house.ask("GET", "/broken")
    assert [(visit.method, visit.route, visit.status) for visit in house.seen] == [
        ("GET", "/tables/{table}", 200),
        ("GET", None, 404),
        ("POST", None, 415),
        ("GET", "/broken", 500),
    ]
    assert house.seen[0].person == ann
    assert [visit.seconds for visit in house.seen] == [1, 1, 1, 1]


def test_the_headers_of_a_stream_come_without_the_stream() -> None:
    house = House()
    response = house.ask("HEAD", "/stream")
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/event-stream")
    assert response.content == b""
    assert house.seen[0].status == 200
    assert house.ask("HEAD", "/page").headers["Content-Length"] == "6"


def test_an_unknown_address_or_method_is_a_problem() -> None:
    house = House()
    for method in ("OPTIONS", "DELETE", "TRACE", "PROPFIND", "FROB"):
        response = house.ask(method, "/page")
        refused(response, 405, "method-not-allowed")
        assert response.headers["Allow"] == "GET, HEAD"


def test_websockets_are_closed_and_the_life_of_the_application_is_left_alone() -> None:
    house = House()
    sent: list[str] = []
    inside: list[str] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        inside.append(scope["type"])

    async def send(message: Message) -> None:
        sent.append(message["type"])

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    guard = RequestMiddleware(app, house.settings, house.people, RateLimits(house.settings))
    asyncio.run(guard({"type": "websocket", "path": "/stream", "headers": []}, receive, send))
    assert (sent, inside) == (["websocket.close"], [])
    asyncio.run(guard({"type": "lifespan"}, receive, send))
    assert (sent, inside) == (["websocket.close"], ["lifespan"])


# Bodies


def test_a_body_may_be_as_large_as_the_limit_and_no_larger() -> None:
    house = House(max_body=2000)
    assert house.post("x" * 2000).json()["body"] == "x" * 2000
    response = house.post("x" * 2001)
    refused(response, 413, "too-large")
    assert response.headers["Connection"] == "close"
    assert len(house.inside) == 1


def test_a_body_that_comes_in_parts_is_counted() -> None:
    async def parts(count: int) -> AsyncIterator[bytes]:
        for _ in range(count):
            yield b"x" * 500

    for method in ("POST", "PUT", "PATCH", "DELETE", "GET", "OPTIONS"):
        house = House(max_body=2000)
        refused(house.ask(method, "/tables/1", headers=JSON, content=parts(10**9)), 413, "too-large")
        assert house.inside == [], method
        if method != "OPTIONS":
            answer = house.ask(method, "/tables/1", headers=JSON, content=parts(4))
            assert answer.json()["body"] == "x" * 2000, method


def test_the_length_that_a_body_claims_is_not_trusted() -> None:
    house = House(max_body=2000)
    for length, status in (("-1", 400), ("x", 400), ("1e3", 400), ("9" * 5000, 413), ("2001", 413)):
        response = house.ask("POST", "/tables/1", headers=JSON | {"Content-Length": length}, content="{}")
        assert response.status_code == status, length
    assert house.inside == []


def test_a_posted_body_has_to_be_json() -> None:
    house = House()
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "",
        "application/jsonx",
    ):
        for method in ("POST", "PUT", "PATCH"):
            refused(
                house.ask(method, "/tables/1", headers={"Content-Type": kind}, content="{}"), 415, "not-json"
            )
    refused(house.ask("POST", "/tables/1"), 415, "not-json")
    assert house.inside == []
    for kind in ("application/json", "Application/JSON; charset=utf-8", " application/json ;x"):
        assert house.post(headers={"Content-Type": kind}).status_code == 200


# The sender


def test_a_person_is_known_by_cookie_or_token() -> None:
    house = House()
    ann = house.people.new()
    assert house.ask("GET", "/tables/1").json()["person"] is None
    assert house.ask("GET", "/tables/1", headers=house.cookie(ann)).json()["person"] == ann.mark
    assert house.ask("GET", "/tables/1", headers=house.bearer(ann)).json()["person"] == ann.mark
    assert house.ask("GET", "/tables/1", headers={"Cookie": "upcard=forged"}).json()["person"] is None
    response = house.ask("GET", "/tables/1", headers={"Authorization": "Bearer forged"})
    refused(response, 401, "unauthorized")
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_pages_of_other_sites_can_do_nothing() -> None:
    house = House(origins=("https://friends.example",))
    for origin in (
        "http://evil.example",
        "https://evil.example",
        "http://cards.example.evil.example",
        "http://cards.example:81",
        "http://evil.example/cards.example",
        "ftp://cards.example",
        "http://friends.example",
        "cards.example",
        "null",
        "http://",
        "",
    ):
        for who in ({}, house.cookie(), house.bearer()):
            refused(house.post(headers=who | {"Origin": origin}), 403, "wrong-origin")
        for method in ("PUT", "DELETE", "OPTIONS", "FROB"):
            refused(house.ask(method, "/tables/1", headers=JSON | {"Origin": origin}), 403, "wrong-origin")
    assert house.inside == []


def test_our_own_pages_and_those_of_friends_can() -> None:
    house = House(origins=("https://Friends.example",))
    for origin in ("http://cards.example", "HTTP://CARDS.example", "http://cards.example:80"):
        assert house.post(headers={"Origin": origin} | house.cookie()).status_code == 200
    assert house.post(headers={"Origin": "https://friends.example"} | house.cookie()).status_code == 200
    assert house.post(
        headers={"Origin": "http://cards.example:8000"}, base="http://cards.example:8000"
    ).is_success
    assert house.post(headers={"Origin": "http://[::1]:8000"}, base="http://[::1]:8000").is_success


def test_a_page_may_be_safer_than_we_know_but_not_less_safe() -> None:
    house = House()
    secure = {"Origin": "https://cards.example"}
    assert house.post(headers=secure).status_code == 200
    assert house.post(headers=secure, base="https://cards.example").status_code == 200
    refused(house.post(headers=OURS, base="https://cards.example"), 403, "wrong-origin")


def test_a_request_with_a_cookie_must_name_its_origin() -> None:
    house = House()
    refused(house.post(headers=house.cookie()), 403, "wrong-origin")
    refused(house.post(headers={"Cookie": "upcard=forged"}), 403, "wrong-origin")
    refused(house.ask("DELETE", "/tables/1", headers=house.cookie()), 403, "wrong-origin")
    assert house.inside == []
    assert house.post().status_code == 200
    assert house.post(headers={"Cookie": "other=1"}).status_code == 200
    assert house.post(headers=house.cookie() | OURS).status_code == 200
    assert house.post(headers=house.cookie() | house.bearer()).status_code == 200


def test_looking_is_open_to_all() -> None:
    house = House()
    for method in ("GET", "HEAD"):
        assert house.ask(method, "/tables/1", headers=house.cookie()).status_code == 200
        assert house.ask(method, "/tables/1", headers={"Origin": "http://evil.example"}).status_code == 200


def status_of(house: House, *headers: tuple[bytes, bytes], client: str | None = None) -> int:
    """Post with just these headers, and return the status of the answer."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    pairs = [(b"content-type", b"application/json"), *headers]
    scope = {"type": "http", "method": "POST", "path": "/tables/1", "query_string": b"", "headers": pairs}
    if client is not None:
        scope["client"] = (client, 9)
    asyncio.run(house.app(scope, receive, send))
    status: int = sent[0]["status"]
    return status


def test_two_headers_where_one_is_expected_are_not_trusted() -> None:
    house = House()
    host, evil_host = (b"host", b"cards.example"), (b"host", b"evil.example")
    ours, evil = (b"origin", b"http://cards.example"), (b"origin", b"http://evil.example")
    assert status_of(house, host, ours) == 200
    assert status_of(house, host, ours, evil) == 403
    assert status_of(house, host, evil, ours) == 403
    assert status_of(house, host, evil_host, evil) == 421
    assert status_of(house, (b"cookie", b"a=b"), (b"cookie", b"upcard=x"), (b"cookie", b"c=d")) == 403


def test_a_server_without_a_name_is_nobodys() -> None:
    house = House()
    for origin in (b"", b"http://", b"http://:80", b"http://cards.example", b"null"):
        assert status_of(house, (b"origin", origin)) == 403
        assert status_of(house, (b"origin", origin), (b"host", b"")) == 403


@pytest.mark.parametrize(
    "host",
    [
        *("cards.example", "cards.example:8000", "CARDS.EXAMPLE", "cards.example.", "friends.example"),
        *(
            "localhost:8000",
            "192.168.1.20:8000",
            "[::1]:8000",
            "[fe80::1]",
            "raspberry",
            "nas.local",
            "pi.lan",
        ),
    ],
)
def test_a_server_answers_to_its_names_to_addresses_and_to_names_of_local_networks(host: str) -> None:
    house = House(origins=("https://friends.example",))
    assert status_of(house, (b"host", host.encode())) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "cards.example.evil.example", "192.168.1.20.evil.example"]
)
def test_a_name_of_another_site_is_misdirected_unless_a_proxy_passes_it_on(host: str) -> None:
    assert status_of(House(), (b"host", host.encode())) == 421
    assert status_of(House(proxies=("127.0.0.1",)), (b"host", host.encode()), client="127.0.0.1") == 200


def test_a_proxy_is_trusted_on_a_socket_for_both_protocols() -> None:
    house = House(proxies=("127.0.0.1",))
    seen = (b"x-forwarded-for", b"192.0.2.7")
    assert status_of(house, seen, client="::ffff:127.0.0.1") == 200
    assert house.seen[-1].address == "192.0.2.7"


# Rate limits


def test_an_address_can_ask_only_so_often() -> None:
    house = House(commands_per_second=1, burst=3)
    for _ in range(3):
        assert house.post().status_code == 200
    response = house.post()
    refused(response, 429, "too-many")
    assert int(response.headers["Retry-After"]) == response.json()["retry_after"] == 1
    refused(house.ask("GET", "/tables/1"), 429, "too-many")
    assert len(house.inside) == 3
    assert house.post(client="203.0.113.2").status_code == 200
    house.now += 1.0
    assert house.post().status_code == 200
    refused(house.post(), 429, "too-many")


def test_a_person_can_ask_only_so_often_from_wherever() -> None:
    house = House(commands_per_second=1, burst=3)
    ann = house.people.new()
    statuses = [
        house.post(headers=house.bearer(ann), client=f"203.0.113.{number}").status_code for number in range(5)
    ]
    assert statuses == [200, 200, 200, 429, 429]
    assert house.post(headers=house.bearer(), client="203.0.113.9").status_code == 200


def test_to_look_costs_less_than_to_do_something() -> None:
    house = House(commands_per_second=1, burst=4)
    looks = [house.ask("GET", "/tables/1").status_code for _ in range(25)]
    assert looks == [200] * 20 + [429] * 5


def test_a_network_of_ipv6_is_one_address() -> None:
    house = House(commands_per_second=1, burst=1)
    assert house.post(client="2001:db8:1:2::1").status_code == 200
    assert house.post(client="2001:db8:1:2:ffff::7").status_code == 429
    assert house.post(client="2001:db8:1:3::1").status_code == 200
    assert house.post(client="::ffff:203.0.113.5").status_code == 200
    assert house.post(client="203.0.113.5").status_code == 429


def test_requests_that_are_refused_count_as_well() -> None:
    house = House(commands_per_second=1, burst=2)
    statuses = [house.post(headers={"Origin": "http://evil.example"}).status_code for _ in range(3)]
    assert statuses == [403, 403, 429]


# Proxies


def test_a_proxy_that_is_trusted_says_for_whom_it_asks() -> None:
    house = House(proxies=("10.0.0.0/8",))
    for forwarded, address in (
        ("198.51.100.7", "198.51.100.7"),
        ("198.51.100.7:4711", "198.51.100.7"),
        ("made up, 198.51.100.7", "198.51.100.7"),
        ("1.1.1.1, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("198.51.100.7, made up, 10.0.0.2", "10.0.0.2"),
        ("made up", "10.0.0.1"),
        ("", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("[2001:db8::1]:80", "2001:db8::/64"),
    ):
        response = house.ask("GET", "/tables/1", headers={"X-Forwarded-For": forwarded}, client="10.0.0.1")
        assert response.json()["address"] == address, forwarded


def test_an_untrusted_client_cannot_name_another_address() -> None:
    forwarded = {
        "X-Forwarded-For": "198.51.100.7",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "evil.example",
    }
    for house in (House(), House(proxies=("10.0.0.0/8", "unix"))):
        told = house.ask("GET", "/tables/1", headers=forwarded).json()
        assert (told["address"], told["scheme"]) == ("203.0.113.1", "http")
        refused(house.post(headers=forwarded | {"Origin": "http://evil.example"}), 403, "wrong-origin")


def test_behind_a_proxy_our_host_is_what_the_browser_calls_it() -> None:
    house = House(proxies=("10.0.0.1",))
    forwarded = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "cards.example",
        "Origin": "https://cards.example",
    }
    response = house.post(headers=forwarded, client="10.0.0.1", base="http://internal:8000")
    assert response.json()["scheme"] == "https"
    forwarded["Origin"] = "http://cards.example"
    refused(
        house.post(headers=forwarded, client="10.0.0.1", base="http://internal:8000"), 403, "wrong-origin"
    )


def test_a_local_socket_has_no_address_and_can_be_trusted() -> None:
    for proxies, address in (((), "unix"), (("unix",), "198.51.100.7")):
        house = House(proxies=proxies)

        async def asking(house: House = house) -> None:
            async def send(_message: Message) -> None: ...

            async def receive() -> Message:
                return {"type": "http.disconnect"}

            headers = [(b"x-forwarded-for", b"198.51.100.7")]
            scope = {"type": "http", "method": "GET", "path": "/page", "headers": headers, "client": None}
            await house.app(scope, receive, send)

        asyncio.run(asking())
        assert house.seen[0].address == address


# A real server


class Impatient(HttpProtocol):
    """A protocol whose deadlines pass as soon as they are set."""

    request_seconds = 0


@contextmanager
def serving(house: House, door: type[HttpProtocol] = PatientProtocol, loop: str = "auto") -> Iterator[int]:
    """Serve on a free port, and return it."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        house.app,
        http=door,
        loop=loop,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=NEVER,
    )
    server = QuickUvicorn(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    server.start(thread)
    try:
        yield listening.getsockname()[1]
    finally:
        server.stop()
        thread.join()
        listening.close()


class Line:
    """A connection, and what comes back by it."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.answers = self.socket.makefile("rb")

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_error: object) -> None:
        self.answers.close()
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Send as much as the server accepts, and return whether it accepted everything."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Read one answer: its status, headers and body."""
        status = int(self.answers.readline().split()[1])
        headers = {}
        while (line := self.answers.readline().strip()) != b"":
            name, _, value = line.decode().partition(": ")
            headers[name] = value
        return status, headers, self.answers.read(int(headers.get("content-length", "0")))

    def refusal(self) -> tuple[int, str]:
        """Read a problem, after which the server hangs up."""
        status, headers, body = self.answer()
        assert headers["content-type"] == "application/problem+json"
        assert {name.decode() for name, _ in SECURITY_HEADERS} <= set(headers)
        assert headers["connection"] == "close"
        assert self.is_over()
        return status, json.loads(body)["type"]

    def is_over(self) -> bool:
        """Wait until the server hangs up, and return whether nothing more came."""
        try:
            return self.answers.read() == b""
        except ConnectionResetError:
            return True


POST = b"POST /tables/1 HTTP/1.1\r\nHost: cards\r\nContent-Type: application/json\r\n"
GET = b"GET /tables/1 HTTP/1.1\r\nHost: cards\r\n"


def test_a_connection_is_good_for_many_requests() -> None:
    house = House(max_body=2000)
    # Ten times the limit in total, but each one is within it.
    with serving(house) as port, Line(port) as line:
        for number in range(50):
            line.send(
                POST
                + b"X: %s\r\n" % (b"x" * 4000)
                + b"Content-Length: 1500\r\n\r\n"
                + b"%d" % (number % 10) * 1500
            )
            status, _, body = line.answer()
            assert status == 200
            assert json.loads(body)["body"] == str(number % 10) * 1500
            line.send(GET + b"\r\n")
            assert line.answer()[0] == 200


def test_requests_that_come_together_are_answered_one_after_another() -> None:
    with serving(House()) as port, Line(port) as line:
        request = POST + b"Content-Length: 2\r\n\r\n"
        line.send((request + b"{}") * 3 + request)
        assert [line.answer()[0] for _ in range(3)] == [200, 200, 200]
        line.send(b"{}")
        assert line.answer()[0] == 200


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    house = House(body_seconds=0)
    with serving(house) as port:
        for begun in (
            b"Content-Length: 10\r\n\r\n",
            b"Content-Length: 10\r\n\r\n{",
            b"Transfer-Encoding: chunked\r\n\r\n1\r\n{",
        ):
            with Line(port) as line:
                line.send(POST + begun)
                assert line.refusal() == (408, "too-slow")
    assert house.inside == []


class ImpatientLater(PatientProtocol):
    """A protocol that gives the first request time, however busy this machine is."""

    def on_message_complete(self) -> None:
        self.request_seconds = 0
        super().on_message_complete()


# This event loop handles pending data before expired deadlines.
IN_ORDER = "asyncio"


def test_a_request_that_does_not_come_is_not_waited_for() -> None:
    house = House()
    begun = [b"G", b"GET /tables/1 HTTP/1.1\r\nHo", b"\r\n", POST + b"Content-Length: 10\r\n\r\n{"]
    with serving(house, ImpatientLater, IN_ORDER) as port:
        for more in begun:
            with Line(port) as line:
                line.send(GET + b"\r\n")
                assert line.answer()[0] == 200
                line.send(more)
                assert line.refusal() == (408, "too-slow")
    assert len(house.inside) == len(begun)


def test_a_request_that_began_together_with_another_is_not_waited_for() -> None:
    with serving(House(), ImpatientLater, IN_ORDER) as port, Line(port) as line:
        line.send(GET + b"\r\n" + b"GET /tab")
        assert line.answer()[0] == 200
        assert line.refusal() == (408, "too-slow")


def test_a_silent_client_is_not_waited_for() -> None:
    with serving(House(), Impatient, IN_ORDER) as port, Line(port) as line:
        assert line.is_over()


def test_a_body_of_which_nothing_is_wanted_is_not_waited_for_either() -> None:
    with serving(House(), ImpatientLater, IN_ORDER) as port, Line(port) as line:
        line.send(GET + b"\r\n")
        assert line.answer()[0] == 200
        line.send(POST + b"Origin: http://evil.example\r\nContent-Length: 10\r\n\r\n{")
        assert line.answer()[0] == 403
        # Another answer would be taken for the answer to the next request.
        assert line.is_over()


def test_a_client_that_reads_slowly_is_not_hurried() -> None:
    with serving(House(), ImpatientLater, IN_ORDER) as port, Line(port) as line:
        line.send(b"GET /stream HTTP/1.1\r\nHost: cards\r\n\r\n")
        assert line.answer()[0] == 200
        # A client that was expected to send something would have been disconnected right away.
        for _ in range(1000):
            assert line.answers.readline() == b"9\r\n"
            assert line.answers.read(11) == b"data: x\n\n\r\n"


def test_a_body_in_broken_parts_is_refused() -> None:
    house = House()
    with serving(house) as port:
        for broken in (
            b"zz\r\n{}\r\n0\r\n\r\n",
            b"2\r\n{}0\r\n\r\n",
            b"-1\r\n{}\r\n0\r\n\r\n",
            b"ffffffffffffffffff\r\n{}",
        ):
            with Line(port) as line:
                line.send(POST + b"Transfer-Encoding: chunked\r\n\r\n" + broken)
                assert line.refusal() == (400, "bad-request"), broken
    assert house.inside == []


def test_invalid_http_is_refused_as_a_problem() -> None:
    house = House()
    with serving(house) as port:
        for garbage in (
            b"FROB /tables/1 HTTP/1.1\r\n\r\n",
            b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",  # TLS
            b"GET /tables/1 HTTP/9.9\r\n\r\n",
            b"GET tables HTTP/1.1\r\n\r\n",
            b"GET /tables/1 HTTP/1.1\r\nno header\r\n\r\n",
            POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
            POST + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            POST + b"Content-Length: -1\r\n\r\n",
        ):
            with Line(port) as line:
                line.send(garbage)
                assert line.refusal() == (400, "bad-request"), garbage
    assert house.inside == []


def test_headers_without_end_are_cut_off() -> None:
    house = House()
    with serving(house) as port:
        for begin, more in (
            (b"GET /tables/1 HTTP/1.1\r\nX: ", b"x" * 4096),
            (b"GET /tables/1 HTTP/1.1\r\n", b"X: y\r\n" * 512),
            (b"GET /", b"x" * 4096),
            (b"", b"\r\n" * 2048),
            (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1;" + b"x" * 4096),
            (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n" * 512),
        ):
            with Line(port) as line:
                line.send(begin)
                assert not all(line.send(more) for _ in range(10_000)), (begin, more[:10])
                assert line.refusal() == (431, "too-large"), (begin, more[:10])
    assert house.inside == []


def test_headers_that_arrive_in_one_piece_are_measured_too() -> None:
    house = House()
    with serving(house) as port:
        for size, status in ((MAX_HEAD - 1000, 200), (MAX_HEAD + 1000, 431)):
            with Line(port) as line:
                line.send(GET + b"X: " + b"x" * size + b"\r\n\r\n")
                assert line.answer()[0] == status
    assert len(house.inside) == 1


def test_a_large_body_is_not_taken_for_a_large_header() -> None:
    house = House(max_body=10 * MAX_HEAD)
    with serving(house) as port, Line(port) as line:
        for _ in range(3):
            line.send(POST + b"Content-Length: %d\r\n\r\n" % (5 * MAX_HEAD) + b"x" * (5 * MAX_HEAD))
            assert line.answer()[0] == 200


def test_a_body_without_end_is_cut_off() -> None:
    house = House()
    with serving(house) as port:
        for begin, more in (
            (b"Content-Length: 99999999999\r\n\r\n", b"x" * 65_536),
            (b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65_536 + b"\r\n"),
        ):
            with Line(port) as line:
                line.send(POST + begin)
                assert not all(line.send(more) for _ in range(10_000))
                assert line.refusal() == (413, "too-large")
    assert house.inside == []


def test_a_request_that_breaks_off_is_not_counted() -> None:
    house = House()
    with serving(house) as port:
        with Line(port) as line:
            line.send(POST + b"Content-Length: 10\r\n\r\n{")
        house.someone_left.wait()
    assert house.inside == []
    assert [visit.status for visit in house.seen] == [CLIENT_CLOSED_REQUEST]


def test_an_answer_that_breaks_off_does_not_look_complete(caplog: pytest.LogCaptureFixture) -> None:
    house = House()
    with structlog.testing.capture_logs() as lines, serving(house) as port, Line(port) as line:
        line.send(b"GET /broken-later HTTP/1.1\r\nHost: cards\r\n\r\n")
        assert line.answer()[0] == 200
        assert line.answers.read() == b"8\r\nhalf of \r\n"
    assert [entry["event"] for entry in lines] == ["unexpected error"]
    assert lines[0]["incident"] == house.seen[0].id
    # No second answer is attempted, and uvicorn has no error to report.
    assert SECRET not in caplog.text
    assert "Exception" not in caplog.text


def test_a_stream_ends_when_its_reader_hangs_up_whatever_else_they_asked_for() -> None:
    for more in (
        *(b"", b"GET", GET + b"\r\n", (GET + b"\r\n") * 3),
        POST + b"Content-Length: 9\r\n\r\n",
    ):
        house = House()
        with serving(house) as port:
            with Line(port) as line:
                line.send(b"GET /quiet HTTP/1.1\r\nHost: cards\r\n\r\n" + more)
                assert line.answer()[0] == 200
                assert line.answers.read(9) == b"9\r\ndata: "
            house.someone_left.wait()
        assert house.seen[0].route == "/quiet", more


def test_garbage_after_a_request_does_not_spoil_the_answer_that_has_begun() -> None:
    with serving(House()) as port:
        for garbage in (b"\x00garbage\r\n\r\n", POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"):
            with Line(port) as line:
                line.send(b"GET /stream HTTP/1.1\r\nHost: cards\r\n\r\n")
                assert line.answer()[0] == 200
                line.send(garbage)
                rest = line.answers.read()
                assert rest.startswith(b"9\r\ndata: x\n\n\r\n"), garbage
                assert b"HTTP/1.1" not in rest, garbage


def test_upgrades_are_ignored() -> None:
    house = House()
    with serving(house) as port, Line(port) as line:
        line.send(GET + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        assert line.answer()[0] == 200


def test_the_headers_of_a_stream_come_alone_from_a_real_server_too() -> None:
    with serving(House()) as port, Line(port) as line:
        for _ in range(3):
            line.send(b"HEAD /stream HTTP/1.1\r\nHost: cards\r\n\r\n")
            assert line.answer()[0] == 200
        line.send(GET + b"\r\n")
        assert line.answer()[0] == 200


class _Asked(dict[str, Any]):
    """A request that can be weakly referenced, to see whether it still exists."""


@pytest.mark.parametrize("path", ["/tables/7", "/page", "/broken", "/forbidden", "/nowhere"])
def test_answered_requests_are_freed_without_a_garbage_collection(path: str) -> None:
    house = House()
    asked = _Asked(type="http", method="GET", path=path, query_string=b"", headers=[(b"host", b"here")])
    left = weakref.ref(asked)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        pass

    gc.disable()
    try:
        with structlog.testing.capture_logs():
            asyncio.run(house.app(asked, receive, send))
        house.seen.clear()
        del asked
        assert left() is None
    finally:
        gc.enable()
