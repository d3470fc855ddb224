"""The threads in which SQL runs: writers that commit for many callers together, and readers."""

from __future__ import annotations

__all__ = ["Readers", "Writers", "deadline", "in_time"]

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

import structlog

from upcard.server.store.engine import Connection, Engine, Undone
from upcard.server.store.types import Overloaded, StoreError

log = structlog.get_logger()

Result = TypeVar("Result")

CLOSED = "the store is closed"
# How long a busy thread waits for more jobs for the same batch, in seconds.
GATHERING = 0.005
# Delays before each new attempt when the database rolled back a batch or is gone, in seconds.
PAUSES = (0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
# How long a caller waits for the database before it gets an error, in seconds.
DEADLINE: float | None = 4.5


@contextlib.asynccontextmanager
async def deadline() -> AsyncIterator[None]:
    """Raise a StoreError if the database has not answered in time. Requests to one table wait for each other,
    so each of them has a deadline of its own, besides that of each answer."""
    try:
        async with asyncio.timeout(DEADLINE):
            yield
    except TimeoutError:
        raise StoreError("the database does not answer") from None


async def in_time(future: asyncio.Future[Result]) -> Result:
    """Wait for a result, but not forever: a database that hangs does not close its connections.

    `asyncio.wait_for` would not do: before Python 3.12 it ignores a cancellation that comes with the result.
    """
    try:
        async with deadline():
            return await asyncio.shield(future)
    except StoreError:
        future.add_done_callback(_ignore)
        raise


def _ignore(future: asyncio.Future[Any]) -> None:
    """Retrieve a late error, so that asyncio does not report it as unhandled."""
    if not future.cancelled():
        future.exception()


class _Job(NamedTuple):
    key: str
    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]


class Writers:
    """Threads that write. All writes to one table have the same `key`, and happen in the order in which they
    arrive."""

    def __init__(self, engine: Engine, max_waiting: int) -> None:
        self._threads = [_Writer(engine, max_waiting // engine.writers) for _ in range(engine.writers)]

    async def write(self, key: str, work: Callable[[Connection], Result]) -> Result:
        """Write something, and return when it is durable."""
        writer = self._threads[hash(key) % len(self._threads)]
        result: Result = await in_time(writer.put(key, work))
        return result

    @property
    def waiting(self) -> int:
        """How many jobs wait in the queues of all threads."""
        return sum(writer.waiting for writer in self._threads)

    async def close(self) -> None:
        """Finish the waiting writes, and accept no more."""
        for writer in self._threads:
            writer.end()
        for writer in self._threads:
            await asyncio.to_thread(writer.join)


class _Writer(threading.Thread):
    """A thread that writes, with a connection of its own.

    All waiting jobs share one transaction and so one commit, because commits take most of the time. Usually
    none of them is refused; if one is, all are done again, each in a savepoint, so that it does not affect
    the others.
    """

    def __init__(self, engine: Engine, max_waiting: int) -> None:
        super().__init__(name="upcard store", daemon=True)
        self._engine = engine
        self._max_waiting = max_waiting
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._ending = threading.Event()
        self._link: Connection | None = None
        self._reached = True
        # Whether the last batch had more than one job.
        self._is_busy = False
        self.start()

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return self._jobs.qsize()

    # In the event loop

    def put(self, key: str, work: Callable[[Connection], Any]) -> asyncio.Future[Any]:
        """Put a job into the queue; its result goes to the future."""
        if self._ending.is_set():
            raise StoreError(CLOSED)
        if self._jobs.qsize() >= self._max_waiting:
            raise Overloaded("too many moves are waiting to be written: try again later")
        future = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(key, work, future))
        return future

    def end(self) -> None:
        """Let the thread end after the jobs that are already in the queue."""
        if not self._ending.is_set():
            self._ending.set()
            self._jobs.put(None)

    # In the thread

    def run(self) -> None:
        """Write batches until the end."""
        while batch := self._take():
            try:
                outcomes = self._write(batch)
            except BaseException as error:  # the thread serves all tables, so no exception may end it
                log.exception("a batch could not be written")
                self._hang_up()
                outcomes = [StoreError(str(error)) for _ in batch]
            _tell(batch, outcomes)
        self._hang_up()

    def _take(self) -> list[_Job]:
        """Wait for a job, and take all that are in the queue by then; none at the end."""
        batch: list[_Job] = []
        while (job := self._jobs.get()) is not None:
            batch.append(job)
            if self._is_busy and len(batch) == 1:
                # Writing many takes about as long as writing one, so when there are many, they share a batch.
                time.sleep(GATHERING)
            if len(batch) == self._engine.batch or self._jobs.empty():
                break
        else:
            if batch:
                self._jobs.put(None)  # stays in the queue until these are written
        self._is_busy = len(batch) > 1
        # Nodes that lock tables in the same order cannot deadlock.
        batch.sort(key=lambda job: job.key)
        return batch

    def _write(self, batch: list[_Job]) -> list[Any]:
        """Return the result of each job, or its exception."""
        try:
            link, outcomes = self._prepare(batch)
            link.commit()
        except Exception as error:  # whatever it is, the callers must get it
            self._hang_up()
            return [StoreError(str(error)) for _ in batch]
        return outcomes

    def _prepare(self, batch: list[_Job]) -> tuple[Connection, list[Any]]:
        """Do everything but commit. This writes nothing, so it can be repeated; but if the database could not
        be reached the last time, waiting for it is left to the callers."""
        pauses = iter(PAUSES if self._reached else ())
        while True:
            try:
                link = self._link = self._link or self._engine.connect()
                link.begin()
                outcomes = _all(link, batch) or [_attempt(link, job) for job in batch]
            except Undone:
                self._hang_up()
                pause = next(pauses, None)
                self._reached = pause is not None
                if pause is None or (self._ending.wait(pause) and pause):
                    raise
            else:
                self._reached = True
                return link, outcomes

    def _hang_up(self) -> None:
        """Close the connection, whatever its state; the next batch opens a new one."""
        if self._link is not None:
            self._link.close()
            self._link = None


def _all(link: Connection, batch: list[_Job]) -> list[Any] | None:
    """Do all jobs; return None, in a new transaction, if one of them is refused."""
    try:
        return [job.work(link) for job in batch]
    except Undone:
        raise
    except Exception:
        if not link.in_transaction:
            raise
        link.run("ROLLBACK")
        link.begin()
        return None


def _attempt(link: Connection, job: _Job) -> Any:
    link.run("SAVEPOINT job")
    try:
        result = job.work(link)
    except Undone:
        raise
    except Exception as error:
        if not link.in_transaction:
            raise StoreError(str(error)) from error
        link.run("ROLLBACK TO SAVEPOINT job")
        result = error
    link.run("RELEASE SAVEPOINT job")
    return result


def _tell(batch: list[_Job], outcomes: list[Any]) -> None:
    # If the loop is closed, nobody is waiting any more.
    with contextlib.suppress(RuntimeError):
        batch[0].future.get_loop().call_soon_threadsafe(_settle, batch, outcomes)


def _settle(batch: list[_Job], outcomes: list[Any]) -> None:
    for job, outcome in zip(batch, outcomes, strict=True):
        if job.future.done():
            continue  # the caller was cancelled
        if isinstance(outcome, BaseException):
            job.future.set_exception(outcome)
        else:
            job.future.set_result(outcome)


class Readers:
    """Threads that read, each with a connection of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pool = ThreadPoolExecutor(engine.readers, thread_name_prefix="upcard store reader")
        self._mine = threading.local()
        self._links: set[Connection] = set()
        self._closed = False

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Return the result of a query."""
        if self._closed:
            raise StoreError(CLOSED)
        return await in_time(asyncio.get_running_loop().run_in_executor(self._pool, self._read, work))

    async def close(self) -> None:
        """Wait for the queries under way, and close the connections."""
        self._closed = True
        await asyncio.to_thread(self._pool.shutdown)
        while self._links:
            self._links.pop().close()

    def _read(self, work: Callable[[Connection], Result]) -> Result:
        try:
            return work(self._link())
        except Undone:
            # The connection broke after its last use; a new one may work.
            self._hang_up()
        try:
            return work(self._link())
        except Undone:
            self._hang_up()
            raise

    def _link(self) -> Connection:
        link: Connection | None = getattr(self._mine, "link", None)
        if link is None:
            link = self._mine.link = self._engine.connect()
            self._links.add(link)
        return link

    def _hang_up(self) -> None:
        link: Connection | None = getattr(self._mine, "link", None)
        if link is not None:
            self._mine.link = None
            self._links.discard(link)
            link.close()
