"""Many concurrent callers, in one store and in two: nothing is lost, doubled, mixed up or left waiting."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import replace
from typing import Any

import pytest

from tests.server.store.databases import OPEN, connected, database_in, locked, on_postgresql, rows
from tests.waiting import PAUSE
from upcard.server.store import (
    AlreadyDone,
    CodeTaken,
    CommandKey,
    Overloaded,
    SequenceConflict,
    Store,
    StoreError,
    WindowNotes,
    file_of,
    open_store,
    sql,
)
from upcard.server.store.engine import Connection
from upcard.server.store.postgresql import PostgreSQL
from upcard.server.store.sqlite import SQLite

pytestmark = pytest.mark.anyio

ANN = CommandKey("ann", "1")


@pytest.fixture
async def stores(url: str, store: Store) -> AsyncIterator[list[Store]]:
    """Two stores on one database, as two servers have them."""
    another = open_store(url)
    yield [store, another]
    await another.close()


async def attempted(*calls: Any) -> list[Any]:
    """Make calls concurrently, and return the result or the exception of each."""
    return await asyncio.gather(*calls, return_exceptions=True)


def kinds(outcomes: list[Any]) -> list[str]:
    return sorted(type(outcome).__name__ for outcome in outcomes)


async def test_two_stores_that_race_at_one_table_lose_and_double_nothing(stores: list[Store]) -> None:
    where: dict[bytes, int] = {}
    fallen_behind = 0

    async def play(store: Store, name: str) -> None:
        nonlocal fallen_behind
        base = 0
        for number in range(3):
            body = f"{name} {number}".encode()
            while body not in where:
                try:
                    where[body] = base = await store.append(
                        "t", base, [(1.0, body)], OPEN, CommandKey(name, str(number))
                    )
                except SequenceConflict:
                    fallen_behind += 1
                    base += len(await store.load("t", base))

    await asyncio.gather(*(play(stores[seat % 2], f"seat {seat}") for seat in range(8)))
    log = await stores[0].load("t")
    assert [row.seq for row in log] == list(range(1, 25))
    assert {row.body: row.seq for row in log} == where
    assert fallen_behind


async def test_one_command_sent_to_two_stores_is_done_once(stores: list[Store]) -> None:
    for base in range(5):
        command = CommandKey("ann", str(base))
        outcomes = await attempted(*(store.append("t", base, rows(1), OPEN, command) for store in stores * 3))
        assert kinds(outcomes) == ["AlreadyDone"] * 5 + ["int"]
        assert {base + 1} == {getattr(outcome, "seq", outcome) for outcome in outcomes}
    assert len(await stores[0].load("t")) == 5


async def test_one_code_is_given_to_one_table(stores: list[Store]) -> None:
    for code in "ABCDE":
        facts = replace(OPEN, code=code)
        tables = [f"{code}{number}" for number in range(6)]
        calls = (
            store.append(table, 0, rows(1), facts) for table, store in zip(tables, stores * 3, strict=True)
        )
        outcomes = await attempted(*calls)
        assert kinds(outcomes) == ["CodeTaken"] * 5 + ["int"]
        assert await stores[0].find_code(code) == tables[outcomes.index(1)]


async def test_a_seat_is_handed_over_to_one_device(stores: list[Store]) -> None:
    for number in range(5):
        digest, table = bytes([number]), f"t{number}"
        await stores[0].append(table, 0, rows(1), OPEN)
        await stores[0].keep_code(digest, table, 1, "ann", 9.0, 1.0)
        calls = (
            store.append(table, 1, rows(1), OPEN, CommandKey(f"p{place}", "take", handover=digest))
            for place, store in enumerate(stores * 3)
        )
        outcomes = await attempted(*calls)
        assert kinds(outcomes) == ["SequenceConflict"] * 5 + ["int"]
        handover = await stores[1].find_handover(digest, 1.0)
        assert handover is not None
        assert handover.taken_by == f"p{outcomes.index(2)}"


async def test_a_note_is_acknowledged_and_part_of_what_closes_the_window_or_neither(
    stores: list[Store],
) -> None:
    for number in range(20):
        table = f"t{number}"
        await stores[0].append(table, 0, rows(1), OPEN)
        note = stores[number % 2].note(table, 1, 2, "block", ANN, 1)
        close = stores[1 - number % 2].append(table, 1, rows(1), OPEN, closing=WindowNotes(1, {}))
        outcomes = await attempted(*((note, close) if number % 3 else (close, note)))
        assert kinds(outcomes) == ["SequenceConflict", "int"]
        kept = await stores[0].notes(table, 1)
        assert (kept == {2: "block"}) == (len(await stores[0].load(table)) == 1)


def connect(url: str) -> Connection:
    """Connect as a store does."""
    found = file_of(url)
    return PostgreSQL(url).connect() if found is None else SQLite(found).connect()


@pytest.mark.parametrize("first", ["note", "close"])
async def test_a_note_and_the_closing_of_its_window_exclude_each_other_in_either_order(
    url: str, store: Store, first: str
) -> None:
    """The order is forced: what comes first has run, and not yet committed, when the other one begins."""
    await store.append("t", 0, rows(1), OPEN)
    with contextlib.closing(connect(url)) as node:
        node.begin()
        later: Coroutine[Any, Any, int]
        if first == "note":
            sql.note(node, "t", 1, 2, "block", ANN, 1)
            later = store.append("t", 1, rows(1), OPEN, closing=WindowNotes(1, {}))
        else:
            sql.append(node, "t", 1, rows(1), OPEN, None, WindowNotes(1, {}))
            later = store.note("t", 1, 2, "block", ANN, 1)
        waiting = asyncio.ensure_future(later)
        if url.startswith("postgresql"):
            with connected(url) as observer:
                blocked = asyncio.ensure_future(until_waiting(observer, 1))
                await asyncio.wait([blocked, waiting], return_when=asyncio.FIRST_COMPLETED)
                blocked.cancel()
        await asyncio.sleep(0)
        assert not waiting.done()
        node.commit()
        with pytest.raises(SequenceConflict):
            await waiting
    assert await store.notes("t", 1) == ({2: "block"} if first == "note" else {})
    assert len(await store.load("t")) == (1 if first == "note" else 2)


async def test_one_note_in_two_stores_is_kept_once(stores: list[Store]) -> None:
    await stores[0].append("t", 0, rows(1), OPEN)
    for number in range(5):
        command = CommandKey("ann", str(number))
        outcomes = await attempted(*(store.note("t", 1, 2, str(number), command, 1) for store in stores * 3))
        assert outcomes == [1] * 6
        assert await stores[1].notes("t", 1) == {2: str(number)}


async def test_two_stores_that_write_to_the_same_tables_in_any_order_both_get_there(
    stores: list[Store],
) -> None:
    tables = [f"t{number}" for number in range(24)]

    async def everywhere(store: Store, order: list[str]) -> list[Any]:
        return await attempted(*(store.append(table, 0, rows(1), OPEN) for table in order))

    outcomes = await asyncio.gather(everywhere(stores[0], tables), everywhere(stores[1], tables[::-1]))
    assert kinds(outcomes[0] + outcomes[1]) == ["SequenceConflict"] * 24 + ["int"] * 24
    assert await stores[0].count() == 24


@on_postgresql
async def test_a_deadlock_is_undone_and_tried_again(postgresql: str) -> None:
    with (
        database_in(postgresql) as url,
        connected(url) as rival,
        connected(url) as gate,
        connected(url) as other_gate,
    ):
        # Of all connections in the deadlock, only the store's checks for one.
        rival.execute(f"ALTER DATABASE {rival.info.dbname} SET deadlock_timeout = '1ms'")
        rival.execute("SET deadlock_timeout = '1h'")
        store = open_store(url)
        names = (f"t{number}" for number in range(10, 99))
        one_thread = [name for name in names if hash(name) % PostgreSQL.writers == 0]
        before, *tables = one_thread[:4]
        for table in (before, *tables):
            await store.append(table, 0, rows(1), OPEN)
        lock(gate, before)
        waiting = asyncio.ensure_future(store.append(before, 1, rows(1), OPEN))
        await until_waiting(gate, 1)
        # These three arrive while the store is waiting, so they will share one transaction.
        together = asyncio.gather(*(store.append(table, 1, rows(1), OPEN) for table in tables))
        await asyncio.sleep(0)
        first, second, third = tables
        lock(other_gate, second)
        lock(rival, third)
        gate.execute("ROLLBACK")
        assert await waiting == 2
        # It holds the first lock and wants the second; a rival that holds the third wants the first.
        await until_waiting(gate, 1)
        locking = asyncio.ensure_future(asyncio.to_thread(rival.execute, LOCK, (first,)))
        await until_waiting(gate, 2)
        # Now it gets the second and wants the third: a deadlock. It gives way, so the rival has both.
        other_gate.execute("ROLLBACK")
        await locking
        assert not together.done()
        rival.execute("ROLLBACK")
        assert await together == [2, 2, 2]
        await store.close()


async def until_waiting(link: Any, count: int) -> None:
    """Wait until a number of connections to the database wait for a lock."""
    waiting = (
        "SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)"
        " WHERE NOT granted AND datname = current_database()"
    )
    while link.execute(waiting).fetchall() != [(count,)]:  # noqa: ASYNC110 - a database sets no events
        await asyncio.sleep(PAUSE)


LOCK = "UPDATE tables SET seq = seq WHERE id = %s"


def lock(link: Any, table: str) -> None:
    link.execute("BEGIN")
    link.execute(LOCK, (table,))


# Batches


async def test_a_refused_job_does_not_affect_its_neighbours(url: str, store: Store) -> None:
    await store.append("old", 0, rows(1), replace(OPEN, code="OLD"), ANN)
    with locked(url):
        calls = asyncio.gather(
            store.append("old", 1, rows(2), replace(OPEN, code="OLD"), CommandKey("ann", "2")),
            store.append("late", 7, rows(2), OPEN, ANN),
            store.append("old", 3, rows(2), replace(OPEN, code="OLD"), ANN),
            store.append("a", 0, rows(3), OPEN, ANN),
            store.append("thief", 0, rows(2), replace(OPEN, code="OLD"), ANN),
            store.append("a", 3, rows(1), OPEN, CommandKey("ann", "2")),
            store.append("a", 3, rows(1), OPEN, CommandKey("ann", "3")),
            store.append("odd", 0, [*rows(1), (2.0, None)], OPEN, ANN),  # type: ignore[list-item]
            store.append("odder", 0, rows(1), OPEN, CommandKey("ann", "\ud800")),
            store.append("b", 0, rows(1), OPEN, ANN),
            return_exceptions=True,
        )
        await asyncio.sleep(0)  # now all of them are waiting
    outcomes = await calls
    assert [type(outcome) for outcome in outcomes] == [
        *(
            int,
            SequenceConflict,
            AlreadyDone,
            int,
            CodeTaken,
            int,
            SequenceConflict,
            StoreError,
            StoreError,
            int,
        )
    ]
    assert {
        table: len(await store.load(table)) for table in ("old", "a", "b", "late", "thief", "odd", "odder")
    } == {
        "old": 3,
        "a": 4,
        "b": 1,
        "late": 0,
        "thief": 0,
        "odd": 0,
        "odder": 0,
    }
    assert await store.count() == 3
    assert await store.repeated("a", CommandKey("ann", "3")) is None


async def test_appends_to_one_table_are_written_in_the_order_of_the_calls(url: str, store: Store) -> None:
    await store.append("t", 0, rows(1), OPEN)
    with locked(url):
        calls = asyncio.gather(
            *(store.append("t", base, rows(1, start=base + 1), OPEN) for base in range(1, 300))
        )
        await asyncio.sleep(0)
    assert await calls == list(range(2, 301))
    assert [row.at for row in await store.load("t")] == list(range(1, 301))


async def test_when_too_much_waits_more_is_refused_until_it_is_written(url: str) -> None:
    store = open_store(url, max_waiting=8)
    engine = SQLite if url.startswith("sqlite") else PostgreSQL
    actor = engine.writers * engine.batch + 8
    with locked(url):
        calls = [
            asyncio.ensure_future(store.append(f"t{number}", 0, rows(1), OPEN))
            for number in range(actor + 50)
        ]
        await asyncio.sleep(0)
    outcomes = await attempted(*calls)
    written = outcomes.count(1)
    assert 8 <= written <= actor
    assert kinds(outcomes) == ["Overloaded"] * (len(outcomes) - written) + ["int"] * written
    assert await store.count() == written
    refused = next(outcome for outcome in outcomes if isinstance(outcome, Overloaded))
    assert "\n" not in str(refused)
    assert await store.append("later", 0, rows(1), OPEN) == 1
    await store.close()


async def test_someone_who_stops_waiting_disturbs_nobody(url: str, store: Store) -> None:
    with locked(url):
        calls = [asyncio.ensure_future(store.append(f"t{number}", 0, rows(1), OPEN)) for number in range(9)]
        await asyncio.sleep(0)
        calls[4].cancel()
    outcomes = await attempted(*calls)
    assert kinds(outcomes) == ["CancelledError"] + ["int"] * 8
    assert await store.append("t4", 1, rows(1), OPEN) == 2


async def test_closing_writes_what_waits_and_then_nothing_more(url: str) -> None:
    store = open_store(url)
    with locked(url):
        calls = asyncio.gather(*(store.append(f"t{number}", 0, rows(1), OPEN) for number in range(600)))
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(store.close())
        await asyncio.sleep(0)
        with pytest.raises(StoreError, match="the store is closed"):
            await store.append("late", 0, rows(1), OPEN)
    await closing
    again = open_store(url)
    assert await again.count() == 600
    await again.close()
    assert await calls == [1] * 600
    with pytest.raises(StoreError, match="the store is closed"):
        await store.load("t1")
    await store.close()
