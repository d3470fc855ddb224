"""The crew of the lab: results in order, and Ctrl-C only between pieces of work."""

from __future__ import annotations

import io
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

from upcard.lab.crew import in_order, processes, threads, undisturbed
from upcard.lab.simulate import Plan, simulate


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    """Whoever started the tests may have turned Ctrl-C off for them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def test_results_come_in_the_order_of_the_tasks_whoever_is_done_first() -> None:
    with threads(3) as crew:
        assert list(in_order(crew, pow, [(2, power) for power in range(20)], 3)) == [
            2**power for power in range(20)
        ]


def test_ctrl_c_waits_until_what_was_begun_is_done() -> None:
    done = []

    def begin() -> None:
        with undisturbed():
            press_ctrl_c()
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert done == ["all of it"]
    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c()


@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_ctrl_c_while_a_task_is_handed_out_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessPoolExecutor, "submit", lambda *_task: press_ctrl_c())
    with processes(1) as crew, pytest.raises(KeyboardInterrupt):
        crew.submit(pow, 2, 3)


@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_ctrl_c_that_another_thread_gets_waits_until_a_task_is_handed_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handed_out = []

    def submit(*_task: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)  # time enough to be disturbed
        handed_out.append(True)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    over = threading.Event()
    threading.Thread(target=over.wait, daemon=True).start()
    with processes(1) as crew, pytest.raises(KeyboardInterrupt):
        crew.submit(pow, 2, 3)
    over.set()
    assert handed_out == [True]


@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_processes_that_play_leave_ctrl_c_to_the_one_that_started_them() -> None:
    with processes(1) as crew:
        assert crew.submit(os.kill, crew.submit(os.getpid).result(), signal.SIGINT).result() is None
        assert crew.submit(pow, 2, 3).result() == 8


class Nervous(io.StringIO):
    """A file at which somebody presses Ctrl-C while it is written to."""

    def write(self, text: str, /) -> int:
        press_ctrl_c()
        return super().write(text)

    def writelines(self, lines: Iterable[Any], /) -> None:
        for line in lines:
            self.write(line)


def test_ctrl_c_while_records_are_written_counts_every_game_that_was_written() -> None:
    file = Nervous()
    summary = simulate(Plan("lines", (), ("random",), b"1", records=True), 1000, 1, file)
    assert summary.interrupted
    assert summary.games == file.getvalue().count("\n") == 100
