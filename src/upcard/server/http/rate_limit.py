"""Rate limits: token buckets, one per person and one per address."""

from __future__ import annotations

__all__ = ["ADDRESS_FACTOR", "READ_COST", "WRITE_COST", "Buckets", "RateLimits"]

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Hashable
from typing import Final
from weakref import WeakValueDictionary

from upcard.server.config import Settings
from upcard.server.http.problems import NotFound, TooMany
from upcard.server.store import deadline

Clock = Callable[[], float]

# The maximum number of people or addresses remembered, about 20 MB if they all come within seconds.
MAX_KEYS: Final = 65_536
# The number of drawers into which buckets are sorted by the time until they are full again.
DRAWERS: Final = 64
# What requests cost, in tokens. A token stands for about a millisecond of the server's time; endpoints that
# do more work charge for it in addition.
READ_COST: Final = 0.2
WRITE_COST: Final = 1.0
# The limits of an address are this many times those of a person: a family, or a class, shares one.
ADDRESS_FACTOR: Final = 8


class Buckets:
    """A bucket per key: it holds at most `burst` tokens and gains `rate` tokens per second.

    Only the time at which a bucket will be full again is stored, and nothing for a full one. If there are too
    many, the fullest is dropped, so a client that has emptied its bucket cannot get a new one by filling the
    memory with keys used once.
    """

    def __init__(
        self, rate: float, burst: float, max_keys: int = MAX_KEYS, clock: Clock = time.monotonic
    ) -> None:
        self._seconds_per_token = 1 / rate
        self._seconds_to_fill = burst / rate
        # Clocks return large numbers, whose sums have rounding errors.
        self._tolerance = self._seconds_per_token / 100
        self._max_keys = max_keys
        self._clock = clock
        self._full_at: dict[Hashable, float] = {}
        # The keys, by the time at which their buckets are full. All drawers before `first` are empty.
        self._drawers: dict[int, dict[Hashable, None]] = {}
        self._drawer_seconds = self._seconds_to_fill / DRAWERS
        self._first = self._drawer_of(clock())
        self._first_is_full_at = 0.0

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: Hashable, tokens: float = 1.0) -> float:
        """Return the seconds until there are enough tokens, 0 if there are enough now."""
        now = self._clock()
        missing = max(self._full_at.get(key, now), now) + tokens * self._seconds_per_token - now
        missing -= self._seconds_to_fill
        return missing if missing > self._tolerance else 0.0

    def take(self, key: Hashable, tokens: float = 1.0) -> float:
        """Take tokens and return 0, or take none and return the seconds until there are enough."""
        now = self._clock()
        if now >= self._first_is_full_at:
            self._forget_full(now)
        full_at = self._full_at.get(key, now)
        then_full_at = max(full_at, now) + tokens * self._seconds_per_token
        missing = then_full_at - now - self._seconds_to_fill
        if missing > self._tolerance:
            return missing
        self._keep(key, full_at, then_full_at)
        return 0.0

    def _drawer_of(self, moment: float) -> int:
        return int(moment / self._drawer_seconds)

    def _keep(self, key: Hashable, full_at: float, then_full_at: float) -> None:
        if key in self._full_at:
            self._drawers[self._drawer_of(full_at)].pop(key)
        self._full_at[key] = then_full_at
        self._drawers.setdefault(self._drawer_of(then_full_at), {})[key] = None
        if len(self._full_at) > self._max_keys:
            self._forget_fullest()

    def _forget_full(self, now: float) -> None:
        """Empty the drawers whose time has passed. None lies further ahead than the time to fill a bucket."""
        current = self._drawer_of(now)
        for number in range(self._first, min(current, self._first + DRAWERS + 2)):
            for key in self._drawers.pop(number, ()):
                del self._full_at[key]
        self._first = current
        self._first_is_full_at = (current + 1) * self._drawer_seconds

    def _forget_fullest(self) -> None:
        number = self._first
        while not self._drawers.get(number):
            number += 1
        key = next(iter(self._drawers[number]))
        del self._drawers[number][key]
        del self._full_at[key]


class RateLimits:
    """All limits of a server. A client that exceeds one is told when to try again."""

    def __init__(self, settings: Settings, clock: Clock = time.monotonic) -> None:
        rate, burst = settings.commands_per_second, settings.burst
        self._people = Buckets(rate, burst, clock=clock)
        self._addresses = Buckets(ADDRESS_FACTOR * rate, ADDRESS_FACTOR * burst, clock=clock)
        self._tables = _per_minute(settings.tables_per_minute, clock)
        self._guesses = _per_minute(settings.guesses_per_minute, clock)
        self._guessing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        # The largest cost of a request: a client could never pay more.
        self._max_cost = max(WRITE_COST, ADDRESS_FACTOR * burst / 2)

    def charge(self, address: str, tokens: float) -> None:
        """Count a request from an address, or work that it causes."""
        _take(self._addresses, address, min(tokens, self._max_cost), "this address sends too many requests")

    def charge_person(self, mark: str, tokens: float) -> None:
        """Count a request by a person."""
        _take(self._people, mark, tokens, "you send too many requests")

    def open_table(self, address: str) -> None:
        """Count a new table."""
        _take(self._tables, address, 1.0, "too many tables were opened from this address")

    @contextlib.asynccontextmanager
    async def guess(self, address: str) -> AsyncIterator[None]:
        """Look up a code, and count it if that raises NotFound. Refuse an address that has tried too many
        wrong ones. The codes of an address are looked up one after another, or many at the same moment would
        all pass."""
        async with deadline(), self._guessing.setdefault(address, asyncio.Lock()):
            _refuse(self._guesses.wait(address), "too many wrong codes were tried from this address")
            try:
                yield
            except NotFound:
                self._guesses.take(address)
                raise


def _per_minute(count: float, clock: Clock) -> Buckets:
    return Buckets(count / 60, max(count, 1.0), clock=clock)


def _take(buckets: Buckets, key: str, tokens: float, refusal: str) -> None:
    _refuse(buckets.take(key, tokens), refusal)


def _refuse(wait: float, refusal: str) -> None:
    if wait:
        raise TooMany(f"{refusal}; try again in {wait:.1f} seconds", wait=wait)
