"""The resources that all tables of a node share."""

from __future__ import annotations

__all__ = ["Node"]

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from upcard.bots.search import prepare
from upcard.games import find as find_game
from upcard.server.config import Settings
from upcard.server.metrics import Metrics
from upcard.server.outages import report_outage
from upcard.server.runtime.bot_pool import BotPool
from upcard.server.runtime.bus import Bus
from upcard.server.runtime.clock import SteadyClock
from upcard.server.runtime.errors import ShuttingDown
from upcard.server.runtime.policy import PolicyRules
from upcard.server.runtime.push.queue import PushQueue
from upcard.server.runtime.slow_work import SlowWork
from upcard.server.store import Store, StoreError
from upcard.server.table.bot_turns import needs_compiling
from upcard.server.table.state import TableState

log = structlog.get_logger()


class Node:
    """The database, the bus, the bot threads and the background tasks of one server process."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        bus: Bus,
        metrics: Metrics,
        clock: Callable[[], float] | None = None,
        policy: PolicyRules | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.bus = bus
        self.metrics = metrics
        # Who may not play here, and which names are denied.
        self.policy = policy or PolicyRules()
        # The time in seconds since the epoch.
        self.clock = clock or SteadyClock()
        # The people to notify that it is their turn.
        self.pushes = PushQueue(self.clock, metrics)
        self.bots = BotPool(settings.bot_threads, metrics)
        metrics.writer_queue.set_function(lambda: store.waiting)
        metrics.bot_queue.set_function(lambda: self.bots.waiting)
        metrics.round_age.set_function(lambda: self.round_age)
        bus.metrics = metrics
        # Replaying records for clients, and applying the logs of tables. Neither waits for the other.
        self.replays = SlowWork("replay", 1)
        self.folds = SlowWork("fold", 2)
        # The number of writes of this node to any log.
        self.writes = 0
        self.stopping = False
        # The time of the last round of housekeeping, by `time.monotonic`, and whether it could write.
        self.last_round = time.monotonic()
        self.can_write = True
        self._tasks: set[asyncio.Task[Any]] = set()
        self._prepared: set[str] = set()

    @property
    def round_age(self) -> float:
        """The time since the last round of housekeeping began, in seconds."""
        return time.monotonic() - self.last_round

    @property
    def clock_jumped(self) -> float:
        """The largest jump of the clock so far, in seconds."""
        return self.clock.jumped if isinstance(self.clock, SteadyClock) else 0.0

    @property
    def is_clustered(self) -> bool:
        """Whether other nodes may write to the same tables."""
        return self.bus.is_shared

    def check_running(self) -> None:
        """Refuse new work while the node shuts down."""
        if self.stopping:
            raise ShuttingDown("the server is stopping; try again in a moment")

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; an exception goes to the log."""
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # If the node stops before it has begun, it never runs.
        task.add_done_callback(lambda _: work.close())

    async def _logged(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except StoreError as error:
            report_outage(str(error))
        except Exception:
            log.exception("background work failed")

    def prepare_bots(self, state: TableState) -> None:
        """Compile the searches that the bots of a table need, in the background."""
        if state.game not in self._prepared and needs_compiling(state):
            self._prepared.add(state.game)
            prepare(find_game(state.game))

    async def stop(self) -> None:
        """Cancel background work and bots, finish pending writes, and close the database and the bus."""
        self.stopping = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.bots.stop()
        self.replays.stop()
        self.folds.stop()
        await self.bus.close()
        await self.store.close()
