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
from tests.server.guests import Guest
from tests.server.guests import running as serving
from upcard.games import GAMES
from upcard.tui.join import Invitation

CHOICES = re.compile(r"(\d+)\) ")


class Terminal:
    """Somebody who reads what a terminal shows, and types."""

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
        """Read on until a line begins like this."""
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
        while not (line := ann.read_until("Moves: ", "You are asked: ", "Type again")).startswith(
            "Type again"
        ):
            ann.type(dice.choice(CHOICES.findall(line)))
        assert host.look(table)["phase"] == "over"
        assert not any("Traceback" in line for line in ann.seen)
        ann.type("quit")
        assert ann.end() == 0


def test_who_comes_back_has_the_same_seat(tmp_path: Path, terminals: list[Terminal]) -> None:
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


def test_a_refused_move_says_why_and_nothing_is_lost(tmp_path: Path, terminals: list[Terminal]) -> None:
    with serving(tmp_path) as server:
        host = Guest(server.url)
        code = host.look(host.open("stockpile", 2, seats=[{}, {"bot": "greedy"}]))["code"]
        ann = Terminal(tmp_path, server.url, "--name", "Ann")
        terminals.append(ann)
        ann.read_until("The code of the table:")
        ann.type("nothing")
        ann.read_until("no open table has this code.")
        ann.read_until("The code of the table:")
        ann.type(code.lower())
        ann.read_until("At the table: Ann,")
        ann.type("start")
        ann.read_until("Only the host of the table can do that.")
        host.do(host.post("/api/join", code=code).json()["table"], "start")
        ann.read_until("Moves: ")
        for typed, answer in {
            "99": "The moves are numbered from 1 to ",
            "9" * 5_000: "The moves are numbered from 1 to ",
            "frob": "'frob' is not a move of Stockpile",
            "yes": "Nobody has asked whether a move may be taken back.",
            "undo": "You have not moved yet.",
            "say hello": "Ann: Hello!",
            "say frob": "there is no phrase 'frob'",
            "? S3.4": "A pile",
            "?": "Type the number of a move",
            "hint": "A bot would play: ",
        }.items():
            ann.type(typed)
            ann.read_until(answer[:1] if typed.startswith("? ") else answer)


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


def test_where_no_table_is_one_sentence_says_so(run: Run, tmp_path: Path) -> None:
    for wrong in ("", "ftp://example", "http://", "http://x:port/"):
        assert run("join", wrong).mistake.startswith("a table is at an address like http://")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        assert run("join", address).mistake == f"{address} does not answer: Connection refused"
    with serving(tmp_path) as server:
        assert run("join", f"{server.url}/t/nowhere").mistake == "there is no such table"
