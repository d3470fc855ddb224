"""Computation that may take seconds, in threads of its own."""

from __future__ import annotations

__all__ = ["SlowWork"]

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from upcard.server.store import Overloaded

Result = TypeVar("Result")

# The maximum number of computations that wait for a thread. More are refused.
MAX_WAITING = 64


class SlowWork:
    """A few threads with a bounded queue. The event loop serves other requests in the meantime."""

    def __init__(self, name: str, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._waiting = 0

    async def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run a function in a thread, and return its result."""
        if self._waiting >= MAX_WAITING:
            raise Overloaded("too many games are being replayed; try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)
        finally:
            self._waiting -= 1

    def stop(self) -> None:
        """Cancel what has not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)
