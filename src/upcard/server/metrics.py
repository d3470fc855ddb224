"""The metrics of the server, for Prometheus."""

from __future__ import annotations

__all__ = ["CONTENT_TYPE", "Metrics"]

from functools import partial
from typing import Final, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

# A client can invent methods, and each would be a counter of its own.
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER: Final = "other"

# Upper limits of the buckets of histograms, in seconds.
SHORT: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LONG: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class FinishedRequest(Protocol):
    """The part of a request that is counted."""

    @property
    def route(self) -> str | None:
        """The pattern of its path."""

    @property
    def method(self) -> str:
        """Its HTTP method."""

    status: int
    problem: str | None


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry, buckets=SHORT)
        self.requests = counter("upcard_requests", "Requests.", ("route", "method", "status"))
        self.answers = counter("upcard_answers", "Answers to commands.", ("type",))
        self.durable = histogram("upcard_durable_seconds", "Seconds from a command until it is on disk.")
        self.streams = gauge("upcard_streams", "Open event streams.")
        self.tables = gauge("upcard_tables", "Tables in memory.")
        self.bot_moves = counter("upcard_bot_moves", "Moves of bots.")
        self.thinking = histogram(
            "upcard_bot_thinking_seconds", "Seconds for which bots thought about a move.", buckets=LONG
        )
        self.slow_readers = counter("upcard_slow_readers", "Streams cut off because nobody read them.")
        self.loop_lag = histogram("upcard_loop_lag_seconds", "Seconds by which the event loop is late.")
        self.writer_queue = gauge("upcard_writer_queue", "Writes that wait for the database.")
        self.bot_queue = gauge("upcard_bot_queue", "Moves that wait for a bot thread.")
        self.round_age = gauge("upcard_round_age_seconds", "Seconds since the last housekeeping.")
        self.bus_lag = histogram(
            "upcard_bus_lag_seconds", "Seconds that a message takes over the bus and back."
        )
        self.fold = histogram("upcard_fold_seconds", "Seconds to rebuild a table from its log.", buckets=LONG)
        self.refusals = counter("upcard_refusals", "Refused commands and requests.", ("kind",))
        self.failed_writes = counter("upcard_failed_writes", "Writes that the database refused.")
        self.pushes = counter("upcard_pushes", "Push messages to devices.", ("outcome",))
        ProcessCollector(registry=self.registry)
        # Finding a counter by its labels takes longer than counting.
        self._requests: dict[tuple[str | None, str, int], Counter] = {}

    def request_finished(self, request: FinishedRequest) -> None:
        """Count a finished request, by the pattern of its path."""
        method = request.method if request.method in METHODS else OTHER
        labels = request.route, method, request.status
        counter = self._requests.get(labels)
        if counter is None:
            counter = self.requests.labels(request.route or OTHER, method, request.status)
            self._requests[labels] = counter
        counter.inc()
        if request.problem is not None:
            self.refused(request.problem)

    def answered(self, kind: str) -> None:
        """Count the answer to a command: done, kept, refused or stale."""
        self.answers.labels(kind).inc()

    def refused(self, kind: str) -> None:
        """Count a refusal, by the code of its reason or the type of the problem."""
        self.refusals.labels(kind).inc()

    def render(self) -> bytes:
        """Return all metrics, as `CONTENT_TYPE`."""
        return generate_latest(self.registry)
