"""The hall: all tables of this node. Commands are decided, made durable, and only then seen by anybody."""

from __future__ import annotations

__all__ = ["Hall", "Room", "refusal_of"]

import asyncio
import contextlib
import gc
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import structlog
from msgspec import Raw

from upcard.bots import find as find_bot
from upcard.core.errors import Refused, UpcardError
from upcard.server import commands, wire
from upcard.server.bus import Bus
from upcard.server.commands import Stale
from upcard.server.config import Settings
from upcard.server.entries import Entry, read_entry, write_entry
from upcard.server.metrics import Metrics
from upcard.server.problems import NotFound, Overloaded, Stopping, TooMany
from upcard.server.sitting import Heard, Sitting, Window
from upcard.server.store import Behind, Command, Facts, Repeated, Row, Store
from upcard.server.streams import Stream, event, numbered
from upcard.server.telling import tell, tell_state
from upcard.server.thinking import dice_of, prepare, think, turn_of

log = structlog.get_logger()
encode = msgspec.json.Encoder().encode

Decide = Callable[[Sitting, float], Sequence[Entry]]

# Two nodes may both see that something is due. The one that did not write last gives the other some time.
GRACE = 2.0
# What another node has accepted just before a window closed is on disk by then.
CLOSING_MARGIN = 0.5
# A table that nobody looks at, and at which nothing is due, leaves memory after so many seconds.
FORGET_AFTER = 60.0
# When there was nothing to do after all, and when something went wrong, it is tried again after so long.
LOOK_AGAIN = 0.05
TRY_AGAIN = 2.0
# So many people may look at tables from one address, a family or a school behind one connection.
HOUSEHOLD = 50
# So often is garbage looked for everywhere, which takes a moment for every thousand tables.
COLLECT_SECONDS = 3600
# The bot that gives hints.
HINTS_BY = "hard"
# So many times is a command decided anew because another node was quicker.
ATTEMPTS = 20


class Room:
    """One table in memory, and who looks at it."""

    def __init__(self, table: str) -> None:
        self.sitting = Sitting(table)
        # One command at a time. Nobody looks at a state that is not yet on disk, so looking takes it too.
        self.lock = asyncio.Lock()
        self.streams: set[Stream] = set()
        # What people have answered in the window that is open.
        self.notes: dict[int, str] = {}
        # Whether this node wrote last, and so is the first to do what is due.
        self.mine = False
        self.timer: asyncio.TimerHandle | None = None
        # What bots think: of the entry after which they began, by seat.
        self.thoughts: dict[tuple[int, int], asyncio.Future[int]] = {}
        # Whether it is not known any more how it stands, so that it has to be loaded anew.
        self.lost = False
        # What was just told, as JSON: who made a move is told the same by the answer and by a stream.
        self._told: dict[tuple[int | None, int], Raw] = {}
        self.used = time.monotonic()

    @property
    def present(self) -> list[int]:
        """The seats from which somebody looks at the table."""
        return sorted({stream.seat for stream in self.streams if stream.seat is not None})

    def state(self, seat: int | None) -> dict[str, Any]:
        """Return how the table stands, as a viewer may know it."""
        note = None if seat is None else self.notes.get(seat)
        return tell_state(self.sitting, seat, note) | {"present": self.present}

    def told_state(self, seat: int | None) -> Raw:
        """Return the same as JSON."""
        return self._once(seat, 0, lambda: self.state(seat))

    def told(self, heard: Heard, seat: int | None) -> Raw:
        """Return an entry as a viewer may know it, as JSON."""
        return self._once(seat, heard.seq, lambda: tell(self.sitting, heard, seat))

    def _once(self, seat: int | None, seq: int, make: Callable[[], dict[str, Any]]) -> Raw:
        told = self._told.get((seat, seq))
        if told is None:
            told = self._told[seat, seq] = Raw(encode(make()))
        return told

    def forget_told(self) -> None:
        """Something is about to change, or all have been told."""
        self._told = {}


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
        # How many streams are open, by person or (where nobody knows who it is) by address.
        self.watching: Counter[str] = Counter()
        self.watching_from: Counter[str] = Counter()
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._prepared: set[str] = set()
        self._crew = ThreadPoolExecutor(settings.bot_threads, thread_name_prefix="bot")
        self.stopping = False

    # Beginning and end

    async def start(self) -> None:
        """Listen to other nodes, and see to what has become due while nobody was here."""
        await self.bus.listen(self._noticed, self._look_for_news)
        self._spawn(self._sweep_regularly())

    def say_goodbye(self) -> None:
        """Begin nothing new, and tell everybody who looks; what is being written will be finished."""
        self.stopping = True
        for room in self.rooms.values():
            if room.timer is not None:
                room.timer.cancel()
            for stream in room.streams:
                stream.push(event("bye", {"table": room.sitting.table}))
                stream.end()

    async def stop(self) -> None:
        """Finish what is being written, and close."""
        self.say_goodbye()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._crew.shutdown(wait=False, cancel_futures=True)
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
        self.rooms[table] = room
        self.metrics.tables.set(len(self.rooms))
        self._schedule(room)
        return room

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

    def _forget_unused(self) -> None:
        """Let go of tables that nobody looks at; what is due there is found by the sweep."""
        now = time.monotonic()
        for table, room in list(self.rooms.items()):
            busy = room.streams or room.lock.locked() or now - room.used < FORGET_AFTER
            due = room.sitting.due
            if not busy and (due is None or due > self.clock() + FORGET_AFTER):
                if room.timer is not None:
                    room.timer.cancel()
                del self.rooms[table]
        self.metrics.tables.set(len(self.rooms))

    # Commands

    async def open(self, table: str, entries: Sequence[Entry], command: Command) -> int:
        """Set up a table; return its sequence number."""
        self._check_running()
        room = Room(table)
        now = self.clock()
        for entry in entries:
            room.sitting.hear(now, entry)
        await self.store.append(table, 0, _rows(now, entries), _facts(room.sitting), command)
        self.rooms[table] = room
        self.metrics.tables.set(len(self.rooms))
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
                return wire.Stale(room.sitting.seq, *self._since(room, person, since))
            return wire.Done(seq, *self._since(room, person, before))

    def _since(self, room: Room, person: str | None, since: int) -> tuple[list[Raw], Raw]:
        """Return what is new since a sequence number, and how the table stands now."""
        seat = room.sitting.seat_of(person)
        return [room.told(heard, seat) for heard in room.sitting.history[since:]], room.told_state(seat)

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
        self.rooms.pop(room.sitting.table, None)
        if room.timer is not None:
            room.timer.cancel()
        for stream in room.streams:
            stream.end()
        self.metrics.tables.set(len(self.rooms))

    def _seen(self, room: Room, heard: Sequence[Heard]) -> None:
        """Now that it is on disk, everybody sees it, and what follows from it is waited for."""
        room.forget_told()
        if room.notes and room.sitting.window is None:
            room.notes = {}
        room.thoughts = {
            key: thought for key, thought in room.thoughts.items() if key[0] == room.sitting.changed
        }
        self._broadcast(room, heard)
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
                    return wire.Stale(room.sitting.seq, *self._since(room, person, request.base))
        raise Overloaded("the table is too busy; try again")

    async def _note(self, room: Room, person: str, request: wire.React, command: Command) -> wire.Kept:
        sitting = room.sitting
        seat, move = commands.answer(sitting, person, request.move, request.base)
        window = sitting.window
        assert window is not None
        if self.clock() >= window.closes:
            commands.refuse("not_asked")
        await self.store.note(sitting.table, window.opened, seat, move, command, sitting.seq)
        # An answer that arrives a second time does not take the place of a later one.
        await self._refill_notes(room)
        told = event("note", {"window": window.opened, "answered": room.notes[seat]})
        for stream in room.streams:
            if stream.seat == seat:
                stream.push(told)
        return wire.Kept(sitting.seq, move)

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
            # However often somebody asks, it is thought about once.
            thought = self._thought(room, seat, HINTS_BY, hint=True)
        move = await thought
        reason = turn.game.why(turn.view, move, names).to(seat - 1)
        text = turn.game.write_move(turn.view, move)
        return wire.Hint(seq, text, (reason.code, dict(reason.parameters)))

    async def look(self, table: str, person: str | None, since: int | None = None) -> Any:
        """Return the sitting of a table, the seat of the asker, the news since a number, and the state."""
        async with self._held(table) as room:
            await self._see_at_least(room, since)
            seat = room.sitting.seat_of(person)
            news = [tell(room.sitting, heard, seat) for heard in room.sitting.history[since or 0 :]]
            return room.sitting, seat, news if since is not None else [], room.state(seat)

    async def watch(
        self, table: str, person: str | None, address: str, since: int | None, states: bool
    ) -> Stream:
        """Open a stream: what was missed since a number, how the table stands, and then all that happens."""
        self._check_running()
        watcher = person or address
        if self.watching[watcher] >= self.settings.max_streams_per_person:
            raise TooMany("you look at too many tables at once")
        if self.watching_from[address] >= HOUSEHOLD * self.settings.max_streams_per_person:
            raise TooMany("too many tables are looked at from this address")
        if self.watching.total() >= self.settings.max_streams:
            raise Overloaded("too many people look at tables")
        async with self._held(table) as room:
            stream = Stream(watcher, person, room.sitting.seat_of(person), states)
            if since is not None:
                await self._see_at_least(room, since)
                missed = room.sitting.history[since:]
                stream.greet(
                    b"".join(numbered(one.seq, bytes(room.told(one, stream.seat))) for one in missed)
                )
            self.watching[watcher] += 1
            self.watching_from[address] += 1
            stream.address = address
            if stream.seat is not None and stream.seat not in room.present:
                self._tell_presence(room, stream.seat, True)
            room.streams.add(stream)
            # A new client has no number yet; this gives it one, so that its next connection resumes here.
            stream.push(b"id: %d\n" % room.sitting.seq + event("state", room.state(stream.seat)))
            self.metrics.streams.inc()
            return stream

    def unwatch(self, table: str, stream: Stream) -> None:
        """Forget a stream that has ended."""
        room = self.rooms.get(table)
        self.metrics.streams.dec()
        for counter, key in ((self.watching, stream.watcher), (self.watching_from, stream.address)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]
        if stream.slow:
            self.metrics.slow_readers.inc()
        if room is not None and stream in room.streams:
            room.streams.discard(stream)
            room.used = time.monotonic()
            if stream.seat is not None and stream.seat not in room.present:
                self._tell_presence(room, stream.seat, False)

    def _tell_presence(self, room: Room, seat: int, present: bool) -> None:
        told = event("presence", {"seat": seat, "present": present})
        for stream in room.streams:
            stream.push(told)

    def _broadcast(self, room: Room, heard: Iterable[Heard]) -> None:
        """Write what happened to everybody who looks, each as they may know it."""
        heard = list(heard)
        if not heard:
            return
        told: dict[tuple[int | None, bool], bytes] = {}
        for stream in room.streams:
            # Who has sat down or stood up meanwhile looks from another seat.
            stream.seat = room.sitting.seat_of(stream.person)
            key = stream.seat, stream.states
            if key not in told:
                told[key] = self._told(room, heard, *key)
            stream.push(told[key])

    def _told(self, room: Room, heard: Sequence[Heard], seat: int | None, states: bool) -> bytes:
        parts = [numbered(one.seq, bytes(room.told(one, seat))) for one in heard]
        if states:
            parts.append(event("state", bytes(room.told_state(seat))))
        return b"".join(parts)

    # Other nodes

    async def _noticed(self, table: str, seq: int) -> None:
        """Another node has written: take it in, if anybody here looks at that table."""
        room = self.rooms.get(table)
        if room is not None and room.sitting.seq < seq:
            async with room.lock:
                if not room.lost:
                    await self._catch_up(room)

    async def _look_for_news(self) -> None:
        """Messages of other nodes may have been lost: read the logs of all tables that are in memory."""
        for room in list(self.rooms.values()):
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

    def _schedule(self, room: Room, least: float = 0.0) -> None:
        """See to it that what is due here happens in time, but not sooner than in so many seconds."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        due = room.sitting.due
        if due is None or self.stopping:
            return
        if room.mine or not self.bus.is_shared:
            self._begin_thinking(room)
        else:
            due += GRACE
        if room.sitting.window is not None and self.bus.is_shared:
            due += CLOSING_MARGIN
        delay = max(least, due - self.clock())
        room.timer = asyncio.get_running_loop().call_later(delay, self._ring, room)

    def _ring(self, room: Room) -> None:
        room.timer = None
        self._spawn(self._do_what_is_due(room))

    async def _do_what_is_due(self, room: Room) -> None:
        """Close a window, let a bot move, or lose patience. Whoever else was quicker has made it needless."""
        pause = LOOK_AGAIN
        try:
            async with room.lock:
                thoughts = {} if room.lost or self.stopping else self._begin_thinking(room)
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

    # Bots

    def _begin_thinking(self, room: Room) -> dict[int, asyncio.Future[int]]:
        """Let bots think while everybody else watches; they move when their time has come."""
        sitting = room.sitting
        if sitting.window is not None and sitting.match is not None:
            seats = sitting.match.asked
        else:
            seats = [] if sitting.to_move is None else [sitting.to_move]
        bots = {seat: sitting.seats[seat - 1].player for seat in seats}
        return {seat: self._thought(room, seat, bot) for seat, bot in bots.items() if bot is not None}

    def _thought(self, room: Room, seat: int, bot: str, hint: bool = False) -> asyncio.Future[int]:
        """Return what a bot thinks of the table as it is, thinking only once."""
        key = room.sitting.changed, -seat if hint else seat
        if key not in room.thoughts:
            turn = turn_of(room.sitting, seat, bot)
            dice = dice_of(room.sitting, seat)
            loop = asyncio.get_running_loop()
            room.thoughts[key] = loop.run_in_executor(self._crew, self._think, bot, turn, dice)
        return room.thoughts[key]

    def _think(self, bot: str, turn: Any, dice: bytes) -> int:
        started = time.perf_counter()
        move = think(bot, turn, dice)
        self.metrics.bot_moves.inc()
        self.metrics.thinking.observe(time.perf_counter() - started)
        return move

    def _prepare_bots(self, sitting: Sitting) -> None:
        """Have compiled what the bots of a table need."""
        if sitting.game in self._prepared:
            return
        bots = {seat.player for seat in sitting.seats if seat.player is not None}
        if any(find_bot(bot).budget.simulations is not None for bot in bots):
            self._prepared.add(sitting.game)
            self._spawn(prepare(sitting.game))

    # The sweep

    async def _sweep_regularly(self) -> None:
        """See to tables that are not in memory, to readers who are gone, to tables nobody comes back to."""
        for second in itertools.count():
            try:
                await self._sweep()
                if second % 15 == 0:
                    await self._see_who_is_there()
                if second % 600 == 0:
                    await self._archive_old()
                if second % COLLECT_SECONDS == COLLECT_SECONDS - 1:
                    gc.collect()
            except UpcardError as error:
                log.warning("the tables cannot be looked after now", reason=str(error))
            await asyncio.sleep(1.0)

    async def _see_who_is_there(self) -> None:
        for room in list(self.rooms.values()):
            for stream in room.streams:
                stream.push(b":\n\n")  # a comment: where nobody is any more, writing it fails
        self._forget_unused()
        if self.bus.is_shared:
            await self._look_for_news()

    async def _sweep(self) -> None:
        grace = GRACE + CLOSING_MARGIN if self.bus.is_shared else 0.0
        for table, due in await self.store.due(self.clock() - grace, 200):
            room = self.rooms.get(table)
            if room is None:
                # It is loaded; the timer that this sets does the rest.
                await self._look_after(table, lambda _sitting, _now: [])
            elif self.bus.is_shared and room.sitting.due != due:
                await self._noticed(table, room.sitting.seq + 1)

    async def _archive_old(self) -> None:
        before = self.clock() - self.settings.keep_days * 86_400
        for table in await self.store.idle(before, 200):
            await self._look_after(table, lambda sitting, _now: commands.archive(sitting))

    async def _look_after(self, table: str, decide: Decide) -> None:
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
