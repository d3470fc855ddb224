"""Running commands: in this process where that is enough, else as a person's shell would."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from upcard.cli import main


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def mistake(self) -> str:
        """What it complains of: one line, exit code 2, and nothing else anywhere."""
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


def command(*arguments: str | Path) -> list[str]:
    """Return the words that start a command as a process of its own."""
    return [sys.executable, "-m", "upcard.cli", *map(str, arguments)]


def run_process(*arguments: str | Path, stdin: str = "", **environment: str) -> Ran:
    """Run a command as a process of its own, with some more environment."""
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


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for another process; give up only when something must be wrong with it."""
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


class Process(NamedTuple):
    """One of all processes of this machine."""

    number: int
    parent: int
    session: int
    words: str


def processes() -> list[Process]:
    """Return all processes of this machine."""
    listed = subprocess.check_output(["ps", "-wweo", "pid=,ppid=,sid=,args="], text=True)
    rows = (line.split(None, 3) for line in listed.splitlines())
    return [Process(int(row[0]), int(row[1]), int(row[2]), row[3]) for row in rows if len(row) == 4]


# The command, also where whoever started the tests has turned Ctrl-C off for them.
LISTENING = """\
import signal
import upcard.cli
signal.signal(signal.SIGINT, signal.default_int_handler)
upcard.cli.main()
"""


@contextmanager
def apart(*words: str | Path, **how: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a program in a session of its own. All its processes end with a test that fails, so that nobody
    waits for them."""
    with subprocess.Popen(
        [sys.executable, *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **how,
    ) as process:
        try:
            yield process
        except BaseException:
            # What is over already does not hide why the test failed.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise


def press_ctrl_c(process: subprocess.Popen[str]) -> None:
    """Press Ctrl-C as a terminal does, for all processes of a session at once."""
    os.killpg(process.pid, signal.SIGINT)


def interrupted(*arguments: str | Path, when: Callable[[], bool]) -> Ran:
    """Run a command, and press Ctrl-C when something is the case."""
    with apart("-c", LISTENING, *arguments, stderr=subprocess.PIPE) as process:
        wait_until(lambda: process.poll() is not None or when())
        press_ctrl_c(process)
        out, err = process.communicate()
    return Ran(process.returncode, out, err)
