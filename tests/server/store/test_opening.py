"""Opening a database: a new one, an old one, one from the future, and none at all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.store.databases import ON_POSTGRESQL, OPEN, connected, database_in, rows, script
from upcard.server.store import Attendee, CommandKey, Handover, Row, StoreError, open_store, versions

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def test_an_address_of_an_unknown_kind_gets_a_sentence_without_its_secrets(subtests: pytest.Subtests) -> None:
    known = r"is not known: use sqlite:///path/to/file\.db or postgresql://"
    for address in (
        *("mysql://ann:secret@host/db", "games.db", "", "sqlite:", "sqlite://", "postgresqlite:secret"),
    ):
        with subtests.test(address), pytest.raises(StoreError, match=known) as error:
            open_store(address)
        assert "secret" not in str(error.value), address


def test_a_wrong_address_of_postgresql_gets_a_sentence_without_its_secrets(subtests: pytest.Subtests) -> None:
    wrong = "the address of the database is not a PostgreSQL address"
    for address in ("postgresql://ann:secret@[host/db", "postgresql://ann:secret@host/db?what=1"):
        with subtests.test(address), pytest.raises(StoreError, match=wrong) as error:
            open_store(address)
        assert "secret" not in str(error.value), address


def test_a_server_that_is_not_there_gets_a_sentence() -> None:
    with pytest.raises(StoreError, match=r"the database cannot be reached: .*127\.0\.0\.1") as error:
        open_store("postgresql://ann:secret@127.0.0.1:1/tables")
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)


def test_postgresql_without_its_packages_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "upcard.server.store.postgresql", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'upcard\[cluster\]'"):
        open_store("postgresql://127.0.0.1/tables")


def test_sqlite_needs_no_more_packages(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['psycopg'] = None; from upcard.server.store import open_store;"
        "open_store(sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", code, f"sqlite://{tmp_path}/tables.db"], check=True)
    assert (tmp_path / "tables.db").exists()


async def test_a_file_is_made_with_its_folders_for_the_eyes_of_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "100%41" / "tables #1?.db"
    store = open_store(f"sqlite:///{path}")  # an extra slash is accepted
    await store.append("t", 0, rows(1), OPEN)
    assert path.is_file()
    if os.name == "posix":
        assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    await store.close()


def test_a_file_that_is_not_a_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 500)
    with pytest.raises(StoreError, match=r"letter\.txt: it is not a database"):
        open_store(f"sqlite://{path}")
    assert path.read_text() == "Dear Ann, " * 500


def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened: Is a directory"):
        open_store(f"sqlite://{tmp_path}")


# Versions


async def test_a_database_of_version_1_opens(url: str) -> None:
    kind = url.partition(":")[0]
    script(
        url, (HERE / "old" / {"sqlite": "1.sql", "postgresql": "1.postgresql.sql"}[kind]).read_text("utf-8")
    )
    store = open_store(url)
    assert await store.count() == 3
    assert await store.load("garden") == [
        Row(1, 1700000000.25, '{"kind": "opened", "by": "Zoë"}'.encode()),
        Row(2, 1700000001.5, b'{"kind": "moved", "seat": 1, "move": "stock 1"}'),
        Row(3, 1700000002.0, bytes(range(256))),
    ]
    assert len(await store.load("attic")) == 1
    assert await store.find_code("RSVP") == "garden"
    await store.attend([Attendee("garden", "ann", b"here", 1.0)], 0.0)
    assert await store.public(9, 1.0) == ["garden"]
    assert await store.due(1800000000.0, 9) == [("cellar", 1700000060.5)]
    assert await store.idle(1800000000.0, 9) == ["garden", "cellar"]
    assert await store.repeated("garden", CommandKey("zoë", "c1")) == 2
    assert await store.notes("cellar", 1) == {2: "block"}
    assert await store.find_handover(bytes(range(32)), 1700000000.0) == Handover("garden", 2, "", "")
    assert await store.append("garden", 3, rows(1), OPEN) == 4
    await store.close()


async def test_the_players_of_an_older_database_find_their_tables(url: str) -> None:
    store = open_store(url)
    sat = [
        (1.0, b'{"kind": "sat", "seat": %d, "person": "%s"}' % (1 + seat, who))
        for seat, who in enumerate((b"ann", b"ben"))
    ]
    moved = (2.0, b'{"kind": "handed_over", "seat": 2, "person": "kim"}')
    await store.append("t", 0, [*sat, moved], OPEN)
    await store.close()
    with connected(url) as link:
        later = "".join(statement for number in versions.migrations()[4:] for statement in number)
        for name in re.findall(r"CREATE TABLE (\w+)", later):
            link.execute(f"DROP TABLE {name}")
        link.execute("DELETE FROM versions WHERE version >= 5")
        link.commit()
    store = open_store(url)
    assert [await store.tables_of(person, 9) for person in ("ann", "ben", "kim")] == [["t"], [], ["t"]]
    await store.close()


async def test_an_older_database_is_brought_up_to_date_and_an_older_program_refuses_a_newer_one(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(url)
    await store.append("t", 0, rows(2), OPEN)
    await store.close()
    with monkeypatch.context() as later:
        known = versions.migrations()
        later.setattr(versions, "migrations", lambda: [*known, ["ALTER TABLE tables ADD COLUMN mood TEXT"]])
        for _ in range(2):
            store = open_store(url)
            assert len(await store.load("t")) == 2
            await store.close()
    with connected(url) as link:
        assert link.execute("SELECT id, mood FROM tables").fetchall() == [("t", None)]
    latest = len(known)
    wanted = rf"has version {latest + 1} and .* up to {latest}: install a newer Upcard"
    with pytest.raises(StoreError, match=wanted):
        open_store(url)


def test_a_migration_that_fails_leaves_nothing_behind(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(versions, "migrations", lambda: [["CREATE TABLE tables (id TEXT)", "CREATE NONSENSE"]])
        with pytest.raises(StoreError, match="NONSENSE"):
            open_store(url)
    with connected(url) as link, pytest.raises(Exception, match="tables"):
        link.execute("SELECT * FROM tables")


async def test_stores_that_open_an_empty_database_at_the_same_time_all_get_it(url: str) -> None:
    stores = await asyncio.gather(*(asyncio.to_thread(open_store, url) for _ in range(4)))
    for number, store in enumerate(stores):
        await store.append(f"t{number}", 0, rows(1), OPEN)
    assert [await store.count() for store in stores] == [4] * 4
    for store in stores:
        await store.close()


def started() -> subprocess.Popen[str]:
    """Start a program that opens databases."""
    command = [sys.executable, "-m", "tests.server.store.opening"]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def all_open(programs: list[subprocess.Popen[str]], url: str) -> None:
    """Name a database to all programs at the same time, and wait until they are done with it."""
    for program in programs:
        assert program.stdin is not None
        print(url, file=program.stdin, flush=True)
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "done\n"


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sqlite", ON_POSTGRESQL])
async def test_programs_that_open_an_empty_database_at_the_same_time_all_get_it(
    request: pytest.FixtureRequest, kind: str, tmp_path: Path
) -> None:
    with contextlib.ExitStack() as stack:
        programs = [stack.enter_context(started()) for _ in range(3)]
        for number in range(20):
            if kind == "sqlite":
                url = f"sqlite://{tmp_path}/{number}.db"
            else:
                url = stack.enter_context(database_in(request.getfixturevalue("postgresql")))
            all_open(programs, url)
            store = open_store(url)
            assert await store.count() == 3
            await store.close()
        for program in programs:
            program.communicate()
            assert program.returncode == 0
