"""`upcard serve` as a person uses it: refusals, output, start and end."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli.running import Run, command, running
from tests.server.guests import SOME_MOVES, Guest, begun, get, play_on, post
from upcard.games import GAMES
from upcard.server.store import open_store

KEY = "a key of the length that is needed to sign"
PASSWORD = "hunter2"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder, and remove the settings of the person who runs the tests."""
    for name in list(os.environ):
        if name.startswith("UPCARD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *names: str(tmp_path / "data" / "upcard"))
    return tmp_path / "data" / "upcard"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)


class Serving:
    """A server in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process = process
        self._log = log
        assert process.stdout is not None
        self.greeting = process.stdout.readline()

    @property
    def url(self) -> str:
        assert self.greeting, self.log
        return self.greeting.split()[3]

    @property
    def log(self) -> str:
        """Its log so far."""
        return self._log.read_text("utf-8")

    def end(self, how: int) -> int:
        """End it, and return its exit code."""
        self.process.send_signal(how)
        return self.process.wait()


@contextmanager
def serving(folder: Path, *arguments: str | Path, **environment: str) -> Iterator[Serving]:
    """Start a server on a free port."""
    log = folder / "log"
    with log.open("w") as file:
        process = subprocess.Popen(
            command("serve", "--port", "0", *arguments),
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
            env=os.environ | environment,
        )
    try:
        yield Serving(process, log)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def database(path: Path) -> str:
    return f"sqlite:///{path}"


# Refusals


def test_a_bad_flag_gets_one_sentence(run: Run) -> None:
    for flags, sentence in (
        (["--port", "x"], "--port should be a whole number, not 'x'"),
        (["--port", "70000"], "port should be a whole number from 0 to 65535, not 70000 (from --port)"),
        (["--prot", "1"], "unknown option: --prot. Did you mean --port?"),
        (["somewhere"], "too many arguments: 'somewhere'"),
        (["--set", "burst"], "a setting is written name=value, not 'burst'"),
        (["--set", "burst=x"], 'burst should be a number from 1 to 1000000, not "x" (from --burst)'),
        (
            ["--set", "brust=1"],
            "there is no setting --brust (among the flags); did you mean burst?",
        ),
        (
            ["--set", "secret=hunter2"],
            "secret should be at least 32 characters that cannot be guessed, not (hidden) (from --secret)",
        ),
        (
            ["--database", "mysql://ann:hunter2@host/db"],
            (
                "database should be sqlite:///... or postgresql://..., "
                'not "mysql://ann:(hidden)@host/db" (from --database)'
            ),
        ),
        (["--bus", "http://host"], 'bus should be redis://... or nothing, not "http://host" (from --bus)'),
    ):
        assert run("serve", *flags).mistake == sentence


def test_a_bad_variable_gets_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value, sentence in (
        (
            "UPCARD_PORT",
            "many",
            'port should be a whole number from 0 to 65535, not "many" (from UPCARD_PORT)',
        ),
        ("UPCARD_PROT", "1", "there is no setting UPCARD_PROT (in the environment); did you mean port?"),
        (
            "UPCARD_SECRET",
            "hunter2",
            (
                "secret should be at least 32 characters that cannot be guessed, "
                "not (hidden) (from UPCARD_SECRET)"
            ),
        ),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(variable, value)
            assert run("serve").mistake == sentence


def test_a_bad_file_gets_one_sentence(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "upcard.toml"
    for text, sentence in (
        ("port = 1.5", f"port should be a whole number from 0 to 65535, not 1.5 (in {file})"),
        ("prot = 1", f"there is no setting prot (in {file}); did you mean port?"),
        ('log = "xml"', f'log should be json or text, not "xml" (in {file})'),
    ):
        file.write_text(text)
        assert run("serve", "--config", file).mistake == sentence


def test_a_file_that_is_not_there_or_no_toml_gets_one_sentence(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "upcard.toml"
    cannot = f"the settings in {file} cannot be read: No such file or directory"
    assert run("serve", "--config", file).mistake == cannot
    file.write_text("port = ")
    assert run("serve", "--config", file).mistake.startswith(f"the settings in {file} are not TOML: ")


def test_a_port_that_is_taken_gets_one_sentence(run: Run) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        mistake = run("serve", "--port", str(port)).mistake
    assert mistake == f"the server cannot listen on 127.0.0.1:{port}: Address already in use"


def test_a_server_that_cannot_start_closes_its_database(run: Run) -> None:
    before = set(threading.enumerate())
    assert run("serve", "--host", "nowhere.invalid").mistake
    assert run("serve", "--bus", "redis://127.0.0.1:port/0").mistake
    assert set(threading.enumerate()) <= before


def test_a_host_that_does_not_exist_gets_one_sentence(run: Run) -> None:
    mistake = run("serve", "--host", "nowhere.invalid").mistake
    assert mistake.startswith("the server cannot listen on nowhere.invalid:8000: ")


def test_a_database_of_a_newer_version_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    asyncio.run(open_store(database(path)).close())
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("INSERT INTO versions (version) VALUES (999)")
        newer.commit()
    mistake = run("serve", "--database", database(path)).mistake
    assert mistake.startswith("the database has version 999 and this Upcard knows versions up to ")
    assert mistake.endswith(": install a newer Upcard")


def test_a_file_that_is_not_a_database_is_refused_and_left_unchanged(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, this is no database. " * 100)
    mistake = run("serve", "--database", database(path)).mistake
    assert mistake == f"the database {path}: it is not a database"
    assert path.read_text().startswith("Dear Ann, this is no database. ")


def test_a_bus_that_cannot_be_reached_gets_one_sentence(run: Run) -> None:
    with closing(socket.socket()) as nobody:
        nobody.bind(("127.0.0.1", 0))  # bound, but not listening
        address = f"redis://:hunter2@127.0.0.1:{nobody.getsockname()[1]}/0"
        mistake = run("serve", "--bus", address).mistake
    assert mistake.startswith("the bus cannot be reached: ")
    assert PASSWORD not in mistake


def test_an_invalid_address_of_a_bus_is_refused_without_its_password(run: Run) -> None:
    refused = run("serve", "--bus", "redis://:hunter2@127.0.0.1:port/0")
    assert refused.mistake == "the bus should be redis://HOST:PORT"


# Output


def test_show_lists_every_setting_with_its_source_and_nothing_secret(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: Path
) -> None:
    file = tmp_path / "upcard.toml"
    file.write_text(f'bus = "redis://:{PASSWORD}@host/0"\nkeep_days = 30\n')
    monkeypatch.setenv("UPCARD_SECRET", KEY)
    shown = run(
        "serve", "--show", "--config", file, "--database", f"postgresql://ann:{PASSWORD}@host/db", "--port", 0
    )
    assert (shown.code, shown.err) == (0, "")
    assert KEY not in shown.out
    assert PASSWORD not in shown.out
    lines = dict(line.split(" = ", 1) for line in shown.out.splitlines())
    assert lines["secret"].split() == ["(hidden)", "#", "from", "UPCARD_SECRET"]
    assert lines["database"].split() == ['"postgresql://ann:(hidden)@host/db"', "#", "from", "--database"]
    assert lines["bus"].startswith('"redis://:(hidden)@host/0"')
    assert lines["keep_days"].endswith(f"# in {file}")
    assert lines["max_body"].split() == ["16384", "#", "default"]
    assert not home.exists(), "nothing was made by showing"


def test_any_setting_can_be_a_flag(run: Run) -> None:
    shown = run(
        "serve", "--show", "--set", "burst=100", "--set", "keep_days=3", "--set", "proxies=10.0.0.1,unix"
    )
    assert (shown.code, shown.err) == (0, "")
    lines = dict(line.split(" = ", 1) for line in shown.out.splitlines())
    assert lines["burst"].split()[0] == "100.0"
    assert lines["keep_days"].split()[0] == "3"
    assert lines["proxies"].startswith('["10.0.0.1", "unix"]')


# Start


def test_without_any_settings_it_serves_tables_that_are_for_their_owner_alone(
    tmp_path: Path, home: Path
) -> None:
    with serving(tmp_path) as server:
        assert server.greeting == f"Upcard is at {server.url} (Ctrl-C ends it)\n"
        assert get(f"{server.url}/healthz").json() == {"status": "ok", "tables": 0}
        kept = {file.name: stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()}
        assert kept.keys() >= {"secret.key", "tables.db"}
        assert set(kept.values()) == {0o600}
        check_goodbye(server, signal.SIGINT)


def test_nothing_slow_is_loaded_before_it_is_needed() -> None:
    """The compiler, the drivers of other databases and the plots take longer to load than everything else
    together."""
    code = "import sys, upcard.server.ops.serve; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "upcard.server.runtime.tables" in loaded.stdout.split()
    assert not {"numba", "numpy", "psycopg", "redis", "plotly"} & set(loaded.stdout.split())


# End


def check_goodbye(server: Serving, how: signal.Signals) -> None:
    """Stop a server, and check that it ends well and tells everyone who watches a table."""
    table, guests = begun(server.url, "lines")
    with guests[0].stream(table) as events:
        assert next(events).kind == "state"
        server.process.send_signal(how)
        assert [told.kind for told in events] == ["bye"]
    assert server.process.wait() == 0
    last = json.loads(server.log.splitlines()[-1])
    assert last["event"].startswith("Finished server process")


def test_games_continue_where_they_were_when_the_server_comes_back(tmp_path: Path) -> None:
    file, path = tmp_path / "upcard.toml", tmp_path / "a" / "new" / "folder" / "tables.db"
    file.write_text('metrics = "off"\nmax_body = 1024\nburst = 1000000\n')
    flags = "--config", file, "--database", database(path)
    with serving(tmp_path, *flags, UPCARD_MAX_BODY="2048") as server:
        # The settings are from the file, except where the environment has others.
        assert get(f"{server.url}/metrics").status_code == 404
        problem = post(f"{server.url}/api/session", json={"x": "y" * 3000}).json()
        assert problem["detail"] == "the body may have 2048 bytes"
        assert path.is_file()
        tables = [begun(server.url, game) for game in GAMES]
        for table, guests in tables:
            play_on(table, guests, random.Random(1), most=SOME_MOVES)
        before = [guest.look(table) for table, guests in tables for guest in guests]
        check_goodbye(server, signal.SIGTERM)
    with serving(tmp_path, *flags) as server:
        again = [Guest(server.url, guest.token).look(table) for table, guests in tables for guest in guests]
    assert again == before
    assert {state["phase"] for state in again} == {"playing"}


# Log


def test_nothing_that_only_players_should_know_is_in_the_log(tmp_path: Path) -> None:
    secret = {"UPCARD_SECRET": KEY, "UPCARD_LOG_LEVEL": "debug"}
    path = tmp_path / "tables.db"
    with serving(tmp_path, "--database", database(path), **secret) as server:
        table, guests = begun(server.url, "stacks")
        played = play_on(table, guests, random.Random(1), most=3)
        phone = Guest(server.url)
        code = guests[0].do(table, "hand-over").json()["code"]
        phone.post("/api/take-seat", code=code)
        short = phone.look(phone.open("lines"))["code"]
        guests[1].post("/api/join", code=short)
        phone.http.get("/api/tables", params={"token": phone.token})
        phone.http.get(f"/api/tables/{phone.token}")
        phone.http.get("/api/tables", headers={"Authorization": f"Bearer {phone.token}x"})
        with closing(sqlite3.connect(path)) as tables:
            [(opened,)] = tables.execute("SELECT body FROM entries WHERE table_id = ? AND seq = 1", (table,))
        server.end(signal.SIGINT)
        log = server.log
    lines = [json.loads(line) for line in log.splitlines()]
    assert len([line for line in lines if line["event"] == "request"]) > 10
    assert f"/api/tables/{table}/play" in log
    names = [seat["name"] for seat in played["seats"]]
    for hidden in (
        KEY,
        json.loads(opened)["secret"],
        code,
        code.replace("-", ""),
        short,
        phone.token,
        *(guest.token for guest in guests),
        *names,
        "127.0.0.1",
        "?",
    ):
        assert hidden not in log
