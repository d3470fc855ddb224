"""The threads in which the bots of all tables run, shared fairly."""

from __future__ import annotations

__all__ = ["BotPool", "Choices"]

import asyncio
import time
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from upcard.bots import Turn
from upcard.server.metrics import Metrics
from upcard.server.table.bot_turns import bot_seed, choose, searches, turn_for
from upcard.server.table.state import TableState

# Choices by the entry after which the bot was asked, and by seat (negative for hints).
Choices = dict[tuple[int, int], asyncio.Future[int]]


class _Job(NamedTuple):
    bot: str
    turn: Turn
    seed: bytes
    future: asyncio.Future[int]


class BotPool:
    """Threads in which bots choose their moves.

    Bots that search wait in one queue per client address; the queues take turns, and one address never gets
    all threads. Other bots need hardly any time, and share a thread of their own.
    """

    def __init__(self, threads: int, metrics: Metrics) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._quick = ThreadPoolExecutor(1, thread_name_prefix="quick bot")
        self._queues: dict[str, deque[_Job]] = {}
        self._running: Counter[str] = Counter()
        self._metrics = metrics

    def begin(self, state: TableState, choices: Choices, address: str) -> dict[int, asyncio.Future[int]]:
        """Start all bots that have a choice now, and return their choices by seat."""
        if state.window is not None and state.match is not None:
            seats = state.match.asked
        else:
            seats = [] if state.to_move is None else [state.to_move]
        bots = {seat: state.seats[seat - 1].player for seat in seats}
        return {
            seat: self.choose(state, choices, seat, bot, address)
            for seat, bot in bots.items()
            if bot is not None
        }

    def choose(
        self, state: TableState, choices: Choices, seat: int, bot: str, address: str, hint: bool = False
    ) -> asyncio.Future[int]:
        """Return the choice of a bot at a table. It is computed only once, however often it is requested."""
        key = state.changed, -seat if hint else seat
        if key not in choices:
            loop = asyncio.get_running_loop()
            turn, seed = turn_for(state, seat, bot), bot_seed(state, seat)
            if searches(bot):
                choices[key] = loop.create_future()
                self._queues.setdefault(address, deque()).append(_Job(bot, turn, seed, choices[key]))
                self._start_next()
            else:
                choices[key] = loop.run_in_executor(self._quick, self._choose, bot, turn, seed)
        return choices[key]

    def _start_next(self) -> None:
        """Start jobs while threads are free, from each address in turn, and never all threads for one
        address."""
        share = max(1, self._threads - 1)
        for address in list(self._queues):
            if self._running.total() >= self._threads:
                return
            if self._running[address] < share:
                jobs = self._queues.pop(address)
                self._start(address, jobs.popleft())
                if jobs:
                    self._queues[address] = jobs  # to the end of the queue

    def _start(self, address: str, job: _Job) -> None:
        self._running[address] += 1
        running = job.future.get_loop().run_in_executor(self._pool, self._choose, job.bot, job.turn, job.seed)

        def finish(done: asyncio.Future[int]) -> None:
            self._running[address] -= 1
            if not self._running[address]:
                del self._running[address]
            if not job.future.done() and not done.cancelled():
                error = done.exception()
                if error is None:
                    job.future.set_result(done.result())
                else:
                    job.future.set_exception(error)
            self._start_next()

        running.add_done_callback(finish)

    def _choose(self, bot: str, turn: Turn, seed: bytes) -> int:
        started = time.perf_counter()
        move = choose(bot, turn, seed)
        self._metrics.bot_moves.inc()
        self._metrics.thinking.observe(time.perf_counter() - started)
        return move

    @property
    def waiting(self) -> int:
        """How many choices wait for a thread."""
        return sum(len(jobs) for jobs in self._queues.values())

    def stop(self) -> None:
        """Cancel all jobs that have not begun."""
        self._queues.clear()
        for pool in (self._pool, self._quick):
            pool.shutdown(wait=False, cancel_futures=True)
