"""`upcard serve` as a person uses it: what it refuses, what it shows, how it begins and how it ends."""

from __future__ import annotations

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

from tests.cli.running import Ran, Run, command, running
from tests.server.guests import SOME_MOVES, Guest, begun, get, play_on, post
from upcard.games import GAMES
from upcard.server.store import open_store

KEY = "a key of the length that is needed to sign"
PASSWORD = "hunter2"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder, and forget the settings of whoever runs the tests."""
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
        """All that it has written down."""
        return self._log.read_text("utf-8")

    def end(self, how: int) -> int:
        """End it, and return its exit code."""
        self.process.send_signal(how)
        return self.process.wait(60)


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


def ran(folder: Path, *arguments: str | Path) -> Ran:
    """Start a server that is not expected to stay."""
    with serving(folder, *arguments) as server:
        assert server.process.stdout is not None
        code = server.process.wait(60)
        return Ran(code, server.greeting + server.process.stdout.read(), server.log)


def complaint(ran: Ran) -> str:
    """What it says last: exit code 2, no address that nobody answers at, and no traceback."""
    assert ran.code == 2
    assert ran.out == ""
    assert "Traceback" not in ran.err
    last = ran.err.splitlines()[-1]
    assert last.startswith("upcard: ")
    return last.removeprefix("upcard: ")


def database(path: Path) -> str:
    return f"sqlite:///{path}"


# What is refused


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
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
            "secret should be at least 32 characters that nobody guesses, not (hidden) (from --secret)",
        ),
        (
            ["--database", "mysql://ann:hunter2@host/db"],
            (
                "database should be sqlite:///... or postgresql://..., "
                'not "mysql://ann:(hidden)@host/db" (from --database)'
            ),
        ),
        (["--bus", "http://host"], 'bus should be redis://... or nothing, not "http://host" (from --bus)'),
    ],
)
def test_a_bad_flag_gets_one_sentence(run: Run, flags: list[str], sentence: str) -> None:
    assert run("serve", *flags).mistake == sentence


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        (
            "UPCARD_PORT",
            "many",
            'port should be a whole number from 0 to 65535, not "many" (from UPCARD_PORT)',
        ),
        ("UPCARD_PROT", "1", "there is no setting UPCARD_PROT (in the environment); did you mean port?"),
        (
            "UPCARD_SECRET",
            "hunter2",
            "secret should be at least 32 characters that nobody guesses, not (hidden) (from UPCARD_SECRET)",
        ),
    ],
)
def test_a_bad_variable_gets_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert run("serve").mistake == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("port = 1.5", "port should be a whole number from 0 to 65535, not 1.5 (in {file})"),
        ("prot = 1", "there is no setting prot (in {file}); did you mean port?"),
        ('log = "xml"', 'log should be json or text, not "xml" (in {file})'),
    ],
)
def test_a_bad_file_gets_one_sentence(run: Run, tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "upcard.toml"
    file.write_text(text)
    assert run("serve", "--config", file).mistake == sentence.format(file=file)


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
    assert mistake == f"127.0.0.1:{port} cannot be listened at: Address already in use"


def test_a_host_that_does_not_exist_gets_one_sentence(run: Run) -> None:
    mistake = run("serve", "--host", "nowhere.invalid").mistake
    assert mistake.startswith("nowhere.invalid:8000 cannot be listened at: ")


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    open_store(database(path))
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("INSERT INTO versions (version) VALUES (999)")
        newer.commit()
    mistake = complaint(ran(tmp_path, "--database", database(path)))
    assert mistake.startswith("the database has version 999 and this Upcard knows versions up to ")
    assert mistake.endswith(": install a newer Upcard")


def test_a_database_that_is_none_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, this is no database. " * 100)
    assert (
        complaint(ran(tmp_path, "--database", database(path))) == f"the database {path}: it is not a database"
    )
    assert path.read_text().startswith("Dear Ann, this is no database. ")


def test_a_bus_that_cannot_be_reached_gets_one_sentence(tmp_path: Path) -> None:
    with closing(socket.socket()) as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        address = f"redis://:hunter2@127.0.0.1:{nobody.getsockname()[1]}/0"
        mistake = complaint(ran(tmp_path, "--bus", address))
    assert mistake.startswith("the bus cannot be reached: ")
    assert PASSWORD not in mistake


def test_a_bus_that_is_no_address_is_refused_without_its_password(tmp_path: Path) -> None:
    refused = ran(tmp_path, "--bus", "redis://:hunter2@127.0.0.1:port/0")
    assert PASSWORD not in refused.out + refused.err
    assert complaint(refused) == "the bus should be redis://HOST:PORT"


# What is shown


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


# How it begins


def test_who_is_told_the_address_is_answered_there(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.greeting == f"Upcard is at {server.url} (Ctrl-C ends it)\n"
        assert get(f"{server.url}/healthz").json() == {"status": "ok", "tables": 0}


def test_tables_and_key_are_made_in_the_data_folder_and_are_for_their_owner_alone(
    tmp_path: Path, home: Path
) -> None:
    with serving(tmp_path) as server:
        get(f"{server.url}/healthz")
        kept = {file.name: stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()}
    assert kept.keys() >= {"secret.key", "tables.db"}
    assert set(kept.values()) == {0o600}


def test_the_folder_of_a_database_is_made_if_it_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "a" / "new" / "folder" / "tables.db"
    with serving(tmp_path, "--database", database(path)) as server:
        assert get(f"{server.url}/healthz").json()["status"] == "ok"
    assert path.is_file()


def test_settings_come_from_a_file_and_from_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "upcard.toml"
    file.write_text('metrics = "off"\nmax_body = 1024\n')
    with serving(tmp_path, "--config", file, UPCARD_MAX_BODY="2048") as server:
        assert get(f"{server.url}/metrics").status_code == 404
        problem = post(f"{server.url}/api/session", json={"x": "y" * 3000}).json()
        assert problem["detail"] == "the body may have 2048 bytes"


def test_nothing_slow_is_loaded_before_it_is_needed() -> None:
    """The compiler, the drivers of other databases and the plots take longer to load than all the rest."""
    code = "import sys, upcard.server.serve; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "upcard.server.hall" in loaded.stdout.split()
    assert not {"numba", "numpy", "psycopg", "redis", "plotly"} & set(loaded.stdout.split())


# How it ends


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_well_when_it_is_told_to_and_says_goodbye(tmp_path: Path, how: int) -> None:
    with serving(tmp_path) as server:
        table, guests = begun(server.url, "lines")
        with guests[0].stream(table) as events:
            assert next(events).kind == "state"
            threading.Timer(0, server.end, (how,)).start()
            assert [told.kind for told in events] == ["bye"]
        assert server.process.wait(60) == 0
        last = json.loads(server.log.splitlines()[-1])
        assert last["event"].startswith("Finished server process")


def test_games_go_on_where_they_were_when_the_server_comes_back(tmp_path: Path) -> None:
    high = {"UPCARD_BURST": "1000000", "UPCARD_COMMANDS_PER_SECOND": "1000000"}
    with serving(tmp_path, **high) as server:
        tables = [begun(server.url, game) for game in GAMES]
        for table, guests in tables:
            play_on(table, guests, random.Random(1), most=SOME_MOVES)
        before = [guest.look(table) for table, guests in tables for guest in guests]
        server.end(signal.SIGTERM)
    with serving(tmp_path, **high) as server:
        again = [Guest(server.url, guest.token).look(table) for table, guests in tables for guest in guests]
    assert again == before
    assert {state["phase"] for state in again} == {"playing"}


# What it writes down


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
