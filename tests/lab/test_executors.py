"""The executors of the lab: results in order, and Ctrl-C only between pieces of work."""

from __future__ import annotations

import io
import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from multiprocessing import Pipe, active_children
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import apart
from tests.cli.running import processes as listed
from tests.waiting import wait_until
from upcard.core.errors import UpcardError
from upcard.lab import executors
from upcard.lab.executors import deferring_interrupt, in_order, open_executor, processes, threads
from upcard.lab.simulate import SimulationPlan, simulate


def press_ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def test_results_come_in_the_order_of_the_tasks_whichever_is_done_first() -> None:
    with threads(3) as executor:
        assert list(in_order(executor, pow, [(2, power) for power in range(20)], 3)) == [
            2**power for power in range(20)
        ]


def test_ctrl_c_waits_until_what_was_begun_is_done() -> None:
    done = []

    def begin() -> None:
        with deferring_interrupt():
            press_ctrl_c()
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert done == ["all of it"]
    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c()


@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_ctrl_c_while_processes_start_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    start = SpawnProcess.start

    def start_and_press(process: SpawnProcess) -> None:
        start(process)
        press_ctrl_c()

    monkeypatch.setattr(SpawnProcess, "start", start_and_press)
    before = set(active_children())
    with pytest.raises(KeyboardInterrupt):
        processes(2)
    assert set(active_children()) == before


def raise_interrupt() -> None:
    raise KeyboardInterrupt


def test_a_bot_that_raises_keyboard_interrupt_in_a_process_ends_the_command_with_one_sentence() -> None:
    ours, theirs = Pipe()
    ours.send((raise_interrupt, (), {}))
    with threads(1) as beside:
        working = beside.submit(executors._work, theirs)
        result, error = ours.recv()
        ours.close()
        working.result()
    assert result is None
    assert isinstance(error, UpcardError)
    assert str(error) == "a bot raised KeyboardInterrupt"


def test_an_error_in_a_process_is_raised_with_the_lines_that_caused_it() -> None:
    with processes(1) as executor:
        error = executor.submit(int, "x").exception()
        unsendable = executor.submit(threading.Lock).exception()
    assert isinstance(error, ValueError)
    assert "in _work" in error.__notes__[0]
    assert "cannot be sent" in str(unsendable)


# Asks every worker process which signals it has blocked. No process has been started here before.
BLOCKING = """\
import signal
from upcard.lab.executors import processes
with processes(2) as executor:
    blocked = [executor.submit(signal.pthread_sigmask, signal.SIG_BLOCK, ()) for _ in range(2)]
    print(*[signal.SIGINT in one.result() for one in blocked], signal.pthread_sigmask(signal.SIG_BLOCK, ()))
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_processes_that_play_leave_ctrl_c_to_the_one_that_started_them() -> None:
    assert subprocess.check_output([sys.executable, "-c", BLOCKING], text=True) == "True True set()\n"


class Nervous(Future[int]):
    """A result for which Ctrl-C is pressed as soon as any of its methods is called."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = True

    def result(self, timeout: float | None = None) -> int:
        self.press()
        return super().result(timeout)

    def add_done_callback(self, fn: Callable[[Future[int]], object]) -> None:
        self.press()
        super().add_done_callback(fn)

    def press(self) -> None:
        self.whole = False
        press_ctrl_c()
        self.whole = True


class NervousExecutor(Executor):
    """An executor whose tasks are never done; Ctrl-C is pressed at the second one."""

    def __init__(self, quiet: int) -> None:
        self.quiet = quiet
        self.results: list[Nervous] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if len(self.results) == self.quiet:
            press_ctrl_c()
        self.results.append(Nervous())
        return self.results[-1]


@pytest.mark.parametrize(("quiet", "tasks"), [(1, 2), (4, 4)])
def test_ctrl_c_never_stops_an_executor_in_the_middle_of_what_it_does(quiet: int, tasks: int) -> None:
    executor = NervousExecutor(quiet)
    with pytest.raises(KeyboardInterrupt):
        list(in_order(executor, pow, [(2, 3)] * 9, 2))
    assert [result.whole for result in executor.results] == [True] * tasks


def send_half_a_result(sent: Path) -> None:
    """Act as a process that is killed while sending a large result: send its length only."""
    link = sys._getframe(1).f_locals["link"]
    os.write(link.fileno(), struct.pack("!i", 1_000_000) + b"the beginning")
    sent.touch()
    threading.Event().wait()


@pytest.mark.skipif(os.name != "posix", reason="pipes are other things on this system")
def test_nobody_waits_for_the_rest_of_a_result_whose_sender_was_killed(tmp_path: Path) -> None:
    children = []

    def press_ctrl_c_at_work() -> None:
        with open_executor(compiled=False, jobs=2) as (executor, _):
            executor.submit(send_half_a_result, tmp_path / "sent")
            children.extend(active_children())
            wait_until((tmp_path / "sent").exists)
            press_ctrl_c()

    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c_at_work()
    assert {child.exitcode for child in children} == {-signal.SIGTERM}


# Prints the processes that it has started, which are idle for a long time.
STARTING = """\
import threading
from multiprocessing import active_children
from multiprocessing.context import SpawnProcess
from upcard.lab.executors import processes
with processes(2) as executor:
    for _ in range(2):
        executor.submit(threading.Event().wait)
    print(*[child.pid for child in active_children()], flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="processes are listed otherwise on this system")
def test_processes_end_with_the_one_that_started_them() -> None:
    with apart([sys.executable, "-c", STARTING]) as process:
        assert process.stdout is not None
        children = {int(number) for number in process.stdout.readline().split()}
        process.kill()
        wait_until(lambda: not children & {one.number for one in listed()})
    assert len(children) == 2


class NervousFile(io.StringIO):
    """A file for which Ctrl-C is pressed during a write."""

    def write(self, text: str, /) -> int:
        press_ctrl_c()
        return super().write(text)

    def writelines(self, lines: Iterable[Any], /) -> None:
        for line in lines:
            self.write(line)


@pytest.mark.compiled("lines")
def test_ctrl_c_while_records_are_written_counts_every_game_that_was_written() -> None:
    file = NervousFile()
    summary = simulate(SimulationPlan("lines", (), ("random",), b"1", records=True), 1000, 1, file)
    assert summary.interrupted
    assert summary.games == file.getvalue().count("\n") == 100
