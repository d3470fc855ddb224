"""Who does the work of the lab: threads or processes. Results come in order, whoever did them."""

from __future__ import annotations

__all__ = ["in_order", "processes", "threads", "undisturbed"]

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

Result = TypeVar("Result")


def threads(jobs: int) -> Executor:
    """Threads, for compiled work: it runs beside other work."""
    return ThreadPoolExecutor(jobs)


def processes(jobs: int) -> Executor:
    """Processes, for work in plain Python."""
    return _Processes(jobs, mp_context=get_context("spawn"))


class _Processes(ProcessPoolExecutor):
    """Processes that leave Ctrl-C to the one that started them."""

    def submit(self, *task: Any, **named: Any) -> Future[Any]:
        """Start a task, and with the first ones the processes: they inherit what is ignored here."""
        if threading.current_thread() is not threading.main_thread():
            return super().submit(*task, **named)
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return super().submit(*task, **named)
        finally:
            signal.signal(signal.SIGINT, before)


def in_order(
    crew: Executor, work: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], jobs: int
) -> Iterator[Result]:
    """Work on tasks ahead of need, but not far, and give their results in order."""
    to_do = iter(tasks)
    waiting: list[Future[Result]] = [crew.submit(work, *task) for task in islice(to_do, 2 * jobs)]
    while waiting:
        yield waiting.pop(0).result()
        waiting += [crew.submit(work, *task) for task in islice(to_do, 1)]


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait until what is begun here is done, so that nothing is written by half."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
