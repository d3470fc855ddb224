"""A bare `upcard`: the server is open to everyone in the network, and a browser shows it."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import Run, command, running
from tests.server.guests import get
from tests.waiting import wait_until
from upcard.server.config import Settings
from upcard.server.http.addresses import url_of
from upcard.server.ops import serve
from upcard.server.ops.instance_lock import AlreadyServing, instance_lock
from upcard.server.store import Store, open_store


class Home:
    """The folder in which a bare `upcard` keeps its tables, and a browser that records the pages it is
    given."""

    def __init__(self, folder: Path) -> None:
        self._shown = folder / "shown"
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" >> {self._shown}\n')
        browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
        self._folder = folder
        self.environment = {
            "BROWSER": str(browser),
            "XDG_DATA_HOME": str(folder),
            "UPCARD_DATABASE": f"sqlite:///{folder}/tables.db",
            # A machine with a public address would ask before it does this.
            "UPCARD_HOST": "0.0.0.0",
        }

    @property
    def shown(self) -> list[str]:
        return self._shown.read_text().splitlines() if self._shown.exists() else []

    @contextmanager
    def open(self, *arguments: str) -> Iterator[list[str]]:
        """Start it; yield the lines that it prints before the one on how to stop it."""
        with subprocess.Popen(
            command(*arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline()]
            while process.poll() is None and "█▄▄▄▄▄▄▄█" not in lines[-1]:
                lines.append(process.stdout.readline())
            try:
                yield lines
            finally:
                process.kill()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    for name in list(os.environ):
        if name.startswith("UPCARD_") and name != "UPCARD_CACHE":
            monkeypatch.delenv(name)
    home = Home(tmp_path)
    for name, value in home.environment.items():
        monkeypatch.setenv(name, value)
    return home


@pytest.fixture
def nobody_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let servers end as soon as they have started."""
    opened: list[Store] = []

    def open_and_keep(url: str) -> Store:
        opened.append(open_store(url))
        return opened[-1]

    def serve_nobody(_app: object, listening: socket.socket, started: Callable[[], None]) -> None:
        started()
        listening.close()
        asyncio.run(opened[-1].close())

    monkeypatch.setattr(serve, "open_store", open_and_keep)
    monkeypatch.setattr(serve, "_serve", serve_nobody)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)


def url_in(lines: list[str]) -> str:
    assert lines[0].startswith("Upcard is at http://127.0.0.1:")
    return lines[0].split()[3]


def test_a_bare_upcard_opens_the_first_page_and_shows_phones_the_way(
    home: Home, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with home.open("--port", "0") as lines:
        url = url_in(lines)
        wait_until(lambda: home.shown == [url])
        assert "<upcard-home" in get(url).text
        port = url.rpartition(":")[2]
        assert any(line.startswith("Everyone at home can join at http://") and port in line for line in lines)
        # A second start uses the same tables.
        shown: list[str] = []
        monkeypatch.setattr("webbrowser.open", shown.append)
        again = run("--port", "0")
        assert (again.code, again.out, again.err) == (0, f"Upcard is already at {url}\n", "")
        assert shown == [url]
        mistake = run("serve", "--port", "0").mistake
        assert mistake.startswith("another Upcard serves the tables in ")
        assert mistake.endswith(url)


@pytest.mark.usefixtures("home", "nobody_is_served")
def test_no_browser_opens_where_none_is_wanted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(serve, "open_browser", shown.append)
    assert run("--port", "0", "--no-browser").code == 0
    url = url_in(run("--port", "0").out.splitlines())
    wait_until(lambda: bool(shown))
    assert shown == [url]


@pytest.mark.usefixtures("home")
def test_an_occupied_port_is_an_error_only_if_it_was_requested(run: Run) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("0.0.0.0", 0))
        other.listen()
        port = other.getsockname()[1]
        refused = run("--port", str(port))
        assert refused.mistake == f"the server cannot listen on 0.0.0.0:{port}: Address already in use"
        with serve._listen(Settings.of({"host": "0.0.0.0", "port": port}, {}), or_any=True) as listening:
            assert listening.getsockname()[1] != port


def test_one_server_after_another_may_have_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with instance_lock(path) as tell:
        tell("http://127.0.0.1:8000")
        with pytest.raises(
            AlreadyServing, match=r"serves the tables in .*tables\.db at http://127\.0\.0\.1:8000"
        ):
            instance_lock(path).__enter__()
    with instance_lock(path), pytest.raises(AlreadyServing, match=r"serves the tables in .*tables\.db$"):
        instance_lock(path).__enter__()
    with instance_lock(None), instance_lock(None):
        pass


def test_addresses_are_written_as_browsers_read_them() -> None:
    assert url_of("0.0.0.0", 8000) == "http://127.0.0.1:8000"
    assert url_of("::1", 8000) == "http://[::1]:8000"
    assert url_of("cards.example", 80) == "http://cards.example:80"


# Who may join


class Started:
    """What a bare `upcard` would listen on, on a machine with these addresses."""

    def __init__(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        self._run = run
        self._patch = monkeypatch
        self.host = ""
        monkeypatch.delenv("UPCARD_HOST")
        monkeypatch.setattr("upcard.server.ops.serve.serve", self._serve)

    def _serve(self, settings: Settings, **_how: bool) -> None:
        self.host = settings.host

    def by(self, *flags: str, address: str, answer: str | None = None) -> str:
        """Start it, answer if it asks (None: there is no terminal), and return what it said."""
        terminal = None if answer is None else io.StringIO(answer)
        with self._patch.context() as patch:
            patch.setattr("upcard.server.http.addresses.own_address", lambda: address)
            patch.setattr("socket.getaddrinfo", lambda *_: [])
            patch.setattr("sys.stdin", terminal)
            if terminal is not None:
                patch.setattr(terminal, "isatty", lambda: True, raising=False)
                patch.setattr("sys.stdout.isatty", lambda: True)
            run = self._run(*flags)
        assert run.code == 0, run.err
        return run.out


@pytest.fixture
def started(home: Home, run: Run, monkeypatch: pytest.MonkeyPatch) -> Started:
    return Started(run, monkeypatch)


def test_at_home_everyone_in_the_network_can_join(started: Started) -> None:
    for address in ("192.168.1.7", "10.0.0.7", "172.16.0.7", "169.254.1.7", "100.64.0.7"):
        assert started.by(address=address) == ""
        assert started.host == "0.0.0.0"


def test_on_a_public_address_it_asks_before_everyone_can_join(started: Started) -> None:
    for answer, host in (("y\n", "0.0.0.0"), ("Yes\n", "0.0.0.0"), ("\n", "127.0.0.1"), ("", "127.0.0.1")):
        said = started.by(address="8.8.8.8", answer=answer)
        assert "the public address 8.8.8.8" in said
        assert ("upcard serve --host" in said) == (host == "127.0.0.1")
        assert started.host == host


def test_without_a_terminal_a_public_machine_serves_only_itself_and_says_what_to_do(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = started.by(address="8.8.8.8")
    assert "the public address 8.8.8.8" in said
    assert "upcard serve --host 0.0.0.0" in said
    assert started.host == "127.0.0.1"
    monkeypatch.setenv("UPCARD_HOST", "0.0.0.0")
    assert started.by(address="8.8.8.8") == ""
    assert started.host == "0.0.0.0"


def test_only_me_listens_on_this_machine_alone(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (None, "0.0.0.0"):
        if variable is not None:
            monkeypatch.setenv("UPCARD_HOST", variable)
        assert started.by("--only-me", address="8.8.8.8") == ""
        assert started.host == "127.0.0.1"


@pytest.mark.usefixtures("home", "nobody_is_served")
def test_only_me_invites_nobody(run: Run) -> None:
    said = run("--port", "0", "--no-browser", "--only-me").out
    assert url_in(said.splitlines())
    assert "Everyone" not in said
