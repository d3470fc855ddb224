"""Who does the work of the lab: threads, processes, or a cluster. Results come in order all the same."""

from __future__ import annotations

__all__ = ["hired", "in_order", "processes", "threads", "undisturbed"]

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from typing import Any, TypeVar

from upcard.core.errors import UpcardError

Result = TypeVar("Result")

DIED = "a process that played for us has died; try again with fewer --jobs"


def threads(jobs: int) -> Executor:
    """Threads, for compiled work: it runs beside other work."""
    return ThreadPoolExecutor(jobs)


def processes(jobs: int) -> Executor:
    """Processes, for work in plain Python."""
    return _Processes(jobs, mp_context=get_context("spawn"), initializer=_leave_with_the_parent)


def _leave_with_the_parent() -> None:
    """Let a process end when the one that started it is gone, however that came about: nobody else would ever
    tell it that there is nothing more to do."""

    def watch() -> None:
        if (parent := parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Processes(ProcessPoolExecutor):
    """Processes that leave Ctrl-C to the one that started them."""

    def submit(self, *task: Any, **named: Any) -> Future[Any]:
        """Start a task, and with the first ones the processes. A Ctrl-C meanwhile waits, or there would be
        a process that nobody knows of."""
        with undisturbed(), _ctrl_c_blocked():
            return super().submit(*task, **named)

    def expect_no_more(self) -> None:
        """Expect no more results, since all processes were killed. One that was killed while it sent a large
        result has left a part of it in the pipe. While this process could write to the pipe itself, reading
        would wait for the rest, forever."""
        queue: Any = self._result_queue
        if queue is not None:
            queue._writer.close()


@contextlib.contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread, and with it in the processes that are started here. Others of our threads
    get it all the same."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def hired(compiled: bool, jobs: int | None = None, on: str | None = None) -> Iterator[tuple[Executor, int]]:
    """Hire a crew, and say how many tasks it does at once: threads for compiled work, else processes, or
    the workers of the cluster `on`. When the rest is not wanted any more it is sent home at once, for a
    game between bots that think can take minutes."""
    before = set(active_children())
    crew, size = _crew(compiled, jobs, on)
    with crew:
        try:
            yield crew, size
        except BaseException as error:
            for child in set(active_children()) - before:
                child.terminate()
            if isinstance(crew, _Processes):
                crew.expect_no_more()
            crew.shutdown(cancel_futures=True)
            if isinstance(error, BrokenExecutor):
                raise UpcardError(DIED) from None
            raise


def _crew(compiled: bool, jobs: int | None, on: str | None) -> tuple[Executor, int]:
    if on is not None:
        from upcard.lab.on_ray import ray_crew, ray_jobs

        cluster = ray_crew(on, jobs)
        return cluster, jobs or ray_jobs(cluster)
    size = jobs or os.cpu_count() or 1
    return (threads if compiled else processes)(size), size


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
