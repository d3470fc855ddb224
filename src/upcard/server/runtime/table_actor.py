"""The actor of one table: commands are decided, made durable, and only then visible to anyone."""

from __future__ import annotations

__all__ = ["Decide", "TableActor"]

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial

from upcard.bots.search import can_search
from upcard.core.errors import Refused, UpcardError
from upcard.core.javascript.layout import numbers_of
from upcard.server.runtime.answers import Answer, Done, Hint, Kept, Stale, ToThink, refusal_of
from upcard.server.runtime.bot_pool import Choices
from upcard.server.runtime.due_timer import DueTimer
from upcard.server.runtime.node import Node
from upcard.server.runtime.watched_table import WatchedTable
from upcard.server.store import (
    AlreadyDone,
    CodeUsed,
    CommandIdReused,
    CommandKey,
    Overloaded,
    SequenceConflict,
    StoreError,
    TableSummary,
    WindowNotes,
)
from upcard.server.table import commands
from upcard.server.table.bot_turns import turn_for
from upcard.server.table.commands import StaleBase
from upcard.server.table.entries import Closed, Entry, Started, read_entry, write_entry
from upcard.server.table.parts import Window
from upcard.server.table.state import TableState

# A command: it reads the state and returns entries, or raises a refusal.
Decide = Callable[[TableState], Sequence[Entry]]

# Several nodes notice the same deadline. A node that did not write last gives the other this head start, in
# seconds.
GRACE = 2.0
# A window closes this much later in a cluster, in seconds: by then the answers that other nodes accepted just
# in time are on disk.
CLOSING_MARGIN = 0.5
# Delays before another attempt, in seconds: if nothing was due yet, and after an error.
RETRY_DELAY = 0.05
ERROR_DELAY = 2.0
# A person who was at the table within this time is expected back, in seconds; at a patient table later too.
ABSENCE = 120.0
# The bot that gives hints.
HINT_BOT = "hard" if can_search() else "greedy"
# Entries that are applied before others are served. Each takes about a millisecond.
MAX_INLINE = 20
# A command is decided again this many times when other nodes write first.
MAX_ATTEMPTS = 20


class TableActor(WatchedTable):
    """One table of a node. It does one thing at a time, under its lock."""

    def __init__(self, node: Node, table: str) -> None:
        super().__init__(table)
        self.node = node
        self.lock = asyncio.Lock()
        # Whether this node wrote the last entry; then it is the first to do what is due.
        self.wrote_last = False
        # Whether the disk may have more entries than the state, after a write with an unknown result.
        self._is_uncertain = False
        self._timer = DueTimer()
        # The choices of bots, by seat (negative for hints) and by the entry after which they were requested.
        self.bot_choices: Choices = {}
        self.used = time.monotonic()
        # The address of the last client, to which the computing time of the table's bots is charged.
        self.address = ""
        # Whether the database has noted that nothing is due while nobody is present.
        self._is_parked = False
        # The people with a seat, as the database knows them; None until this node has written.
        self._people_kept: frozenset[str] | None = None

    @contextlib.asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Lock the table, with a state that is on disk."""
        async with self.lock:
            if self._is_uncertain:
                await self._catch_up()
            try:
                yield
            finally:
                self.clear_cache()

    # Loading

    async def load(self) -> None:
        """Read the whole log."""
        await self._catch_up()

    async def catch_up(self) -> None:
        """Read what other nodes have written."""
        async with self.locked():
            await self._catch_up()

    async def _catch_up(self) -> bool:
        """Read what other nodes have written, and return whether there was anything."""
        rows = await self.node.store.load(self.state.table, self.state.seq)
        draft = self.state.copy()
        entries = [(row.at, read_entry(row.body)) for row in rows]
        started = time.perf_counter()
        await self._apply(draft, entries)
        if self.state.seq == 0:
            self.node.metrics.fold.observe(time.perf_counter() - started)
        notes = await self._read_notes(draft) if rows or self._is_uncertain else self.notes
        self._is_uncertain = False
        if rows:
            self.wrote_last = False
            self._people_kept = None
            draft.rebase(self.node.clock())
            self._publish(draft, notes)
        else:
            self.notes = notes
        return bool(rows)

    async def _read_notes(self, state: TableState) -> dict[int, str]:
        window = state.window
        return {} if window is None else await self.node.store.notes(state.table, window.opened)

    async def catch_up_to(self, seq: int | None) -> None:
        """Read what another node has written if a client knows of it already."""
        if self.node.is_clustered and seq is not None and seq > self.state.seq:
            await self._catch_up()

    # Commands

    async def run(self, decide: Decide) -> None:
        """Carry out a command of the server itself."""
        async with self.locked():
            await self._write(decide, None)

    async def submit(self, person: str, decide: Decide, key: CommandKey | None, base: int | None) -> Answer:
        """Carry out a command, and answer when it is on disk.

        The answer contains the entries after the number `base`, or those of this command.
        """
        async with self.locked():
            await self.catch_up_to(base)
            before = self.state.seq if base is None else min(base, self.state.seq)
            try:
                seq = await self._write(decide, key)
            except Refused as refused:
                return refusal_of(refused, self.state.seq)
            except StaleBase:
                assert base is not None
                return Stale(self.state.seq, *self.encoded_since(person, base))
            return Done(seq, *self.encoded_since(person, before))

    async def _write(self, decide: Decide, key: CommandKey | None) -> int:
        """Decide, write, publish, and return the number of the last entry; again if another node wrote
        first."""
        for _ in range(MAX_ATTEMPTS):
            try:
                entries = decide(self.state)
            except UpcardError:
                done = await self._done_before(key)
                if done is not None:
                    return done
                # Another node may have written something that makes the command valid.
                if self.node.is_clustered and await self._catch_up():
                    continue
                raise
            if not entries:
                return await self._done_before(key) or self.state.seq
            if key is not None:
                commands.check_caps(self.state, entries)
            try:
                await self._append(entries, key)
            except AlreadyDone as done_before:
                await self._catch_up()
                return done_before.seq
            except SequenceConflict:
                self._is_uncertain = True  # there may be another note
                await self._catch_up()
                continue
            return self.state.seq
        raise Overloaded("the table is too busy; try again")

    async def _append(self, entries: Sequence[Entry], key: CommandKey | None) -> None:
        """Write entries, and then publish them. The state changes only once they are on disk."""
        base, now, draft = self.state.seq, self.node.clock(), self.state.copy()
        await self._apply(draft, [(now, entry) for entry in entries])
        rows = [(now, write_entry(entry)) for entry in entries]
        people = frozenset(seat.person for seat in draft.seats if seat.person is not None)
        summary = _summary(draft, None if people == self._people_kept else people)
        started = time.perf_counter()
        try:
            await self.node.store.append(draft.table, base, rows, summary, key, self._closing(entries))
        except (AlreadyDone, CodeUsed, CommandIdReused, SequenceConflict):
            raise
        except BaseException as error:
            if isinstance(error, StoreError):
                self.node.metrics.failed_writes.inc()
            self._is_uncertain = True
            self.node.spawn(self.catch_up())
            raise
        self.node.metrics.durable.observe(time.perf_counter() - started)
        self.node.writes += 1
        self.wrote_last = True
        self._people_kept = people
        before = self.state
        self._publish(draft, self.notes if draft.window is not None else {})
        self.node.pushes.table_changed(before, draft, {stream.person for stream in self.streams})
        if self.node.is_clustered:
            self.node.spawn(self.node.bus.publish(draft.table, draft.seq))

    def _closing(self, entries: Sequence[Entry]) -> WindowNotes | None:
        """Return the notes of the window that entries close, which the store compares with its own."""
        window = self.state.window
        if window is None or not any(isinstance(entry, Closed) for entry in entries):
            return None
        return WindowNotes(window.opened, self.notes)

    async def _apply(self, draft: TableState, entries: Sequence[tuple[float, Entry]]) -> None:
        """Apply entries to a draft, a few at a time, so that other tables do not wait for a long log."""
        for number, (at, entry) in enumerate(entries, 1):
            if isinstance(entry, Started) and len(entry.moves) > MAX_INLINE:
                await self.node.folds.run(draft.apply, at, entry)
            else:
                draft.apply(at, entry)
            if number % MAX_INLINE == 0:
                await asyncio.sleep(0)

    async def _done_before(self, key: CommandKey | None) -> int | None:
        """Return the number with which a command was answered, if it was carried out before."""
        return None if key is None else await self.node.store.repeated(self.state.table, key)

    def _publish(self, state: TableState, notes: dict[int, str]) -> None:
        """Adopt a state that is on disk, send its new entries to the streams, and schedule the next
        deadline."""
        base, self.state, self.notes = self.state.seq, state, notes
        self._is_parked = False
        self.clear_cache()
        self.bot_choices = {
            asked: choice for asked, choice in self.bot_choices.items() if asked[0] == state.changed
        }
        self.push_entries(state.history[base:])
        self.node.prepare_bots(state)
        self.schedule()

    async def create(self, entries: Sequence[Entry], key: CommandKey) -> None:
        """Write the first entries of a new table."""
        await self._append(entries, key)

    # Answers out of turn

    async def answer_window(self, person: str, move: str, base: int, key: CommandKey) -> Answer:
        """Store an answer in the open window. Nobody else learns that there is one."""
        async with self.locked():
            await self.catch_up_to(base)
            for _ in range(MAX_ATTEMPTS):
                try:
                    return await self._note(person, move, base, key)
                except SequenceConflict:
                    await self._catch_up()
                except (Refused, StaleBase) as error:
                    done = await self._done_before(key)
                    if done is not None:
                        return Kept(done, move)
                    if self.node.is_clustered and await self._catch_up():
                        continue
                    if isinstance(error, Refused):
                        return refusal_of(error, self.state.seq)
                    return Stale(self.state.seq, *self.encoded_since(person, base))
        raise Overloaded("the table is too busy; try again")

    async def _note(self, person: str, text: str, base: int, key: CommandKey) -> Kept:
        state = self.state
        seat, move = commands.answer(state, person, text, base)
        window = state.window
        assert window is not None
        if self.node.clock() >= window.closes:
            commands.refuse("not_asked")
        seq = await self.node.store.note(state.table, window.opened, seat, move, key, state.seq)
        # An answer that arrives a second time does not replace a later one.
        self.notes = await self._read_notes(state)
        self.push_note(seat)
        self.schedule()
        return Kept(seq, move)

    # Hints

    async def hint(self, person: str) -> Hint:
        """Let a bot choose a move for a person, knowing only what the seat may know."""
        async with self.locked():
            state = self.state
            seat = commands.to_think(state, person)
            turn, seq, names = turn_for(state, seat, HINT_BOT), state.seq, state.names
            choice = self.node.bots.choose(state, self.bot_choices, seat, HINT_BOT, self.address, hint=True)
        move = await choice
        reason = turn.game.why(turn.view, move, names).to(seat - 1)
        text = turn.game.write_move(turn.view, move)
        return Hint(seq, text, (reason.code, dict(reason.parameters)))

    async def to_think(self, person: str) -> ToThink:
        """Return what a bot on a person's own device needs to choose a move for them."""
        async with self.locked():
            seat = commands.to_think(self.state, person)
            turn = turn_for(self.state, seat, HINT_BOT)
            return ToThink(self.state.seq, seat, numbers_of(turn.view), list(turn.moves))

    # Deadlines

    def schedule(self, delay: float = 0.0) -> None:
        """Set the timer to the next deadline, but not sooner than after a delay in seconds."""
        window = self.state.window
        due = self.state.due if window is None else window.closes_at(self.notes)
        if due is None or self.node.stopping:
            self._timer.unset()
            return
        if not self.is_attended:
            self._timer.unset()
            self.node.spawn(self._park())
            return
        self._is_parked = False
        if self.wrote_last or not self.node.is_clustered:
            self._begin_bots()
        else:
            due += GRACE
        if window is not None and self.node.is_clustered:
            due += CLOSING_MARGIN
        self._timer.set(max(delay, due - self.node.clock()), self._on_due)

    @property
    def is_attended(self) -> bool:
        """Whether a person is present, or expected back because they have a seat and were here recently.
        Otherwise nothing happens at the table on its own, and bots do not move."""
        if self.streams:
            return True
        patience = self.state.opened.patience_seconds if self.state.opened.patience != "none" else 0.0
        is_recent = abs(self.node.clock() - self.state.touched) < ABSENCE + patience
        return is_recent and any(seat.person is not None and not seat.left for seat in self.state.seats)

    async def _park(self) -> None:
        """Note in the database that nothing is due here, so that no node loads the table for it."""
        async with self.locked():
            if not self._is_parked and not self.is_attended and self.state.due is not None:
                await self.node.store.park(self.state.table, self.state.seq)
                self._is_parked = True

    def cancel_timer(self) -> None:
        """Stop acting on deadlines."""
        self._timer.cancel()

    def _on_due(self) -> None:
        self.node.spawn(self._do_what_is_due())

    async def _do_what_is_due(self) -> None:
        """Close a window, let a bot move, or stop waiting for a player, unless that has been done in the
        meantime."""
        delay = RETRY_DELAY
        try:
            async with self.locked():
                is_active = self.is_attended and not self.node.stopping
                choices = self._begin_bots() if is_active else {}
                changed, window = self.state.changed, self.state.window
            # Commands do not wait for a bot that is thinking.
            chosen = {seat: await choice for seat, choice in choices.items()}
            async with self.locked():
                if is_active and not self.node.stopping and self.state.changed == changed:
                    await self._write(await self._deciding(window, chosen), None)
        except Exception:
            # The database failed, or a bot from another package. Try again until it works.
            self.bot_choices.clear()
            delay = ERROR_DELAY
            raise
        finally:
            if not self._timer.is_set:
                self.schedule(delay)

    def _begin_bots(self) -> dict[int, asyncio.Future[int]]:
        return self.node.bots.begin(self.state, self.bot_choices, self.address)

    async def _deciding(self, window: Window | None, chosen: Mapping[int, int]) -> Decide:
        """Return the command that is due, with what bots have chosen."""
        state, now = self.state, self.node.clock()
        match = state.match
        if window is not None and match is not None:
            answers = {seat: match.game.write_move(match.table, move) for seat, move in chosen.items()}
            self.notes = await self._read_notes(state)

            def close(state: TableState) -> list[Entry]:
                return commands.close_window(state, window.opened, answers | self.notes, now)

            return close
        if chosen:
            (move,) = chosen.values()
            return partial(commands.bot_move, changed=state.changed, number=move, now=now)
        return partial(commands.end_patience, now=now)


def _summary(state: TableState, people: frozenset[str] | None) -> TableSummary:
    """Return the columns by which tables are found."""
    code = state.opened.code if state.phase == "open" else None
    is_listed = state.opened.public and not state.locked
    return TableSummary(state.game, code, is_listed, state.phase, state.due, state.touched, people)
