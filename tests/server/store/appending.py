"""A program that appends as fast as it can, prints what is durable, and waits to be killed.

Every entry is its own number. An existing table is continued as by a client that got no answer to its last
command: the command is repeated, and must not be carried out again.
"""

from __future__ import annotations

import asyncio
import sys

from tests.server.store.databases import OPEN
from upcard.server.store import AlreadyDone, CommandKey, Store, open_store

TABLES = [f"t{number}" for number in range(8)]


async def append(store: Store, table: str, base: int, number: int) -> int:
    """Append entry `number`, which is also the id of its command."""
    try:
        return await store.append(table, base, [(1.0, b"%d" % number)], OPEN, CommandKey("ann", str(number)))
    except AlreadyDone as repeated:
        return repeated.seq


async def play(store: Store, table: str) -> None:
    """Append to one table forever."""
    seq = max(0, len(await store.load(table)) - 1)
    while True:
        seq = await append(store, table, seq, seq + 1)
        print(table, seq, flush=True)


async def main(url: str) -> None:
    """Append to all tables forever."""
    store = open_store(url)
    await asyncio.gather(*(play(store, table) for table in TABLES))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
