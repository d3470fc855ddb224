"""All tables of a node: which are in memory, who is watching them, and what other nodes write to them."""

from __future__ import annotations

__all__ = ["Snapshot", "Tables"]

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from upcard.server.runtime.answers import Answer, Hint, ToThink
from upcard.server.runtime.attendance import Attendance
from upcard.server.runtime.errors import NoSuchTable
from upcard.server.runtime.housekeeping import Housekeeping
from upcard.server.runtime.loop_lag import measure_lag
from upcard.server.runtime.node import Node
from upcard.server.runtime.operator_actions import OperatorActions
from upcard.server.runtime.push.pusher import Pusher
from upcard.server.runtime.stream_quota import StreamQuota
from upcard.server.runtime.streams import Stream, event
from upcard.server.runtime.table_actor import CLOSING_MARGIN, GRACE, Decide, TableActor
from upcard.server.runtime.table_failures import TableFailures
from upcard.server.store import CommandKey, deadline
from upcard.server.table import commands
from upcard.server.table.entries import Entry
from upcard.server.table.state import TableState


class Snapshot(NamedTuple):
    """A table at one moment: its state, the viewer's seat, the requested entries, and the state as the viewer
    may know it."""

    state: TableState
    seat: int | None
    entries: list[dict[str, Any]]
    shown: dict[str, Any]


class Tables:
    """All tables of a node."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.actors: dict[str, TableActor] = {}
        self.stream_quota = StreamQuota(node.settings, node.metrics)
        self.attendance = Attendance(node)
        self.failures = TableFailures()
        self.operators = OperatorActions(self)
        self.pusher = Pusher(self)
        self._loading: dict[str, asyncio.Future[TableActor]] = {}

    # Start and stop

    async def start(self) -> None:
        """Listen to other nodes, and handle deadlines that passed while no node was running."""
        await self.node.bus.listen(self._on_bus_message, self.catch_up_all)
        self.node.spawn(Housekeeping(self).run_forever())
        self.node.spawn(self.pusher.run_forever())
        self.node.spawn(measure_lag(self.node.metrics))

    def begin_shutdown(self) -> None:
        """Accept no new work, and end all streams; writes under way will be finished."""
        self.node.stopping = True
        for actor in self.actors.values():
            actor.cancel_timer()
            actor.end_streams(event("bye", {"table": actor.state.table}))

    async def stop(self) -> None:
        """Finish writes under way, and close."""
        self.begin_shutdown()
        await self.node.stop()

    # Tables in memory

    async def actor(self, table: str) -> TableActor:
        """Return a table, from memory or from its log."""
        actor = self.actors.get(table)
        if actor is None:
            loading = self._loading.get(table)
            if loading is None:
                loading = self._loading[table] = asyncio.ensure_future(self._load(table))
                loading.add_done_callback(lambda _: self._loading.pop(table, None))
            actor = await asyncio.shield(loading)
        actor.used = time.monotonic()
        return actor

    async def _load(self, table: str) -> TableActor:
        actor = TableActor(self.node, table)
        await actor.load()
        if actor.state.seq == 0:
            raise NoSuchTable("there is no such table")
        self._keep(actor)
        return actor

    def _keep(self, actor: TableActor) -> None:
        self.actors[actor.state.table] = actor
        self.node.metrics.tables.set(len(self.actors))

    def unload(self, actor: TableActor) -> None:
        """Remove a table from memory; it is on disk."""
        actor.cancel_timer()
        self.actors.pop(actor.state.table, None)
        self.node.metrics.tables.set(len(self.actors))

    # Requests of clients

    async def create(self, table: str, entries: Sequence[Entry], key: CommandKey) -> None:
        """Write the first entries of a new table."""
        self.node.check_running()
        actor = TableActor(self.node, table)
        await actor.create(entries, key)
        self._keep(actor)

    async def submit(
        self,
        table: str,
        person: str,
        decide: Decide,
        key: CommandKey | None,
        base: int | None = None,
        address: str = "",
    ) -> Answer:
        """Carry out a person's command at a table (see TableActor.submit)."""
        async with deadline():
            return await (await self._actor_for(table, address)).submit(person, decide, key, base)

    async def _actor_for(self, table: str, address: str) -> TableActor:
        """Return a table for a client's command."""
        self.node.check_running()
        actor = await self.actor(table)
        actor.address = address
        return actor

    async def answer_window(
        self, table: str, move: str, base: int, key: CommandKey, address: str = ""
    ) -> Answer:
        """Store a person's answer in the open window."""
        async with deadline():
            return await (await self._actor_for(table, address)).answer_window(key.person, move, base, key)

    async def hint(self, table: str, person: str, address: str = "") -> Hint:
        """Let a bot choose a move for a person."""
        return await (await self._actor_for(table, address)).hint(person)

    async def to_think(self, table: str, person: str, address: str = "") -> ToThink:
        """Return what a bot on a person's own device needs to choose a move for them."""
        return await (await self._actor_for(table, address)).to_think(person)

    async def snapshot(self, table: str, person: str | None = None, since: int | None = None) -> Snapshot:
        """Return the state of a table as a person may know it, with the entries after a number."""
        async with deadline():
            actor = await self.actor(table)
            async with actor.locked():
                await actor.catch_up_to(since)
                seat = actor.state.seat_of(person)
                entries = [] if since is None else actor.entries_since(seat, since)
                return Snapshot(actor.state, seat, entries, actor.snapshot(seat))

    async def watch(
        self, table: str, person: str | None, address: str, since: int | None, states: bool
    ) -> Stream:
        """Open a stream: the entries after a number, the state, and then everything that happens."""
        self.node.check_running()
        stream = Stream(person, address, states)
        # Counted before the first await: otherwise many simultaneous requests would all pass.
        self.stream_quota.enter(stream.watcher, address)
        try:
            async with deadline():
                actor = await self.actor(table)
                async with actor.locked():
                    await actor.catch_up_to(since)
                    self._add_stream(actor, stream, since)
        except BaseException:
            self.stream_quota.leave(stream.watcher, address)
            raise
        return stream

    def _add_stream(self, actor: TableActor, stream: Stream, since: int | None) -> None:
        actor.address = stream.address
        actor.add_stream(stream, since)
        self.attendance.came(actor, stream)
        if actor.state.phase == "archived" and stream.person is not None:
            self.node.spawn(actor.run(partial(commands.reopen, person=stream.person)))
        # A person is present now.
        actor.schedule()

    def unwatch(self, table: str, stream: Stream) -> None:
        """Forget a stream that has ended."""
        self.stream_quota.leave(stream.watcher, stream.address)
        if stream.slow:
            self.node.metrics.slow_readers.inc()
        actor = self.actors.get(table)
        if actor is not None and stream in actor.streams:
            actor.remove_stream(stream)
            self.attendance.went(actor, stream)
            actor.used = time.monotonic()

    # Other nodes

    async def _on_bus_message(self, table: str, seq: int) -> None:
        """Another node has written: read it, if the table is in memory here."""
        actor = self.actors.get(table)
        if actor is not None and actor.state.seq < seq:
            await self.catch_up(actor)

    async def catch_up_all(self) -> None:
        """Messages of other nodes may have been lost: read the logs of all tables in memory."""
        for actor in list(self.actors.values()):
            await self.catch_up(actor)

    async def catch_up(self, actor: TableActor) -> None:
        """Read what other nodes have written; a table that cannot be read does not affect the others."""
        await self.failures.guard(actor.state.table, actor.catch_up)

    # For housekeeping

    @property
    def grace(self) -> float:
        """How long another node may take to act on a deadline before this node does, in seconds."""
        return GRACE + CLOSING_MARGIN if self.node.is_clustered else 0.0

    def reschedule_all(self) -> None:
        """Reset all timers: the clock has jumped, and deadlines are times of day."""
        for actor in self.actors.values():
            actor.schedule()

    async def run_safely(self, table: str, decide: Decide) -> None:
        """Run an action at a table; an error goes to the log and does not affect other tables."""

        async def work() -> None:
            await (await self.actor(table)).run(decide)

        await self.failures.guard(table, work)
