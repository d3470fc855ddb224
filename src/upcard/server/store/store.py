"""The store: every table's log and related data, durable before anyone sees them."""

from __future__ import annotations

__all__ = ["Store"]

from collections.abc import Sequence

from upcard.server.store import operators, pushes, sql
from upcard.server.store.engine import Connection, Engine
from upcard.server.store.threads import Readers, Writers
from upcard.server.store.types import Attendee, CommandKey, Handover, Row, TableSummary, WindowNotes

# The key of writes that do not concern a particular table, so that one thread does them too.
HANDOVERS = ""


class Store:
    """All tables in one database. Used from one event loop, which it never blocks.

    Every method raises a StoreError if the database fails, and writing methods raise Overloaded if too much
    is waiting already.
    """

    def __init__(self, engine: Engine, max_waiting: int) -> None:
        self._writers = Writers(engine, max_waiting)
        self._readers = Readers(engine)

    async def append(
        self,
        table: str,
        base: int,
        rows: Sequence[tuple[float, bytes]],
        facts: TableSummary,
        command: CommandKey | None = None,
        closing: WindowNotes | None = None,
    ) -> int:
        """Add entries base+1, base+2 ... of a table, with the id of the command they come from, and return
        the number of the last. Base 0 creates the table.

        They are durable when it returns. Raises SequenceConflict (also if `closing` are not the notes of that
        window), AlreadyDone, CommandIdReused, CodeTaken or CodeUsed, and then nothing was written.
        """
        return await self._writers.write(
            table, lambda link: sql.append(link, table, base, rows, facts, command, closing)
        )

    @property
    def waiting(self) -> int:
        """How many writes wait."""
        return self._writers.waiting

    async def park(self, table: str, seq: int) -> None:
        """Note that nothing is due at a table, unless it has changed since entry `seq`."""
        await self._writers.write(table, lambda link: sql.park(link, table, seq))

    async def load(self, table: str, since: int = 0) -> list[Row]:
        """Return the entries of a table after number `since`, none if the table does not exist."""
        return await self._readers.read(lambda link: sql.load(link, table, since))

    async def repeated(self, table: str, command: CommandKey) -> int | None:
        """Return the number of the last entry of a command, None if it has not been carried out."""
        return await self._readers.read(lambda link: sql.repeated(link, table, command))

    async def note(
        self, table: str, window: int, seat: int, move: str, command: CommandKey, base: int
    ) -> int:
        """Store the answer of a seat in a window; a later one replaces it. It is durable when this returns. A
        repeated command returns the number of the log at the first time. Raises SequenceConflict if the log
        is not at `base` any more."""
        return await self._writers.write(
            table, lambda link: sql.note(link, table, window, seat, move, command, base)
        )

    async def notes(self, table: str, window: int) -> dict[int, str]:
        """Return the stored answers in a window, by seat."""
        return await self._readers.read(lambda link: sql.notes(link, table, window))

    async def find_code(self, code: str) -> str | None:
        """Return the table that has a short code."""
        return await self._readers.read(lambda link: sql.find_code(link, code))

    async def attend(self, attendees: Sequence[Attendee], now: float) -> None:
        """Keep who is at tables that wait for players."""
        await self._writers.write(HANDOVERS, lambda link: sql.attend(link, attendees, now))

    async def attendance(self, table: str, now: float) -> set[str]:
        """Return who is at a table that waits for players."""
        return await self._readers.read(lambda link: sql.attendance(link, table, now))

    async def public(self, limit: int, now: float) -> list[str]:
        """Return the public tables that are open and have someone there, first the newest of each
        address."""
        return await self._readers.read(lambda link: sql.public(link, limit, now))

    async def tables_of(self, person: str, limit: int) -> list[str]:
        """Return the tables at which a person has a seat and whose game has no result."""
        return await self._readers.read(lambda link: sql.tables_of(link, person, limit))

    async def due(self, now: float, limit: int) -> list[tuple[str, float]]:
        """Return the tables whose deadlines have passed, with the deadlines, the earliest first."""
        return await self._readers.read(lambda link: sql.due(link, now, limit))

    async def idle(self, before: float, limit: int) -> list[str]:
        """Return the tables not yet archived that have been idle since a time, the longest idle first."""
        return await self._readers.read(lambda link: sql.idle(link, before, limit))

    async def keep_code(
        self, digest: bytes, table: str, seat: int, person: str, expires: float, now: float
    ) -> None:
        """Store the digest of a code that hands a person's seat over to another device. Raises CodeTaken."""
        await self._writers.write(
            HANDOVERS, lambda link: sql.keep_code(link, digest, table, seat, person, expires, now)
        )

    async def find_handover(self, digest: bytes, now: float) -> Handover | None:
        """Return the seat that a code hands over. The append of a command that names the code uses it up."""
        return await self._readers.read(lambda link: sql.find_handover(link, digest, now))

    async def keep_recovery(self, digest: bytes, person: str, sealed: bytes) -> None:
        """Store the digest of a person's recovery phrase instead of an earlier one."""
        await self._writers.write(HANDOVERS, lambda link: sql.keep_recovery(link, digest, person, sealed))

    async def find_recovery(self, digest: bytes) -> bytes | None:
        """Return the encrypted number of the person with a recovery phrase."""
        return await self._readers.read(lambda link: sql.find_recovery(link, digest))

    # Push messages

    async def subscribe(self, new: pushes.Subscription, now: float) -> None:
        """Store a device that gets push messages."""
        await self._writers.write(HANDOVERS, lambda link: pushes.subscribe(link, new, now))

    async def unsubscribe(self, endpoint: str) -> None:
        """Delete a device that gets push messages."""
        await self._writers.write(HANDOVERS, lambda link: pushes.remove(link, endpoint))

    async def move_subscriptions(self, before: str, person: str) -> None:
        """Give the devices of a person to the person that they have become."""
        await self._writers.write(HANDOVERS, lambda link: pushes.move(link, before, person))

    async def subscriptions(self, person: str) -> list[pushes.Subscription]:
        """Return the devices of a person that get push messages."""
        return await self._readers.read(lambda link: pushes.find(link, person))

    async def server_key(self, name: str, fresh: bytes) -> bytes:
        """Return the key with a name that all nodes share. The first time, it is `fresh`."""
        return await self._writers.write(HANDOVERS, lambda link: pushes.server_key(link, name, fresh))

    # Operators

    async def actions_since(self, number: int, limit: int) -> list[operators.Action]:
        """Return what operators have done since a line of the audit log."""
        return await self._readers.read(lambda link: operators.actions_since(link, number, limit))

    async def last_action(self) -> int:
        """Return the number of the last line of the audit log."""
        return await self._readers.read(operators.last_action)

    async def policy(self) -> operators.Policy:
        """Return the bans and the denied names."""
        return await self._readers.read(operators.policy)

    async def report(self, report: operators.Report) -> None:
        """Keep the report of a player for the operators."""
        await self._writers.write(report.table, lambda link: operators.report(link, report))

    async def delete_old(self, before: float, limit: int) -> list[str]:
        """Delete archived tables that were last touched before a time, and return which."""

        def work(link: Connection) -> list[str]:
            found = [table for table in operators.old(link, before, limit) if operators.lock(link, table)]
            for table in found:
                operators.delete(link, table)
            return found

        return await self._writers.write(HANDOVERS, work)

    async def probe(self) -> None:
        """Raise a StoreError if nothing can be written."""
        await self._writers.write(HANDOVERS, sql.probe)

    async def count(self) -> int:
        """Return how many tables there are."""
        return await self._readers.read(sql.count)

    async def close(self) -> None:
        """Write what is waiting, then close the database."""
        await self._writers.close()
        await self._readers.close()
