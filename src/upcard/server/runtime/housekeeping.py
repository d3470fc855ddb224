"""Periodic work on all tables, in memory and on disk."""

from __future__ import annotations

__all__ = ["Housekeeping"]

import asyncio
import itertools
import time
from functools import partial
from typing import TYPE_CHECKING

import structlog

from upcard.core.errors import UpcardError
from upcard.server.outages import report_outage
from upcard.server.runtime.gc_tuning import IdleCollector
from upcard.server.runtime.table_actor import TableActor
from upcard.server.store import StoreError
from upcard.server.table import commands

if TYPE_CHECKING:
    from upcard.server.runtime.tables import Tables

log = structlog.get_logger()

# The interval between rounds, in seconds, and how many rounds apart streams are checked and old tables
# archived.
ROUND = 1.0
STREAM_ROUNDS = 15
ARCHIVE_ROUNDS = 600
# Tables processed in one round.
MAX_TABLES = 200
# A table without streams, and without a deadline, leaves memory after this time, in seconds.
UNLOAD_AFTER = 60.0
# After this number of tables, requests are served for this time, in seconds.
BATCH = 10
BATCH_PAUSE = 0.01
# After errors, rounds are further apart, up to this number of times.
MAX_BACKOFF = 32
# Tables are not archived after the clock jumped by more than this, in seconds.
MAX_JUMP = 3600.0
# A change of the clock against the event loop's that counts as a jump, in seconds.
CLOCK_JUMP = 0.5


class Housekeeping:
    """The periodic work of a node."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._node = tables.node
        self._collector = IdleCollector()
        self._clock_offset = self._offset()

    def _offset(self) -> float:
        """Return how far the clock is ahead of the event loop's, which nobody can set."""
        return self._node.clock() - asyncio.get_running_loop().time()

    async def run_forever(self) -> None:
        """Do a round every second."""
        failures = 0
        for number in itertools.count():
            try:
                self._node.last_round = time.monotonic()
                self._check_clock()
                await self._tables.operators.follow()
                await self._wake_due_tables()
                if number % STREAM_ROUNDS == 0:
                    await self._probe()
                    await self._check_streams()
                    await self._check_lobbies()
                # Not in the first round: until then, the machine may learn the right time.
                if number % ARCHIVE_ROUNDS == ARCHIVE_ROUNDS - 1:
                    await self._archive_old()
                    await self._delete_old()
                self._collector.run_if_due(len(self._tables.actors), self._node.writes)
            except StoreError as error:
                report_outage(str(error))
            except UpcardError as error:
                log.warning("housekeeping failed, trying again", reason=str(error))
            except Exception:
                failures += 1
                log.exception("housekeeping failed, trying again")
            else:
                failures = 0
            await asyncio.sleep(ROUND * min(2**failures, MAX_BACKOFF))

    async def _probe(self) -> None:
        """Check that the database can be written, since nobody would notice while nobody plays."""
        try:
            await self._node.store.probe()
        except StoreError as error:
            self._node.can_write = False
            self._node.metrics.failed_writes.inc()
            report_outage(str(error))
        else:
            self._node.can_write = True

    def _check_clock(self) -> None:
        before, self._clock_offset = self._clock_offset, self._offset()
        if abs(self._clock_offset - before) > CLOCK_JUMP:
            self._tables.reschedule_all()

    async def _wake_due_tables(self) -> None:
        """Load the tables whose deadlines have passed; their timers do the rest."""
        node = self._node
        # Tables that are in memory, or that failed, must not hide the others.
        limit = MAX_TABLES + len(self._tables.actors) + len(self._tables.failures)
        loads = 0
        for table, due in await node.store.due(node.clock() - self._tables.grace, limit):
            actor = self._tables.actors.get(table)
            if actor is None and loads < MAX_TABLES and not self._tables.failures.is_waiting(table):
                loads += 1
                await self._tables.run_safely(table, lambda _state: [])
            elif actor is not None and node.is_clustered and actor.state.due != due:
                await self._tables.catch_up(actor)

    async def _check_streams(self) -> None:
        """Write a comment to all streams, so that lost connections are noticed, and unload unused tables."""
        for number, actor in enumerate(list(self._tables.actors.values()), 1):
            actor.push_all(b":\n\n")
            if number % BATCH == 0:
                await asyncio.sleep(BATCH_PAUSE)
        for actor in list(self._tables.actors.values()):
            if self._is_unused(actor):
                self._tables.unload(actor)
        if self._node.is_clustered:
            await self._tables.catch_up_all()

    async def _check_lobbies(self) -> None:
        """Write down who is at open tables, and find a host for those whose host is gone."""
        attendance = self._tables.attendance
        for actor in await attendance.renew(self._tables.actors.values()):
            await self._tables.failures.guard(actor.state.table, partial(attendance.pass_host, actor))

    def _is_unused(self, actor: TableActor) -> bool:
        """Whether a table may leave memory. Its later deadlines are found on disk."""
        busy = actor.streams or actor.lock.locked() or time.monotonic() - actor.used < UNLOAD_AFTER
        due = actor.state.due
        return not busy and (due is None or due > self._node.clock() + UNLOAD_AFTER)

    async def _delete_old(self) -> None:
        """Delete tables that were archived long ago, if the operator wants that."""
        days = self._node.settings.delete_after_days
        if days == 0 or self._node.clock_jumped > MAX_JUMP:
            return
        deleted = await self._node.store.delete_old(self._node.clock() - days * 86_400, MAX_TABLES)
        for table in deleted:
            self._tables.operators.reload(table)
        if deleted:
            log.info("old tables deleted", count=len(deleted))

    async def _archive_old(self) -> None:
        if self._node.clock_jumped > MAX_JUMP:
            return  # the time may be wrong, and a restart is soon enough
        before = self._node.clock() - self._node.settings.keep_days * 86_400
        for table in await self._node.store.idle(before, MAX_TABLES + len(self._tables.failures)):
            await self._tables.run_safely(table, commands.archive)
