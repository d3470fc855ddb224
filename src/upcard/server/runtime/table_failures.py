"""Tables that cannot be processed, such as those with an entry that cannot be read."""

from __future__ import annotations

__all__ = ["TableFailures"]

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import structlog

from upcard.server.store import StoreError

log = structlog.get_logger()

# Delay before the second try, in seconds. It doubles with each failure, up to the maximum.
FIRST_DELAY = 1.0
MAX_DELAY = 3600.0


class _Failure(NamedTuple):
    tries: int
    next_try: float


class TableFailures:
    """Work of the server itself at single tables: a table that fails does not affect the others, and is tried
    again after longer and longer delays, so that it costs hardly any time and few lines of the log."""

    def __init__(self) -> None:
        self._failed: dict[str, _Failure] = {}

    def __len__(self) -> int:
        return len(self._failed)

    def is_waiting(self, table: str) -> bool:
        """Whether a table has failed, and is not to be tried yet."""
        failure = self._failed.get(table)
        return failure is not None and asyncio.get_running_loop().time() < failure.next_try

    async def guard(self, table: str, work: Callable[[], Awaitable[object]]) -> None:
        """Do something at a table, unless it has failed a moment ago. An error goes to the log, unless the
        database fails, which affects all tables."""
        if self.is_waiting(table):
            return
        try:
            await work()
        except StoreError:
            raise
        except Exception:
            tries = self._failed[table].tries + 1 if table in self._failed else 1
            delay = min(FIRST_DELAY * 2 ** min(tries - 1, 20), MAX_DELAY)
            self._failed[table] = _Failure(tries, asyncio.get_running_loop().time() + delay)
            log.exception("a table cannot be processed", table=table, tries=tries)
        else:
            self._failed.pop(table, None)
