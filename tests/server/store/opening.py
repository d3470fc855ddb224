"""A program that opens every database that it is given, adds a table to it, and reports that."""

from __future__ import annotations

import asyncio
import os
import sys

from tests.server.store.databases import OPEN, rows
from upcard.server.store import open_store


async def leave_a_table(url: str) -> None:
    """Open a database and write to it."""
    store = open_store(url)
    await store.append(f"t{os.getpid()}", 0, rows(1), OPEN)
    await store.close()


if __name__ == "__main__":
    for line in sys.stdin:
        asyncio.run(leave_a_table(line.strip()))
        print("done", flush=True)
