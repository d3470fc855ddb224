"""The people to notify that a table waits for them."""

from __future__ import annotations

__all__ = ["DELAY", "PushQueue", "Waiting", "person_awaited"]

from collections.abc import Callable, Collection
from typing import NamedTuple

from upcard.server.metrics import Metrics
from upcard.server.table.state import TableState

# Games whose players may take this long for a move, in seconds, are games over days. So are games that wait
# as long as it takes.
SLOW = 24 * 60 * 60
# People who disconnect for less than this time, in seconds, are not notified: they load a page, for instance.
DELAY = 30.0
# The maximum number of people in the queue. More are not notified.
MAX_WAITING = 10_000
# Delays before each new attempt, in seconds.
RETRIES = (60.0, 600.0, 3600.0)


class Waiting(NamedTuple):
    """A person to notify, not before a time. Devices that were notified already are left out."""

    table: str
    person: str
    due: float
    tries: int = 0
    reached: frozenset[str] = frozenset()


class PushQueue:
    """The people to notify, of one node. At most one message about each table waits for a person."""

    def __init__(self, clock: Callable[[], float], metrics: Metrics) -> None:
        self._clock = clock
        self._metrics = metrics
        # In the order in which they were added, which is nearly that of their times.
        self._waiting: dict[tuple[str, str], Waiting] = {}
        # Whether this server sends messages.
        self.is_active = False

    def __len__(self) -> int:
        return len(self._waiting)

    def table_changed(self, before: TableState, after: TableState, present: Collection[str | None]) -> None:
        """Add the person for whom a table has begun to wait, unless they are there and can see it."""
        if not self.is_active:
            return
        person = person_awaited(after)
        if person is not None and person != person_awaited(before) and person not in present:
            self._add(Waiting(after.table, person, self._clock() + DELAY))

    def try_again(self, waiting: Waiting, reached: frozenset[str]) -> None:
        """Add a person again whose devices could not all be reached."""
        if waiting.tries < len(RETRIES):
            due = self._clock() + RETRIES[waiting.tries]
            self._add(Waiting(waiting.table, waiting.person, due, waiting.tries + 1, reached))

    def _add(self, waiting: Waiting) -> None:
        key = waiting.table, waiting.person
        earlier = self._waiting.get(key)
        # A new turn is more urgent than another attempt.
        if earlier is not None and earlier.tries <= waiting.tries:
            return
        if earlier is None and len(self._waiting) >= MAX_WAITING:
            self._metrics.pushes.labels("dropped").inc()
        else:
            self._waiting[key] = waiting

    def take_due(self, limit: int) -> list[Waiting]:
        """Remove and return the people to notify now."""
        now = self._clock()
        due = [waiting for waiting in self._waiting.values() if waiting.due <= now][:limit]
        for waiting in due:
            del self._waiting[waiting.table, waiting.person]
        return due


def person_awaited(state: TableState) -> str | None:
    """Return the person for whom a game over days waits. A window, in which many are asked, closes too
    soon."""
    if state.match is None or state.window is not None:
        return None
    opened = state.opened
    if opened.patience != "none" and opened.patience_seconds < SLOW:
        return None
    seats = [state.seats[seat - 1] for seat in state.awaited]
    return next((seat.person for seat in seats if not seat.left), None)
