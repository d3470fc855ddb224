"""`upcard join`: a terminal at a table of a real server."""

from __future__ import annotations

import os
import random
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import Run, command, running
from tests.server.guests import Guest, begun
from tests.server.guests import running as serving
from tests.waiting import wait_until
from upcard.games import GAMES
from upcard.server.signing_keys import DAY
from upcard.tui.client import Client, Json, UnknownToken
from upcard.tui.invitation import Invitation
from upcard.tui.join import RemoteSession

CHOICES = re.compile(r"(\d+)\) ")


class Terminal:
    """A person who reads a terminal, and types."""

    def __init__(self, folder: Path, url: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            command("join", url, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            env=os.environ | {"XDG_DATA_HOME": str(folder), "COLUMNS": "300", "PYTHONUNBUFFERED": "1"},
        )
        self.seen: list[str] = []

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read_until(self, *beginnings: str) -> str:
        """Read until a line begins like this."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.seen.append(line.rstrip("\n"))
            if line.startswith(beginnings):
                return line
        raise AssertionError("\n".join(self.seen[-30:]))

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.stdout is not None
        self.seen += self.process.stdout.read().splitlines()
        self.process.stdout.close()
        return self.process.wait()


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.process.kill()
        terminal.process.wait()
        for pipe in (terminal.process.stdin, terminal.process.stdout):
            assert pipe is not None
            pipe.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_can_be_played_from_a_terminal(
    tmp_path: Path, game: str, terminals: list[Terminal]
) -> None:
    dice = random.Random(game)
    with serving(tmp_path) as server:
        host = Guest(server.url)
        table = host.open(game, 3, seats=[{}, {"bot": "greedy"}, {"bot": "greedy"}])
        ann = Terminal(tmp_path, f"{server.url}/t/{table}", "--name", "Ann")
        terminals.append(ann)
        ann.read_until("At the table: Ann,")
        assert host.do(table, "start").status_code == 200
        ann.type("wait always")
        wait_until(lambda: host.look(table)["seats"][0]["unhurried"])
        while not (line := ann.read_until("Moves: ", "You can answer: ", "Type 'again'")).startswith(
            "Type 'again'"
        ):
            ann.type(dice.choice(CHOICES.findall(line)))
        assert host.look(table)["phase"] == "over"
        assert not any("Traceback" in line for line in ann.seen)
        ann.type("quit")
        assert ann.end() == 0


def test_a_player_who_comes_back_has_the_same_seat(tmp_path: Path, terminals: list[Terminal]) -> None:
    with serving(tmp_path) as server:
        host = Guest(server.url)
        table = host.open("lines", 2, seats=[{}, {"bot": "greedy"}])
        link = f"{server.url}/t/{table}"
        first = Terminal(tmp_path, link, "--name", "Ann")
        terminals.append(first)
        first.read_until("At the table: Ann,")
        host.do(table, "start")
        first.read_until("Moves: ")
        assert first.end() == 0
        assert first.seen[-1] == f"Goodbye. Your seat: upcard join {link}"
        second = Terminal(tmp_path, link)
        terminals.append(second)
        second.read_until("Moves: ")
        assert host.look(table)["seats"][0]["name"] == "Ann"


def test_a_terminal_keeps_renewed_tokens_and_starts_again_when_its_own_has_run_out(tmp_path: Path) -> None:
    kept = tmp_path / "terminal.json"
    with serving(tmp_path) as server:
        first = Client(server.url, tmp_path)
        first.introduce()
        mark = first.ask("/api/session", {})["mark"]
        before = kept.read_text()
        server.pass_time(80 * DAY)
        first.ask("/api/games")
        assert kept.read_text() != before
        server.pass_time(80 * DAY)
        second = Client(server.url, tmp_path)
        second.introduce()
        assert second.ask("/api/session", {})["mark"] == mark
        server.pass_time(90 * DAY)
        with pytest.raises(UnknownToken, match="has run out"):
            second.ask("/api/games")
        second.introduce()
        assert second.ask("/api/session", {})["mark"] != mark


def test_a_refused_move_says_why_and_nothing_is_lost(tmp_path: Path, terminals: list[Terminal]) -> None:
    with serving(tmp_path) as server:
        host = Guest(server.url)
        code = host.look(host.open("stockpile", 2, seats=[{}, {"bot": "greedy"}]))["code"]
        ann = Terminal(tmp_path, server.url, "--name", "Ann")
        terminals.append(ann)
        ann.read_until("Table code:")
        ann.type("nothing")
        ann.read_until("no open table has this code.")
        ann.read_until("Table code:")
        ann.type(code.lower())
        ann.read_until("At the table: Ann,")
        ann.type("start")
        ann.read_until("Only the host can do that.")
        ann.type("remove")
        ann.read_until("Which seat? For example: remove 2")
        ann.type("lock")
        ann.read_until("Only the host can do that.")
        table = host.post("/api/join", code=code).json()["table"]
        host.do(table, "lock", locked=True)
        ann.read_until("The table is locked. Nobody else can sit down.")
        host.do(table, "start")
        ann.read_until("Moves: ")
        for typed, answer in {
            "99": "The moves are numbered from 1 to ",
            "9" * 5_000: "The moves are numbered from 1 to ",
            f"remove {'9' * 5_000}": "Which seat? For example: remove 2",
            "frob": "'frob' is not a move of Stockpile",
            "yes": "Nobody has asked to undo a move.",
            "undo": "You haven't made a move yet.",
            "say hello": "Ann: Hello!",
            "say frob": "there is no phrase 'frob'",
            "? S3.4": "A pile",
            "?": "Type the number of a move",
            "hint": "A bot would play: ",
        }.items():
            ann.type(typed)
            ann.read_until(answer[:1] if typed.startswith("? ") else answer)


def test_it_is_said_for_whom_the_table_waits(tmp_path: Path, terminals: list[Terminal]) -> None:
    with serving(tmp_path) as server:
        host = Guest(server.url)
        table = host.open("lines", 2, options={"first": 2})
        link = f"{server.url}/t/{table}"
        terminals.append(ann := Terminal(tmp_path, link, "--name", "Ann", "--seat", "1"))
        ann.read_until("At the table: Ann, free.")
        ann.read_until("Waiting for others to sit down ...")
        host.sit(table, "Host", 2)
        ann.read_until("At the table: Ann, Host.")
        ann.read_until("Waiting for the host to deal the cards ...")
        assert host.do(table, "start").status_code == 200
        ann.read_until("Waiting for Host ...")
        assert ann.end() == 0
        # The terminal shows the table to a player who comes back.
        terminals.append(again := Terminal(tmp_path, link))
        again.read_until("> Host (seat 2), 0 points")
        again.read_until("Waiting for Host ...")
        host.do(table, "play", base=host.look(table)["seq"], move=host.look(table)["legal"][0])
        again.read_until("Moves: ")
        host.do(table, "end")
        again.read_until("Host would like to end the game without a winner.")
        again.type("no")
        again.read_until("Ann would rather not.")
        again.type("resign")
        again.read_until("You resign.")
        again.read_until("Host wins.")


@pytest.mark.parametrize("goodbye", [True, False])
def test_it_is_said_that_the_server_is_gone_and_that_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goodbye: bool
) -> None:
    monkeypatch.setattr("upcard.tui.client.PAUSE", 0.01)
    monkeypatch.setattr(sys, "stdin", None)
    said: list[str] = []
    with serving(tmp_path) as server:
        table, _ = begun(server.url, "lines")
        client = Client(server.url, tmp_path)
        client.introduce()
        if not goodbye:
            client.origin = nowhere()
        guest = RemoteSession(client, "Ann", None, said.append)
        guest.table, guest.state = table, {"seq": 10_000}
        heard: list[str] = []

        def hear(kind: str, told: Json) -> None:
            heard.append(kind)
            guest._hear(kind, told)

        stop = client.listen(table, 10_000, hear)
        wait_until(lambda: ("state" if goodbye else "lost") in heard)
    with serving(tmp_path) as server:
        client.origin = server.url
        wait_until(lambda: heard[-2:] == ["back", "state"])
        stop()
    gone = "The server is restarting." if goodbye else "The server isn't answering."
    assert said == [f"{gone} Waiting ...", "The server is back."]


def nowhere() -> str:
    """Return an address without a server."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{closed.getsockname()[1]}"


def test_links_are_read_as_people_copy_them() -> None:
    home = "http://192.168.1.20:8000"
    assert Invitation.read(f"{home}/t/abc") == Invitation(home, "abc")
    assert Invitation.read("192.168.1.20:8000/t/abc/") == Invitation(home, "abc")
    assert Invitation.read(f"{home}/?code=ABCDEF") == Invitation(home, None, "ABCDEF")
    assert Invitation.read("https://cards.example") == Invitation("https://cards.example")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Return a function that runs a command in this process."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", None)
    return running(capsys)


def test_a_missing_table_gets_one_sentence(run: Run, tmp_path: Path) -> None:
    for wrong in ("", "ftp://example", "http://", "http://x:port/"):
        assert run("join", wrong).mistake.startswith("the address of a table looks like http://")
    address = nowhere()
    assert run("join", address).mistake == f"{address} does not answer: Connection refused"
    with serving(tmp_path) as server:
        assert run("join", f"{server.url}/t/nowhere").mistake == "there is no such table"
