"""Limits of the number of open event streams: per client, per address, and in total."""

from __future__ import annotations

__all__ = ["StreamQuota"]

from collections import Counter

from upcard.server.config import Settings
from upcard.server.metrics import Metrics
from upcard.server.runtime.errors import TooManyStreams
from upcard.server.store import Overloaded

# The limit of an address is this many times that of a person: a family or a school shares one.
ADDRESS_FACTOR = 50


class StreamQuota:
    """Counts the open streams by person, or by address if the person is unknown."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._count = 0
        self._by_watcher: Counter[str] = Counter()
        self._by_address: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._count

    def enter(self, watcher: str, address: str) -> None:
        """Count a stream that is being opened, or refuse it."""
        limit = self._settings.max_streams_per_person
        if self._by_watcher[watcher] >= limit:
            raise TooManyStreams("you are watching too many tables at the same time")
        if self._by_address[address] >= ADDRESS_FACTOR * limit:
            raise TooManyStreams("too many tables are being watched from this address")
        if self._count >= self._settings.max_streams:
            raise Overloaded("too many people are watching")
        self._count += 1
        self._by_watcher[watcher] += 1
        self._by_address[address] += 1
        self._metrics.streams.inc()

    def leave(self, watcher: str, address: str) -> None:
        """Stop counting a stream that has ended or was not opened."""
        self._count -= 1
        for counter, key in ((self._by_watcher, watcher), (self._by_address, address)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]
        self._metrics.streams.dec()
