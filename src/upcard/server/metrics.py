"""What the server counts, for Prometheus."""

from __future__ import annotations

__all__ = ["CONTENT_TYPE", "Metrics"]

import ipaddress
from typing import Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from upcard.server.guard import Visit
from upcard.server.people import headers_of
from upcard.server.problems import NotFound, NotYours

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

# A client can make up any method, and each would be counted on its own.
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER: Final = "other"

DURABLE: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
THINKING: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The counters of one server. `access` says who may read them: `local`, `on` (everybody) or `off`."""

    def __init__(self, access: Literal["local", "on", "off"] = "local") -> None:
        self._access = access
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "upcard_requests", "Requests.", ("route", "method", "status"), registry=self.registry
        )
        self.answers = Counter("upcard_answers", "Answers to commands.", ("type",), registry=self.registry)
        self.durable = Histogram(
            "upcard_durable_seconds",
            "Seconds from a command until it is on disk.",
            buckets=DURABLE,
            registry=self.registry,
        )
        self.streams = Gauge("upcard_streams", "Open event streams.", registry=self.registry)
        self.tables = Gauge("upcard_tables", "Tables in memory.", registry=self.registry)
        self.bot_moves = Counter("upcard_bot_moves", "Moves of bots.", registry=self.registry)
        self.thinking = Histogram(
            "upcard_bot_thinking_seconds",
            "Seconds for which bots thought about a move.",
            buckets=THINKING,
            registry=self.registry,
        )
        self.slow_readers = Counter(
            "upcard_slow_readers", "Streams cut off because nobody read them.", registry=self.registry
        )
        ProcessCollector(registry=self.registry)
        # Finding a counter by its labels takes longer than to count.
        self._requests: dict[tuple[str | None, str, int], Counter] = {}

    def visited(self, visit: Visit) -> None:
        """Count a request that is over, by the pattern of its address."""
        method = visit.method if visit.method in METHODS else OTHER
        labels = visit.route, method, visit.status
        counter = self._requests.get(labels)
        if counter is None:
            counter = self.requests.labels(visit.route or OTHER, method, visit.status)
            self._requests[labels] = counter
        counter.inc()

    def answered(self, kind: str) -> None:
        """Count the answer to a command: done, kept, refused or stale."""
        self.answers.labels(kind).inc()

    def render(self) -> bytes:
        """Return all of it, as `CONTENT_TYPE`."""
        return generate_latest(self.registry)

    def admit(self, visit: Visit) -> None:
        """Refuse who may not read it."""
        if self._access == "off":
            raise NotFound("there is nothing at this address")
        if self._access == "local" and not _is_local(visit):
            raise NotYours("the metrics are only for this machine")


def _is_local(visit: Visit) -> bool:
    """Tell whether somebody asks on this machine, and not for somebody else.

    A proxy of which we were not told gives itself away by its headers. A page that has made a browser on this
    machine believe that its site is here gives itself away by the host.
    """
    headers = headers_of(visit.scope)
    is_forwarded = not visit.proxied and any(
        name in headers for name in (b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip")
    )
    host = headers.get(b"host", b"").decode("latin-1")
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    return _is_loopback(visit.address) and not is_forwarded and (name == "localhost" or _is_loopback(name))


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
