"""The metrics: what is counted, under which names, and who may read it."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router

from upcard.server.app import App
from upcard.server.config import Settings
from upcard.server.http.identity import Authenticator
from upcard.server.http.middleware import RequestMiddleware
from upcard.server.http.monitoring import check_metrics_access
from upcard.server.http.rate_limit import RateLimits
from upcard.server.http.request_context import context_of
from upcard.server.metrics import CONTENT_TYPE, Metrics
from upcard.server.signing_keys import fixed_keys

Access = Literal["local", "on", "off"]


def samples(metrics: Metrics, name: str) -> dict[tuple[str, ...], float]:
    """Return the values of a metric by their labels, as Prometheus reads them."""
    families = text_string_to_metric_families(metrics.render().decode())
    return {
        tuple(sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
        if sample.name == name
    }


class House:
    """A server with metrics, for clients that may read them."""

    def __init__(self, access: Access = "on", **settings: Any) -> None:
        self.access = access
        self.metrics = Metrics()
        routes = [Route("/metrics", self.read), Route("/tables/{table}", self.table, methods=["GET", "POST"])]
        chosen, people = Settings(**settings), Authenticator(fixed_keys(b"x" * 32))
        limits, seen = RateLimits(chosen), [self.metrics.request_finished]
        self.app = App(Router(routes), lambda app: RequestMiddleware(app, chosen, people, limits, seen))

    async def read(self, request: Request) -> Response:
        check_metrics_access(self.access, context_of(request))
        return Response(self.metrics.render(), media_type=CONTENT_TYPE)

    async def table(self, _request: Request) -> Response:
        return Response()

    def ask(
        self,
        method: str,
        path: str,
        client: str = "127.0.0.1",
        host: str = "localhost:8000",
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        async def asking() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=(client, 1))
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}") as browser:
                return await browser.request(method, path, headers=headers)

        return asyncio.run(asking())


def test_requests_are_counted_by_the_pattern_of_their_address() -> None:
    house = House()
    for table in range(5):
        house.ask("GET", f"/tables/{table}")
    house.ask("POST", "/tables/1")
    house.ask("DELETE", "/tables/1")
    for number in range(20):
        house.ask("GET", f"/nowhere/{number}")
        house.ask(f"FROB{number}", "/tables/1")
    assert samples(house.metrics, "upcard_requests_total") == {
        ("GET", "/tables/{table}", "200"): 5,
        ("POST", "other", "415"): 1,
        ("DELETE", "/tables/{table}", "405"): 1,
        ("GET", "other", "404"): 20,
        ("other", "/tables/{table}", "405"): 20,
    }


def test_everything_else_that_happens_is_counted() -> None:
    metrics = Metrics()
    for kind in ("done", "done", "stale", "refused"):
        metrics.answered(kind)
    metrics.durable.observe(0.002)
    metrics.streams.inc()
    metrics.streams.inc()
    metrics.streams.dec()
    metrics.tables.set(7)
    metrics.bot_moves.inc()
    metrics.thinking.observe(0.3)
    metrics.slow_readers.inc()
    assert samples(metrics, "upcard_answers_total") == {("done",): 2, ("stale",): 1, ("refused",): 1}
    assert samples(metrics, "upcard_durable_seconds_sum") == {(): 0.002}
    assert samples(metrics, "upcard_durable_seconds_bucket")["0.001",] == 0
    assert samples(metrics, "upcard_durable_seconds_bucket")["0.0025",] == 1
    assert samples(metrics, "upcard_streams") == {(): 1}
    assert samples(metrics, "upcard_tables") == {(): 7}
    assert samples(metrics, "upcard_bot_moves_total") == {(): 1}
    assert samples(metrics, "upcard_bot_thinking_seconds_sum") == {(): 0.3}
    assert samples(metrics, "upcard_slow_readers_total") == {(): 1}


@pytest.mark.skipif("not __import__('pathlib').Path('/proc/self/stat').exists()")
def test_the_process_is_measured_too() -> None:
    assert samples(Metrics(), "process_resident_memory_bytes")[()] > 1_000_000
    assert samples(Metrics(), "process_open_fds")[()] > 0


def test_every_server_counts_for_itself() -> None:
    one, other = Metrics(), Metrics()
    one.tables.set(7)
    assert samples(other, "upcard_tables") == {(): 0}


def test_metrics_are_read_as_prometheus_expects() -> None:
    answer = House().ask("GET", "/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "# TYPE upcard_requests_total counter" in answer.text


WHO_MAY_READ: list[tuple[Access, str, int]] = [
    ("on", "203.0.113.1", 200),
    ("on", "127.0.0.1", 200),
    ("off", "203.0.113.1", 404),
    ("off", "127.0.0.1", 404),
    ("local", "203.0.113.1", 403),
    ("local", "127.0.0.1", 200),
    ("local", "127.1.2.3", 200),
    ("local", "::1", 200),
    ("local", "::ffff:127.0.0.1", 200),
    ("local", "2001:db8::1", 403),
    ("local", "10.0.0.1", 403),
]


def test_a_setting_decides_who_may_read_the_metrics() -> None:
    for access, client, status in WHO_MAY_READ:
        assert House(access).ask("GET", "/metrics", client).status_code == status, (access, client)


def test_a_request_through_a_proxy_on_this_machine_is_not_local() -> None:
    for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        assert House("local").ask("GET", "/metrics", headers={header: "127.0.0.1"}).status_code == 403, header


def test_a_proxy_that_is_trusted_says_who_is_local() -> None:
    house = House("local", proxies=("127.0.0.1",))
    for address, status in (("127.0.0.5", 200), ("203.0.113.1", 403)):
        assert house.ask("GET", "/metrics", headers={"X-Forwarded-For": address}).status_code == status


def test_a_page_that_pretends_to_be_on_this_machine_reads_nothing() -> None:
    for host, status in (
        ("localhost", 200),
        ("127.0.0.1:9", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example:8000", 421),
    ):
        assert House("local").ask("GET", "/metrics", host=host).status_code == status, host
