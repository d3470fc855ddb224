"""A failing database: callers get one sentence, and everything works again when the failure is over."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.server.servers import Postgres
from tests.server.store.databases import (
    OPEN,
    connected,
    database_in,
    empty,
    hang_up_on_everyone,
    locked,
    on_postgresql,
    rows,
)
from tests.waiting import PAUSE
from upcard.server.store import (
    AlreadyDone,
    CommandKey,
    Row,
    Store,
    StoreError,
    open_store,
    sql,
    sqlite,
    threads,
)
from upcard.server.store.engine import Undone
from upcard.server.store.postgresql import PostgreSQL

pytestmark = pytest.mark.anyio


async def test_a_database_that_does_not_answer_in_time_is_reported(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as impatient:
        impatient.setattr(threads, "DEADLINE", 0)
        with pytest.raises(StoreError, match="does not answer"):
            await store.load("t")
        with pytest.raises(StoreError, match="does not answer"):
            await store.append("t", 0, rows(1), OPEN, CommandKey("ann", "1"))
    # It was written all the same, as repeating the command shows.
    with pytest.raises(AlreadyDone):
        await store.append("t", 0, rows(1), OPEN, CommandKey("ann", "1"))


async def test_a_caller_can_be_cancelled_at_the_moment_when_the_answer_arrives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that stops cancels the tasks that wait for the database, and then waits for them to end."""
    monkeypatch.setattr(threads, "DEADLINE", 3600.0)
    answered: list[int] = []

    async def ask(answer: asyncio.Future[int]) -> None:
        answered.append(await threads.in_time(answer))

    answer = asyncio.get_running_loop().create_future()
    caller = asyncio.create_task(ask(answer))
    await asyncio.sleep(0)
    answer.set_result(1)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert not answered


async def test_no_error_ends_the_thread_that_writes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: Any) -> int:
        raise SystemExit("a library gives up")

    with monkeypatch.context() as trouble:
        trouble.setattr(sql, "append", broken)
        with pytest.raises(StoreError, match="gives up"):
            await store.append("t", 0, rows(1), OPEN)
    assert await store.append("t", 0, rows(1), OPEN) == 1


# SQLite


@contextlib.contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Make the system refuse larger files, as on a full disk."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def append_until_it_fails(store: Store, base: int) -> tuple[int, StoreError]:
    """Return the last acknowledged number, and the error that followed."""
    for number in range(base + 1, base + 1000):
        try:
            base = await store.append(
                "t", base, [(number, b"x" * 1000)], OPEN, CommandKey("ann", str(number))
            )
        except StoreError as error:
            return base, error
    raise AssertionError("it never fails")


@pytest.mark.skipif(os.name != "posix", reason="the size of files cannot be limited on this system")
async def test_a_disk_that_takes_no_more_is_reported_and_used_again_when_it_does(tmp_path: Path) -> None:
    store = open_store(f"sqlite://{tmp_path}/tables.db")
    seq = 0
    for size in (200_000, 400_000):
        with files_no_larger_than(size):
            seq, error = await append_until_it_fails(store, seq)
            assert "tables.db: the disk" in str(error)
            assert [row.seq for row in await store.load("t")] == list(range(1, seq + 1))
        seq = await store.append("t", seq, rows(1), OPEN, CommandKey("ann", str(seq + 1)))
    assert [row.seq for row in await store.load("t")] == list(range(1, seq + 1))
    await store.close()


def test_a_full_disk_is_called_so(tmp_path: Path) -> None:
    link = sqlite.SQLite(tmp_path / "tables.db").connect()
    link.run("CREATE TABLE bodies (body BYTEA)")
    link.ask("PRAGMA max_page_count = 50")
    with pytest.raises(StoreError, match=r"tables\.db: the disk is full"):
        link.run("INSERT INTO bodies (body) VALUES (?)", (bytes(1_000_000),))
    link.close()


@contextlib.contextmanager
def as_someone_without_rights() -> Iterator[None]:
    """Root may write everywhere, so switch to another user for a moment."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.skipif(os.name != "posix", reason="rights are something else on this system")
@pytest.mark.parametrize("mode", [0o444, 0o666])
def test_a_file_that_cannot_be_written_is_refused_until_it_can_be(mode: int) -> None:
    # Not in the folder of the test, which only its owner can enter.
    with tempfile.TemporaryDirectory() as made:
        folder, file = Path(made), Path(made, "tables.db")
        leave_a_table(file)
        file.chmod(mode)
        folder.chmod(0o555)
        with (
            as_someone_without_rights(),
            pytest.raises(StoreError, match=r"tables\.db.*(Permission denied|cannot be opened|read-only)"),
        ):
            leave_a_table(file)
        folder.chmod(0o755)
        file.chmod(0o600)
        assert leave_a_table(file) == 2


def leave_a_table(file: Path) -> int:
    """Add a table, and return how many there are then."""

    async def leave() -> int:
        store = open_store(f"sqlite://{file}")
        await store.append(str(await store.count()), 0, rows(1), OPEN)
        count = await store.count()
        await store.close()
        return count

    return asyncio.run(leave())


async def test_a_file_that_another_program_keeps_locked_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.01)
    url = f"sqlite://{tmp_path}/tables.db"
    store = open_store(url)
    with locked(url):
        with pytest.raises(StoreError, match=r"tables\.db: another program keeps it locked"):
            await store.append("t", 0, rows(1), OPEN)
        with pytest.raises(StoreError, match=r"tables\.db: another program keeps it locked"):
            open_store(url)
    assert await store.append("t", 0, rows(1), OPEN) == 1
    await store.close()


async def test_a_store_waits_while_another_program_creates_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_vain, really = [], sqlite._Connection.log_ahead

    def log_ahead(link: sqlite._Connection) -> bool:
        done = really(link)
        if not done:
            in_vain.append(link)
        return done

    monkeypatch.setattr(sqlite._Connection, "log_ahead", log_ahead)
    url = f"sqlite://{tmp_path}/tables.db"
    with connected(url) as link:
        link.execute("CREATE TABLE something (new TEXT)")
        link.execute("BEGIN IMMEDIATE")
        opening = asyncio.ensure_future(asyncio.to_thread(open_store, url))
        while not (in_vain or opening.done()):  # noqa: ASYNC110 - a lock sets no events
            await asyncio.sleep(PAUSE)
        assert in_vain
        link.execute("ROLLBACK")
    store = await opening
    assert await store.count() == 0
    await store.close()


# PostgreSQL


@pytest.fixture
def database(postgresql: str) -> Iterator[str]:
    with database_in(postgresql) as url:
        yield url


@on_postgresql
async def test_connections_that_break_are_made_again_without_a_word(database: str) -> None:
    store = open_store(database)
    for base in range(5):
        assert await store.append("t", base, rows(1), OPEN) == base + 1
        assert len(await store.load("t")) == base + 1
        hang_up_on_everyone(database)
    await store.close()


def cut(link: Any) -> None:
    """Cut a connection without notice, as a network does."""
    with socket.socket(fileno=os.dup(link._raw.fileno())) as line:
        line.shutdown(socket.SHUT_RDWR)


@on_postgresql
def test_whether_something_was_written_is_uncertain_only_if_the_connection_broke_at_the_commit(
    database: str,
) -> None:
    for broken, error in enumerate((Undone, Undone, StoreError)):
        with contextlib.closing(PostgreSQL(database).connect()) as link:
            create = partial(link.run, "CREATE TABLE something (new TEXT)")
            steps: list[Callable[[], object]] = [link.begin, create, link.commit]
            for step in steps[:broken]:
                step()
            cut(link)
            with pytest.raises(StoreError) as raised:
                steps[broken]()
            assert type(raised.value) is error


@on_postgresql
async def test_a_server_that_is_read_only_is_reported_and_used_again_when_it_is_not(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "PAUSES", (0.0, 0.01))
    store = open_store(database)
    await store.append("t", 0, rows(1), OPEN)
    with connected(database) as link:
        name = link.info.dbname
        link.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        hang_up_on_everyone(database)
    for _ in range(2):
        with pytest.raises(StoreError, match="read-only transaction"):
            await store.append("t", 1, rows(1), OPEN)
        assert len(await store.load("t")) == 1
    with connected(database) as link:
        link.execute("SET default_transaction_read_only = off")
        link.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    assert await store.append("t", 1, rows(1), OPEN) == 2
    await store.close()


async def written(store: Store, table: str, number: int) -> None:
    """Append an entry, repeatedly until it is known to be written."""
    while True:
        try:
            await store.append(table, number - 1, rows(1, number), OPEN, CommandKey("ann", str(number)))
        except AlreadyDone:
            return
        except StoreError:
            await asyncio.sleep(PAUSE)
        else:
            return


async def all_written(store: Store, table: str, numbers: range) -> None:
    for number in numbers:
        await written(store, table, number)


async def end_again_and_again(postgres: Postgres, times: int, entries: int) -> None:
    """Stop and kill a server in turn while tables are written; check that everything is stored exactly
    once."""
    empty(postgres.url)
    store = open_store(postgres.url)
    tables = [f"t{number}" for number in range(8)]
    for number in range(times):
        numbers = range(number * entries + 1, (number + 1) * entries + 1)
        # It is unknown how far they get before the server ends, and they continue afterwards.
        writing = [asyncio.ensure_future(all_written(store, table, numbers)) for table in tables]
        await written(store, tables[0], numbers[0])
        await asyncio.to_thread((postgres.stop, postgres.kill)[number % 2])
        await asyncio.to_thread(postgres.start)
        await asyncio.gather(*writing)
        for table in tables:
            wanted = enumerate(rows(numbers[-1]), 1)
            assert await store.load(table) == [Row(seq, *row) for seq, row in wanted]
    await store.close()


@on_postgresql
async def test_a_server_that_stops_or_dies_and_comes_back_has_lost_and_doubled_nothing(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "PAUSES", (0.0, 0.01))
    await end_again_and_again(postgres, times=2, entries=5)


@pytest.mark.soak
@on_postgresql
async def test_a_server_that_dies_fifty_times_has_lost_and_doubled_nothing(postgres: Postgres) -> None:
    await end_again_and_again(postgres, times=50, entries=50)


@on_postgresql
async def test_a_server_that_does_not_come_back_is_reported_to_everyone_who_waits(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "PAUSES", (0.0, 0.01))
    empty(postgres.url)
    store = open_store(postgres.url)
    await store.append("t", 0, rows(1), OPEN)
    postgres.stop()
    try:
        calls = [store.append(f"t{number}", 0, rows(1), OPEN) for number in range(200)]
        for error in await asyncio.gather(*calls, store.load("t"), return_exceptions=True):
            assert isinstance(error, StoreError)
            assert str(error).startswith("the database")
            assert "\n" not in str(error)
        await store.close()
    finally:
        postgres.start()
