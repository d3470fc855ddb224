"""Executors for the work of the lab: threads, processes, or a cluster. Results always come in order."""

from __future__ import annotations

__all__ = ["deferring_interrupt", "in_order", "open_executor", "processes", "threads"]

import contextlib
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from itertools import islice
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, TypeVar

from upcard.core.errors import UpcardError

Result = TypeVar("Result")

DIED = "a process that played for us has died; try again with fewer --jobs"


def threads(jobs: int) -> Executor:
    """Return a pool of threads, for compiled work: it releases the GIL."""
    return ThreadPoolExecutor(jobs)


def processes(jobs: int) -> Executor:
    """Return a pool of processes, for work in plain Python."""
    return _Processes(jobs)


class _Processes(ThreadPoolExecutor):
    """A pool of processes, each with a thread here that sends it tasks and waits for their results.

    Unlike a ProcessPoolExecutor, it can be stopped while it works: each process has its own pipe, so a
    process that is killed while it sends a result does not block the others.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._context = get_context("spawn")
        self._workers: list[Any] = []
        self._links: list[Connection[Any, Any]] = []
        # The links of idle processes.
        self._idle: SimpleQueue[Connection[Any, Any]] = SimpleQueue()
        try:
            # Ctrl-C is deferred meanwhile, and the processes leave it to this one.
            with deferring_interrupt(), _interrupt_blocked():
                for _ in range(jobs):
                    self._start()
        except BaseException:
            self.kill()
            raise

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        worker = self._context.Process(target=_work, args=(theirs,))
        worker.start()
        theirs.close()
        self._workers.append(worker)
        self._links.append(ours)
        self._idle.put(ours)

    def submit(self, work: Callable[..., Result], /, *task: Any, **named: Any) -> Future[Result]:
        """Give a task to the next idle process."""
        return super().submit(self._ask, work, task, named)

    def _ask(self, work: Callable[..., Result], task: tuple[Any, ...], named: Mapping[str, Any]) -> Result:
        link = self._idle.get()
        try:
            link.send((work, task, named))
            result, error = link.recv()
        except (EOFError, OSError):
            raise BrokenExecutor(DIED) from None
        finally:
            self._idle.put(link)
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]  # what a pipe carries has no type

    def kill(self) -> None:
        """Stop all processes, whatever they are doing."""
        with deferring_interrupt():
            for worker in self._workers:
                worker.terminate()
            self.shutdown(cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop: when all tasks are done, or with `cancel_futures` those that have begun."""
        with deferring_interrupt():
            super().shutdown(wait, cancel_futures=cancel_futures)
            if wait:
                for link in self._links:
                    link.close()
                for worker in self._workers:
                    worker.join()


def _work(link: Connection[Any, Any]) -> None:
    """Do tasks until the pipe is closed. This is what runs in each process."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    while True:
        try:
            work, task, named = link.recv()
        except EOFError:
            return
        answer: tuple[Any, Exception | None]
        try:
            answer = work(*task, **named), None
        except KeyboardInterrupt:
            # Ctrl-C is blocked here, so this does not come from the keyboard.
            answer = None, UpcardError("a bot raised KeyboardInterrupt")
        except Exception as error:
            error.add_note(traceback.format_exc())
            answer = None, error
        with contextlib.suppress(OSError):  # the parent is gone
            link.send_bytes(_pickled(answer))


def _pickled(answer: tuple[Any, Exception | None]) -> bytes:
    """Return an answer as bytes; one that cannot be pickled becomes an error."""
    try:
        return pickle.dumps(answer)
    except Exception as error:
        return pickle.dumps((None, TypeError(f"the result of a task cannot be sent: {error}")))


def _exit_with_parent() -> None:
    """Exit when the parent process has ended, even in the middle of a task."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread, and in the processes that it starts."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Python's resource tracker starts with the first process, which unblocks Ctrl-C: so it starts before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def open_executor(
    compiled: bool, jobs: int | None = None, on: str | None = None
) -> Iterator[tuple[Executor, int]]:
    """Yield an executor and its number of concurrent tasks: threads for compiled work, otherwise processes,
    or the workers of the cluster `on`.

    After an error or Ctrl-C it is stopped without waiting for tasks that have begun, since a game between
    bots that search can take minutes.
    """
    executor, size = _executor(compiled, jobs, on)
    with executor:
        try:
            yield executor, size
        except BaseException as error:
            if isinstance(executor, _Processes):
                executor.kill()
            else:
                executor.shutdown(cancel_futures=True)
            if isinstance(error, BrokenExecutor):
                raise UpcardError(DIED) from None
            raise


def _executor(compiled: bool, jobs: int | None, on: str | None) -> tuple[Executor, int]:
    if on is not None:
        from upcard.lab.on_ray import ray_executor, ray_jobs

        cluster = ray_executor(on, jobs)
        return cluster, jobs or ray_jobs(cluster)
    size = jobs or os.cpu_count() or 1
    return (threads if compiled else processes)(size), size


def in_order(
    executor: Executor, work: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], jobs: int
) -> Iterator[Result]:
    """Yield the results of tasks in order. Only a few tasks are started before their results are needed."""
    to_do = iter(tasks)
    waiting: list[Future[Result]] = []

    def start(count: int) -> None:
        for task in islice(to_do, count):
            # An exception in the middle of this could leave a lock of the executor locked forever.
            with deferring_interrupt():
                waiting.append(executor.submit(work, *task))

    start(2 * jobs)
    while waiting:
        yield _result_of(waiting.pop(0))
        start(1)


def _result_of(future: Future[Result]) -> Result:
    """Wait for the result of a task. Ctrl-C ends the wait, and is raised where no lock is held."""
    ends: SimpleQueue[Future[Result] | None] = SimpleQueue()
    with _on_interrupt(lambda: ends.put(None)):
        future.add_done_callback(ends.put)
        ended = ends.get()
    if ended is None:
        raise KeyboardInterrupt
    return ended.result()


@contextlib.contextmanager
def deferring_interrupt() -> Iterator[None]:
    """Defer Ctrl-C until this block is done, so that nothing is left half done."""
    pressed: list[bool] = []
    with _on_interrupt(lambda: pressed.append(True)):
        yield
    if pressed:
        raise KeyboardInterrupt


@contextlib.contextmanager
def _on_interrupt(react: Callable[[], None]) -> Iterator[None]:
    """Make Ctrl-C call a function, instead of raising an exception anywhere in this thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda _number, _frame: react())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
