"""A reader who types the commands of the documentation, in a separate folder and in a short form."""

from __future__ import annotations

__all__ = ["Reader", "finished", "wants_compiling"]

import importlib
import importlib.util
import io
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace

import httpx
import pytest

from tests.cli.running import Ran, Run, command, run_process
from tests.docs.pages import ROOT, Command
from tests.server.guests import HERE, PATIENCE, Guest, running
from upcard.bots.entrants import take_apart
from upcard.bots.net import SHIPPED
from upcard.games import find
from upcard.lab.on_ray import ADDRESS
from upcard.match import Fairness, Match, Player

# The numbers that make a command short. A missing flag is added; everything else is typed as written.
SHORT = {
    "simulate": {"--games": "4", "--jobs": "1"},
    "tournament": {"--games": "4", "--jobs": "1"},
    "study": {"--games": "20", "--deals": "0", "--jobs": "1"},
    "review": {"--thought": "2"},
}
# Bots that search, and their reduced numbers of simulations.
THINKING = {"search", "normal", "hard", "expert", "clairvoyant"}
THOUGHT = 2

# Commands that run compiled code.
COMPILED = {"simulate", "tournament", "study", "review"}

# Records that a reader would get from a server or from another person.
RECORDS = {Path("FILE"), Path("game.json")}

NET = SHIPPED / "lines.npz"


def wants_compiling(commands: Sequence[Command]) -> bool:
    """Whether some of these commands run compiled code."""
    return any(COMPILED & set(command.words[1:2]) for command in commands)


def shortened(words: Sequence[str]) -> list[str]:
    """Return a command with numbers that make it short."""
    short = list(words)
    for flag, value in SHORT.get(words[0], {}).items():
        if flag in short:
            short[short.index(flag) + 1] = value
        else:
            short += [flag, value]
    if "--bots" in short:
        place = short.index("--bots") + 1
        short[place] = ",".join(map(_hurried, short[place].split(",")))
    return short


def _hurried(bot: str) -> str:
    """Return a bot with little time to think."""
    if take_apart(bot)[0] not in THINKING:
        return bot
    return f"{bot.partition('@')[0]}@{THOUGHT}"


class Reader:
    """A person who types commands one after another, which find the files of earlier ones."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        self._run = run
        for name in list(os.environ):
            if name.startswith("UPCARD_") and name != "UPCARD_CACHE":
                monkeypatch.delenv(name)
        monkeypatch.chdir(folder)
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.setattr("platformdirs.user_data_dir", lambda *names: str(folder / "data" / "upcard"))
        monkeypatch.setenv("COLUMNS", "80")

    def type(self, command: Command, answers: Sequence[str] = (), short: bool = True) -> Ran:
        """Type a command, and answers to its questions; return its result."""
        self._monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        self._copy_files(command)
        if command.program != "upcard":
            return self._train(command)
        words = ["greedy" if word == "NAME" else word for word in command.words[1:]]
        match words[0] if words else "":
            case "join":
                return self._join(words)
            case "play":
                self._compile_nothing()
                if "--resume" in words:
                    # A game without further input is left unfinished, so that it can be continued.
                    self._run("play", "lines", "--seed", "1")
            case "verify" | "review":
                self._have_record(Path(words[1]))
            case "" | "serve" if "--show" not in words:
                return self._serve(words)
        if "--on" in words:
            self._have_cluster()
        return self._run(*(shortened(words) if short else words))

    def _copy_files(self, command: Command) -> None:
        """Put files of the repository where a command expects them."""
        for word in command.words:
            for place in (ROOT, ROOT / "deploy"):
                if (place / word).is_file() and not Path(word).is_absolute():
                    (self.folder / word).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(place / word, self.folder / word)

    def _have_record(self, path: Path) -> None:
        if path in RECORDS:
            path.write_text(finished("stockpile").to_json() + "\n", "utf-8")

    def _have_cluster(self) -> None:
        """Replace any cluster by a thread."""

        def cluster(address: str, jobs: int | None = None) -> Executor:
            assert address == "ray" or ADDRESS.fullmatch(address)
            return ThreadPoolExecutor(1)

        self._monkeypatch.setattr("upcard.lab.on_ray.ray_executor", cluster)

    def _compile_nothing(self) -> None:
        """Pretend that the search was never compiled, so that bots are greedy."""
        self._monkeypatch.setattr("upcard.bots.search.is_ready", lambda game: False)
        self._monkeypatch.setattr("upcard.bots.search.prepare", lambda game: None)

    def _join(self, words: list[str]) -> Ran:
        """Sit down at a table of a real server, and leave it."""
        with running(self.folder) as server:
            host = Guest(server.url)
            try:
                table = host.open("lines", 2, seats=[{}, {"bot": "greedy"}])
                words[1] = f"{server.url}/t/{table}"
                ran = run_process(*words, stdin="quit\n")
            finally:
                HERE.remove(host)
                host.http.close()
        assert "Type ? for help." in ran.out
        return ran

    def _serve(self, words: list[str]) -> Ran:
        """Serve at any free port until it has answered."""
        environment = {"UPCARD_PORT": "0", "BROWSER": "true"}
        with _started(words, environment) as process:
            assert process.stdout is not None
            greeting = process.stdout.readline()
            assert greeting.startswith("Upcard is at http://127.0.0.1:"), greeting
            health = httpx.get(f"{greeting.split()[3]}/healthz", timeout=PATIENCE)
            assert health.status_code == 200
            process.send_signal(signal.SIGTERM)
            rest, err = process.communicate()
        return Ran(process.returncode, greeting + rest, err)

    def _train(self, command: Command) -> Ran:
        """Write an untrained network where a trained one would be."""
        self._monkeypatch.setattr(sys, "argv", list(command.words[1:]))
        asked = _train_script(self._monkeypatch).read_arguments()
        shutil.copy(NET, asked.out)
        return Ran(0, "", "")


@contextmanager
def _started(words: Sequence[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Start a command as a process, which is killed if a test fails."""
    with subprocess.Popen(
        command(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _train_script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return examples/train.py. Reading its arguments does not need torch."""
    if importlib.util.find_spec("torch") is None:
        nn = SimpleNamespace(Module=object)
        torch = SimpleNamespace(nn=nn, no_grad=lambda: lambda function: function)
        monkeypatch.setitem(sys.modules, "torch", torch)
    described = importlib.util.spec_from_file_location("train", ROOT / "examples" / "train.py")
    assert described is not None
    assert described.loader is not None
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


def finished(game: str) -> Match:
    """Return a finished game with a proven shuffle."""
    fairness = Fairness(bytes(range(32)), (b"\xaa" * 16, None, b"\xff" * 32))
    players = [Player("Ann"), Player("Robin", bot="greedy"), Player("Kim")]
    match = Match(find(game), {"players": 3}, fairness.seed, players, fairness=fairness)
    dice = random.Random(1)
    while not match.over:
        match.play(dice.choice(match.legal))
    return match
