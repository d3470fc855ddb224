"""The gallery: how many people look at tables, and that nobody takes all the room."""

from __future__ import annotations

__all__ = ["Gallery"]

from collections import Counter

from upcard.server.config import Settings
from upcard.server.metrics import Metrics
from upcard.server.problems import Overloaded, TooMany
from upcard.server.streams import Stream

# So many people may look at tables from one address, a family or a school behind one connection.
HOUSEHOLD = 50


class Gallery:
    """Counts the streams that are open, by person (or by address where nobody knows who it is)."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._count = 0
        self._watching: Counter[str] = Counter()
        self._watching_from: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._count

    def check_room(self, watcher: str, address: str) -> None:
        """Refuse whoever looks at too much already."""
        most = self._settings.max_streams_per_person
        if self._watching[watcher] >= most:
            raise TooMany("you look at too many tables at once")
        if self._watching_from[address] >= HOUSEHOLD * most:
            raise TooMany("too many tables are looked at from this address")
        if len(self) >= self._settings.max_streams:
            raise Overloaded("too many people look at tables")

    def enter(self, stream: Stream) -> None:
        """Count a stream."""
        self._count += 1
        self._watching[stream.watcher] += 1
        self._watching_from[stream.address] += 1
        self._metrics.streams.inc()

    def leave(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        self._count -= 1
        for counter, key in ((self._watching, stream.watcher), (self._watching_from, stream.address)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]
        self._metrics.streams.dec()
        if stream.slow:
            self._metrics.slow_readers.inc()
