"""The crew of the lab: results in order, and Ctrl-C only between pieces of work."""

from __future__ import annotations

import io
import os
import signal
import struct
import sys
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import apart
from tests.cli.running import processes as listed
from tests.waiting import wait_until
from upcard.lab.crew import hired, in_order, processes, threads, undisturbed
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
    arrived, arrives = os.pipe()
    os.set_blocking(arrives, False)

    def submit(*_task: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        assert os.read(arrived, 1) == bytes([signal.SIGINT])  # waits for it
        handed_out.append(True)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", submit)
    over = threading.Event()
    threading.Thread(target=over.wait, daemon=True).start()
    before = signal.set_wakeup_fd(arrives)
    try:
        with processes(1) as crew, pytest.raises(KeyboardInterrupt):
            crew.submit(pow, 2, 3)
    finally:
        signal.set_wakeup_fd(before)
        over.set()
        os.close(arrived)
        os.close(arrives)
    assert handed_out == [True]


@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
def test_processes_that_play_leave_ctrl_c_to_the_one_that_started_them() -> None:
    with processes(1) as crew:
        assert crew.submit(os.kill, crew.submit(os.getpid).result(), signal.SIGINT).result() is None
        assert crew.submit(pow, 2, 3).result() == 8


def send_half_a_result(sent: Path) -> None:
    """Be a process that sends a large result and is killed meanwhile: say how long it is, and no more."""
    results = sys._getframe(1).f_locals["result_queue"]
    results._writer._send(struct.pack("!i", 1_000_000) + b"the beginning")
    sent.touch()
    threading.Event().wait()


@pytest.mark.skipif(os.name != "posix", reason="pipes are other things on this system")
def test_nobody_waits_for_the_rest_of_a_result_whose_sender_was_killed(tmp_path: Path) -> None:
    children = []

    def press_ctrl_c_at_work() -> None:
        with hired(compiled=False, jobs=2) as (crew, _):
            crew.submit(send_half_a_result, tmp_path / "sent")
            children.extend(active_children())
            wait_until((tmp_path / "sent").exists)
            press_ctrl_c()

    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c_at_work()
    assert {child.exitcode for child in children} == {-signal.SIGTERM}


# Says which processes it has started, which have nothing to do for a long time.
STARTING = """\
import threading
from multiprocessing import active_children
from upcard.lab.crew import processes
with processes(2) as crew:
    for _ in range(2):
        crew.submit(threading.Event().wait)
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
