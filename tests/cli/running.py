"""Running commands: in this process if possible, otherwise as a person's shell would.

Processes are seeded too: their randomness follows from the name of the test that starts them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.waiting import wait_until
from upcard.cli import main
from upcard.core.entropy import random_bytes

# Runs a command with randomness that follows from a seed, its first argument.
PROGRAM = """\
import sys
from upcard.core import entropy
import upcard.cli
entropy.use_source(entropy.seeded_source(sys.argv.pop(1)))
upcard.cli.main()
"""


@dataclass(frozen=True)
class Ran:
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def mistake(self) -> str:
        """The error message: one line, exit code 2, and nothing else anywhere."""
        assert self.code == 2
        assert self.out == ""
        assert self.err.startswith("upcard: ")
        assert self.err.endswith("\n")
        assert self.err.count("\n") == 1
        return self.err.removeprefix("upcard: ").rstrip("\n")


Run = Callable[..., Ran]


def running(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""

    def run(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, captured.out, captured.err)

    return run


def new_seed() -> str:
    """Return a unique seed for one process, derived from the seed of the test."""
    return random_bytes("seed of a process", 16).hex()


def command(*arguments: str | Path) -> list[str]:
    """Return the words that start a command in another process, for one use."""
    return [sys.executable, "-c", PROGRAM, new_seed(), *map(str, arguments)]


def run_process(*arguments: str | Path, stdin: str = "", **environment: str) -> Ran:
    """Run a command in another process, with additional environment variables."""
    done = subprocess.run(
        command(*arguments),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | environment,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


class Process(NamedTuple):
    """A process of this machine."""

    number: int
    parent: int
    session: int
    words: str


def processes() -> list[Process]:
    """Return all live processes of this machine. Dead ones may be listed until their parents reap them."""
    listed = subprocess.check_output(["ps", "-wweo", "pid=,ppid=,sid=,stat=,args="], text=True)
    rows = [line.split(None, 4) for line in listed.splitlines()]
    return [
        Process(int(number), int(parent), int(session), words)
        for number, parent, session, state, words in (row for row in rows if len(row) == 5)
        if not state.startswith("Z")
    ]


@contextmanager
def apart(words: Sequence[str], **how: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a program in a new session. All its processes are killed when a test fails, so that nothing waits
    for them."""
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **how,
    ) as process:
        try:
            yield process
        except BaseException:
            with suppress(ProcessLookupError):  # it is over already
                os.killpg(process.pid, signal.SIGKILL)
            raise


def press_ctrl_c(process: subprocess.Popen[str]) -> None:
    """Press Ctrl-C as a terminal does, for all processes of a session."""
    with suppress(ProcessLookupError):  # it is over already
        os.killpg(process.pid, signal.SIGINT)


def interrupted(*arguments: str | Path, when: Callable[[], bool]) -> Ran:
    """Run a command, and press Ctrl-C when a condition holds."""
    with apart(command(*arguments), stderr=subprocess.PIPE) as process:
        wait_until(lambda: process.poll() is not None or when())
        press_ctrl_c(process)
        out, err = process.communicate()
    return Ran(process.returncode, out, err)
