"""The caretaker goes round all tables, in memory and on disk, and sees to what nobody else does."""

from __future__ import annotations

__all__ = ["Caretaker"]

import asyncio
import itertools
import time
from typing import TYPE_CHECKING

import structlog

from upcard.core.errors import UpcardError
from upcard.server import commands
from upcard.server.garbage import Garbage
from upcard.server.room import Room

if TYPE_CHECKING:
    from upcard.server.hall import Hall

log = structlog.get_logger()

# Every so many seconds: tables at which something is due, people who are gone, tables that nobody comes
# back to.
ROUND = 1.0
PEOPLE_ROUNDS = 15
OLD_TABLES_ROUNDS = 600
# So many tables at most are seen to in one round.
MOST_TABLES = 200
# A table that nobody looks at, and at which nothing is due, leaves memory after so many seconds.
FORGET_AFTER = 60.0
# After so many tables, others have their turn, for so many seconds: whoever makes a move does not wait for
# thousands of streams.
TABLES_AT_ONCE = 10
BREATH = 0.01
# A clock that differs by so many seconds from one round to the next was set.
JUMP = 0.5


class Caretaker:
    """Looks after the tables of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._garbage = Garbage()
        self._clock_ahead = self._ahead()

    def _ahead(self) -> float:
        """Return how far the clock is ahead of the event loop's, which nobody can set."""
        return self._hall.clock() - asyncio.get_running_loop().time()

    async def go_round(self) -> None:
        """Go round, again and again."""
        for number in itertools.count():
            try:
                self._see_whether_the_clock_was_set()
                await self._see_what_is_due()
                if number % PEOPLE_ROUNDS == 0:
                    await self._see_who_is_there()
                if number % OLD_TABLES_ROUNDS == 0:
                    await self._archive_old()
                self._garbage.look(len(self._hall.rooms), self._hall.written)
            except UpcardError as error:
                log.warning("the tables cannot be looked after now", reason=str(error))
            await asyncio.sleep(ROUND)

    def _see_whether_the_clock_was_set(self) -> None:
        before, self._clock_ahead = self._clock_ahead, self._ahead()
        if abs(self._clock_ahead - before) > JUMP:
            self._hall.clock_was_set()

    async def _see_what_is_due(self) -> None:
        hall = self._hall
        for table, due in await hall.store.due(hall.clock() - hall.grace, MOST_TABLES):
            room = hall.rooms.get(table)
            if room is None:
                # It is loaded; the timer that this sets does the rest.
                await hall.look_after(table, lambda _sitting, _now: [])
            elif hall.bus.is_shared and room.sitting.due != due:
                await hall.catch_up(room)

    async def _see_who_is_there(self) -> None:
        for number, room in enumerate(list(self._hall.rooms.values()), 1):
            room.tell_all(b":\n\n")  # a comment: where nobody is any more, writing it fails
            if number % TABLES_AT_ONCE == 0:
                await asyncio.sleep(BREATH)
        for room in list(self._hall.rooms.values()):
            if self._is_unused(room):
                self._hall.forget(room)
        if self._hall.bus.is_shared:
            await self._hall.look_for_news()

    def _is_unused(self, room: Room) -> bool:
        """Whether nobody looks at a table. What becomes due there later is found on disk."""
        busy = room.streams or room.lock.locked() or time.monotonic() - room.used < FORGET_AFTER
        due = room.sitting.due
        return not busy and (due is None or due > self._hall.clock() + FORGET_AFTER)

    async def _archive_old(self) -> None:
        before = self._hall.clock() - self._hall.settings.keep_days * 86_400
        for table in await self._hall.store.idle(before, MOST_TABLES):
            await self._hall.look_after(table, lambda sitting, _now: commands.archive(sitting))
