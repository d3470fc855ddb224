"""The hall: all tables of this node. Commands are decided, made durable, and only then seen by anybody."""

from __future__ import annotations

__all__ = ["Decide", "Hall", "refusal_of"]

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

import structlog

from upcard.bots.search import can_search, prepare
from upcard.core.errors import Refused, UpcardError
from upcard.games import find as find_game
from upcard.server import commands, wire
from upcard.server.bus import Bus
from upcard.server.caretaker import Caretaker
from upcard.server.commands import Stale
from upcard.server.config import Settings
from upcard.server.crew import Crew
from upcard.server.entries import Entry, read_entry, write_entry
from upcard.server.gallery import Gallery
from upcard.server.metrics import Metrics
from upcard.server.problems import NotFound, Overloaded, Stopping
from upcard.server.room import Room
from upcard.server.sitting import Heard, Sitting, Window
from upcard.server.store import Behind, Command, Facts, Repeated, Row, Store
from upcard.server.streams import Stream, event
from upcard.server.thinking import has_to_be_compiled, turn_of

log = structlog.get_logger()

Decide = Callable[[Sitting, float], Sequence[Entry]]

# Two nodes may both see that something is due. The one that did not write last gives the other some time.
GRACE = 2.0
# What another node has accepted just before a window closed is on disk by then.
CLOSING_MARGIN = 0.5
# Timers are exact to this.
TICK = 0.001
# When there was nothing to do after all, and when something went wrong, it is tried again after so long.
LOOK_AGAIN = 0.05
TRY_AGAIN = 2.0
# The bot that gives hints.
HINTS_BY = "hard" if can_search() else "greedy"
# So many times is a command decided anew because another node was quicker.
ATTEMPTS = 20


class Hall:
    """All tables. `clock` tells the time in seconds since the epoch."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        bus: Bus,
        metrics: Metrics,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self.store = store
        self.bus = bus
        self.metrics = metrics
        self.clock = clock
        self.rooms: dict[str, Room] = {}
        self.gallery = Gallery(settings, metrics)
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._prepared: set[str] = set()
        self._crew = Crew(settings.bot_threads, metrics)
        # How many times this node has written.
        self.written = 0
        self.stopping = False

    # Beginning and end

    async def start(self) -> None:
        """Listen to other nodes, and see to what has become due while nobody was here."""
        await self.bus.listen(self._noticed, self.look_for_news)
        self._spawn(Caretaker(self).go_round())

    def say_goodbye(self) -> None:
        """Begin nothing new, and tell everybody who looks; what is being written will be finished."""
        self.stopping = True
        for room in self.rooms.values():
            room.cancel_timer()
            room.send_away(event("bye", {"table": room.sitting.table}))

    async def stop(self) -> None:
        """Finish what is being written, and close."""
        self.say_goodbye()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._crew.leave()
        await self.bus.close()
        await self.store.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("background work failed")

    # Tables in memory

    async def room(self, table: str) -> Room:
        """Return a table, from memory or from the log."""
        room = self.rooms.get(table)
        if room is None:
            loading = self._loading.get(table)
            if loading is None:
                loading = asyncio.ensure_future(self._load(table))
                self._loading[table] = loading
                loading.add_done_callback(lambda _: self._loading.pop(table, None))
            room = await asyncio.shield(loading)
        room.used = time.monotonic()
        return room

    @contextlib.asynccontextmanager
    async def _held(self, table: str) -> AsyncIterator[Room]:
        """Have a table for oneself for a moment."""
        while True:
            room = await self.room(table)
            async with room.lock:
                if not room.lost:
                    try:
                        yield room
                    finally:
                        room.forget_told()
                    return

    async def _load(self, table: str) -> Room:
        room = Room(table)
        await self._refill(room)
        if room.sitting.seq == 0:
            raise NotFound("there is no such table")
        self._keep(room)
        self._schedule(room)
        return room

    def _keep(self, room: Room) -> None:
        self.rooms[room.sitting.table] = room
        self.metrics.tables.set(len(self.rooms))

    def forget(self, room: Room) -> None:
        """Let go of a table; it is on disk."""
        room.cancel_timer()
        self.rooms.pop(room.sitting.table, None)
        self.metrics.tables.set(len(self.rooms))

    async def _refill(self, room: Room) -> None:
        """Take in the whole log anew."""
        rows = await self.store.load(room.sitting.table)
        room.sitting = Sitting(room.sitting.table)
        for row in rows:
            room.sitting.hear(row.at, read_entry(row.body))
        room.mine = False
        await self._refill_notes(room)

    async def _refill_notes(self, room: Room) -> None:
        window = room.sitting.window
        table = room.sitting.table
        room.notes = {} if window is None else await self.store.notes(table, window.opened)

    # Commands

    async def open(self, table: str, entries: Sequence[Entry], command: Command) -> int:
        """Set up a table; return its sequence number."""
        self._check_running()
        room = Room(table)
        now = self.clock()
        for entry in entries:
            room.sitting.hear(now, entry)
        await self.store.append(table, 0, _rows(now, entries), _facts(room.sitting), command)
        self._keep(room)
        self.written += 1
        room.mine = True
        self._prepare_bots(room.sitting)
        self._schedule(room)
        return room.sitting.seq

    async def command(
        self, table: str, person: str, decide: Decide, command: Command | None, since: int | None = None
    ) -> wire.Answer:
        """Do what somebody wants done at a table, and answer when it is on disk.

        The answer tells what is new since the sequence number `since`, or by this command.
        """
        self._check_running()
        async with self._held(table) as room:
            try:
                await self._see_at_least(room, since)
                before = room.sitting.seq if since is None else min(since, room.sitting.seq)
                seq = await self._write(room, decide, command)
            except Refused as refused:
                return refusal_of(refused, room.sitting.seq)
            except Stale:
                assert since is not None
                return wire.Stale(room.sitting.seq, *room.told_since(person, since))
            return wire.Done(seq, *room.told_since(person, before))

    async def _see_at_least(self, room: Room, seq: int | None) -> None:
        """Who has been told more by another node is right."""
        if self.bus.is_shared and seq is not None and seq > room.sitting.seq:
            await self._catch_up(room)

    async def _write(self, room: Room, decide: Decide, command: Command | None) -> int:
        """Decide, write, and let everybody know; again if another node has written in the meantime."""
        table = room.sitting.table
        for _ in range(ATTEMPTS):
            base, now = room.sitting.seq, self.clock()
            try:
                entries = decide(room.sitting, now)
            except UpcardError:
                done = await self._done_before(table, command)
                if done is not None:
                    return done
                if await self._has_gone_on(room):
                    continue
                raise
            if not entries:
                return await self._done_before(table, command) or base
            heard = [room.sitting.hear(now, entry) for entry in entries]
            try:
                started = time.perf_counter()
                await self.store.append(table, base, _rows(now, entries), _facts(room.sitting), command)
                self.metrics.durable.observe(time.perf_counter() - started)
            except Repeated as repeated:
                await self._catch_up_from(room, base)
                return repeated.seq
            except Behind:
                await self._catch_up_from(room, base)
                continue
            except BaseException:
                # Whether it was written is not known, so what is on disk decides.
                self._lose(room)
                raise
            room.mine = True
            self.written += 1
            self._seen(room, heard)
            self._spawn_publish(table, room.sitting.seq)
            return room.sitting.seq
        raise Overloaded("the table is too busy; try again")

    async def _has_gone_on(self, room: Room) -> bool:
        """Before anything is refused, see whether another node knows of something that makes it right."""
        seq = room.sitting.seq
        if self.bus.is_shared:
            await self._catch_up(room)
        return room.sitting.seq > seq

    async def _done_before(self, table: str, command: Command | None) -> int | None:
        """Return the number that a command was answered with if it was done before."""
        return None if command is None else await self.store.repeated(table, command)

    def _spawn_publish(self, table: str, seq: int) -> None:
        if self.bus.is_shared:
            self._spawn(self.bus.publish(table, seq))

    async def _catch_up_from(self, room: Room, base: int) -> None:
        """Take in what other nodes have written since, where we had thought of something else."""
        try:
            await self._refill(room)
        except BaseException:
            self._lose(room)
            raise
        self._seen(room, room.sitting.history[base:])

    def _lose(self, room: Room) -> None:
        """Forget a table of which it is not known how it stands; who looked at it comes back and sees."""
        room.lost = True
        self.forget(room)
        room.send_away()

    def _seen(self, room: Room, heard: Sequence[Heard]) -> None:
        """Now that it is on disk, everybody sees it, and what follows from it is waited for."""
        room.forget_told()
        if room.notes and room.sitting.window is None:
            room.notes = {}
        room.thoughts = {
            key: thought for key, thought in room.thoughts.items() if key[0] == room.sitting.changed
        }
        room.broadcast(heard)
        self._prepare_bots(room.sitting)
        self._schedule(room)

    async def react(self, table: str, person: str, request: wire.React) -> wire.Answer:
        """Keep somebody's answer in a window. Nobody else is told that there is one."""
        self._check_running()
        command = Command(person, request.id)
        async with self._held(table) as room:
            await self._see_at_least(room, request.base)
            for _ in range(ATTEMPTS):
                try:
                    return await self._note(room, person, request, command)
                except Behind:
                    await self._catch_up(room)
                except (Refused, Stale) as error:
                    done = await self.store.repeated(table, command)
                    if done is not None:
                        return wire.Kept(done, request.move)
                    if await self._has_gone_on(room):
                        continue
                    if isinstance(error, Refused):
                        return refusal_of(error, room.sitting.seq)
                    return wire.Stale(room.sitting.seq, *room.told_since(person, request.base))
        raise Overloaded("the table is too busy; try again")

    async def _note(self, room: Room, person: str, request: wire.React, command: Command) -> wire.Kept:
        sitting = room.sitting
        seat, move = commands.answer(sitting, person, request.move, request.base)
        window = sitting.window
        assert window is not None
        if self.clock() >= window.closes:
            commands.refuse("not_asked")
        seq = await self.store.note(sitting.table, window.opened, seat, move, command, sitting.seq)
        # An answer that arrives a second time does not take the place of a later one.
        await self._refill_notes(room)
        room.tell_note(seat)
        return wire.Kept(seq, move)

    def _check_running(self) -> None:
        if self.stopping:
            raise Stopping("the server is stopping; try again in a moment")

    # Looking

    async def hint(self, table: str, person: str) -> wire.Hint:
        """Let a bot think about somebody's move, with what that seat may know and nothing else."""
        self._check_running()
        async with self._held(table) as room:
            sitting = room.sitting
            seat = commands.to_think(sitting, person)
            turn, seq, names = turn_of(sitting, seat, HINTS_BY), sitting.seq, sitting.names
            thought = self._crew.thought(room, seat, HINTS_BY, hint=True)
        move = await thought
        reason = turn.game.why(turn.view, move, names).to(seat - 1)
        text = turn.game.write_move(turn.view, move)
        return wire.Hint(seq, text, (reason.code, dict(reason.parameters)))

    async def look(self, table: str, person: str | None, since: int | None = None) -> Any:
        """Return the sitting of a table, the seat of the asker, the news since a number, and the state."""
        async with self._held(table) as room:
            await self._see_at_least(room, since)
            seat = room.sitting.seat_of(person)
            news = [] if since is None else room.news(seat, since)
            return room.sitting, seat, news, room.state(seat)

    async def watch(
        self, table: str, person: str | None, address: str, since: int | None, states: bool
    ) -> Stream:
        """Open a stream: what was missed since a number, how the table stands, and then all that happens."""
        self._check_running()
        self.gallery.check_room(person or address, address)
        async with self._held(table) as room:
            await self._see_at_least(room, since)
            stream = Stream(person, address, room.sitting.seat_of(person), states)
            room.let_in(stream, since)
            self.gallery.enter(stream)
            return stream

    def unwatch(self, table: str, stream: Stream) -> None:
        """Forget a stream that has ended."""
        self.gallery.leave(stream)
        room = self.rooms.get(table)
        if room is not None and stream in room.streams:
            room.let_out(stream)

    # Other nodes

    async def _noticed(self, table: str, seq: int) -> None:
        """Another node has written: take it in, if anybody here looks at that table."""
        room = self.rooms.get(table)
        if room is not None and room.sitting.seq < seq:
            await self.catch_up(room)

    async def look_for_news(self) -> None:
        """Messages of other nodes may have been lost: read the logs of all tables that are in memory."""
        for room in list(self.rooms.values()):
            await self.catch_up(room)

    async def catch_up(self, room: Room) -> None:
        """Take in what other nodes have written, when nobody else has the table."""
        async with room.lock:
            if not room.lost:
                await self._catch_up(room)

    async def _catch_up(self, room: Room) -> None:
        """Take in what other nodes have written."""
        rows: list[Row] = await self.store.load(room.sitting.table, room.sitting.seq)
        if not rows:
            return
        try:
            heard = [room.sitting.hear(row.at, read_entry(row.body)) for row in rows]
            await self._refill_notes(room)
        except BaseException:
            self._lose(room)
            raise
        room.mine = False
        self._seen(room, heard)

    # What happens by itself

    @property
    def grace(self) -> float:
        """For how long another node may see to something that is due, before this one does."""
        return GRACE + CLOSING_MARGIN if self.bus.is_shared else 0.0

    def _schedule(self, room: Room, least: float = 0.0) -> None:
        """See to it that what is due here happens in time, but not sooner than in so many seconds."""
        due = room.sitting.due
        room.rings_at = None
        if due is None or self.stopping:
            return
        if room.mine or not self.bus.is_shared:
            self._crew.begin(room)
        else:
            due += GRACE
        if room.sitting.window is not None and self.bus.is_shared:
            due += CLOSING_MARGIN
        room.rings_at = asyncio.get_running_loop().time() + max(least, due - self.clock())
        self._set_timer(room, room.rings_at)

    def clock_was_set(self) -> None:
        """Set all timers anew: the clock has jumped, and deadlines are times of day."""
        for room in self.rooms.values():
            self._schedule(room)

    def _set_timer(self, room: Room, when: float) -> None:
        """Most often what is due is the end of patience, later with every move: so a timer that rings too
        early is left alone, and then set anew."""
        if room.timer is not None:
            if room.timer_rings <= when:
                return
            room.timer.cancel()
        room.timer = asyncio.get_running_loop().call_at(when, self._ring, room)
        room.timer_rings = when

    def _ring(self, room: Room) -> None:
        room.timer = None
        if room.rings_at is None:
            return
        if room.rings_at > asyncio.get_running_loop().time() + TICK:
            self._set_timer(room, room.rings_at)
        else:
            self._spawn(self._do_what_is_due(room))

    async def _do_what_is_due(self, room: Room) -> None:
        """Close a window, let a bot move, or lose patience. Whoever else was quicker has made it needless."""
        pause = LOOK_AGAIN
        try:
            async with room.lock:
                thoughts = {} if room.lost or self.stopping else self._crew.begin(room)
                changed, window = room.sitting.changed, room.sitting.window
            # Nobody has to wait for a bot that thinks.
            chosen = {seat: await thought for seat, thought in thoughts.items()}
            async with room.lock:
                if not room.lost and not self.stopping and room.sitting.changed == changed:
                    await self._write(room, await self._deciding(room, window, chosen), None)
                    room.forget_told()
        except Exception:
            # The database, or a bot of somebody else. It is tried again until it works.
            room.thoughts.clear()
            pause = TRY_AGAIN
            raise
        finally:
            if room.timer is None and not room.lost:
                self._schedule(room, pause)

    async def _deciding(self, room: Room, window: Window | None, chosen: Mapping[int, int]) -> Decide:
        """Return what is to be decided, with what bots have chosen."""
        sitting, match = room.sitting, room.sitting.match
        changed = sitting.changed
        if window is not None and match is not None:
            answers = {seat: match.game.write_move(match.table, move) for seat, move in chosen.items()}
            answers |= await self.store.notes(sitting.table, window.opened)
            return lambda now_sitting, now: commands.close_window(now_sitting, window.opened, answers, now)
        if chosen:
            (move,) = chosen.values()
            return lambda now_sitting, now: commands.bot_move(now_sitting, changed, move, now)
        return commands.lose_patience

    def _prepare_bots(self, sitting: Sitting) -> None:
        """Have compiled what the bots of a table need."""
        if sitting.game not in self._prepared and has_to_be_compiled(sitting):
            self._prepared.add(sitting.game)
            prepare(find_game(sitting.game))

    async def look_after(self, table: str, decide: Decide) -> None:
        """Do something at a table; one that cannot be read does not keep us from the others."""
        try:
            async with self._held(table) as room:
                await self._write(room, decide, None)
        except Exception:
            log.exception("a table cannot be looked after", table=table)


def _rows(now: float, entries: Iterable[Entry]) -> list[tuple[float, bytes]]:
    return [(now, write_entry(entry)) for entry in entries]


def _facts(sitting: Sitting) -> Facts:
    """Return what tables are searched for."""
    code = sitting.opened.code if sitting.phase == "open" else None
    return Facts(sitting.game, code, sitting.opened.public, sitting.phase, sitting.due, sitting.touched)


def refusal_of(refused: Refused, seq: int) -> wire.Refusal:
    """Return a refusal as it is answered."""
    refusal = refused.refusal
    return wire.Refusal(refusal.code, dict(refusal.parameters), refusal.clause or None, seq)
