"""The bus: nodes are notified of each other's changes, also after an outage of Redis or the database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import pytest
from redis import Redis as Client
from structlog.testing import capture_logs

from tests.server.servers import Redis
from tests.waiting import PAUSE
from upcard.server.runtime.bus import CHANNEL, RedisBus
from upcard.server.store import StoreError


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    with Redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


class Node:
    """The part of a node that uses the bus."""

    def __init__(self, url: str) -> None:
        self.bus = RedisBus(url)
        self.applied: list[tuple[str, int]] = []
        # How often it has looked for missed messages, and how often doing so will fail.
        self.looks = 0
        self.failures = 0

    async def on_table(self, table: str, seq: int) -> None:
        if table == "unreadable":
            raise RuntimeError("an entry of this table cannot be read")
        self.applied.append((table, seq))

    async def on_resumed(self) -> None:
        if self.failures:
            self.failures -= 1
            raise StoreError("the database is gone")
        self.looks += 1


@contextlib.asynccontextmanager
async def listening(redis: Redis, count: int) -> AsyncIterator[list[Node]]:
    """Let nodes listen to the bus."""
    nodes = [Node(redis.url) for _ in range(count)]
    try:
        for node in nodes:
            await node.bus.listen(node.on_table, node.on_resumed)
        await until(lambda: all(node.looks == 1 for node in nodes))
        yield nodes
    finally:
        for node in nodes:
            await node.bus.close()


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - Redis sets no events
        await asyncio.sleep(PAUSE)


def run(work: Coroutine[Any, Any, None]) -> None:
    with capture_logs():
        asyncio.run(work)


def test_all_other_nodes_are_notified_of_a_write(redis: Redis) -> None:
    async def talk() -> None:
        async with listening(redis, 3) as (one, other, third):
            await one.bus.publish("garden", 7)
            await until(lambda: other.applied == third.applied == [("garden", 7)])
            await other.bus.publish("cellar", 1)
            await until(lambda: one.applied == [("cellar", 1)])
            await until(lambda: third.applied == [("garden", 7), ("cellar", 1)])
            # Messages arrive in order: a node would have received its own message before this one.
            await third.bus.publish("attic", 2)
            await until(lambda: ("attic", 2) in one.applied and ("attic", 2) in other.applied)
            assert one.applied == [("cellar", 1), ("attic", 2)]
            assert other.applied == [("garden", 7), ("attic", 2)]

    run(talk())


def test_foreign_messages_are_ignored(redis: Redis) -> None:
    async def talk() -> None:
        async with listening(redis, 2) as (one, other):
            with Client(port=redis.port) as stranger:
                for data in (b"", b"table", b"a b c d", b"node table x", b"\xff \xff 1"):
                    stranger.publish(CHANNEL, data)
            await one.bus.publish("garden", 7)
            await until(lambda: other.applied == [("garden", 7)])
            assert one.applied == []

    run(talk())


def test_a_node_listens_again_when_redis_comes_back_and_looks_for_what_it_has_missed(redis: Redis) -> None:
    async def talk() -> None:
        async with listening(redis, 2) as (one, other):
            redis.kill()
            await one.bus.publish("garden", 7)  # which nobody receives, and that does no harm
            # The database is gone for a while too.
            other.failures = 1
            redis.start()
            await until(lambda: one.looks == other.looks == 2)
            await one.bus.publish("garden", 8)
            await until(lambda: other.applied == [("garden", 8)])

    run(talk())


def test_a_message_about_a_table_that_cannot_be_read_does_not_end_listening(redis: Redis) -> None:
    async def talk() -> None:
        async with listening(redis, 2) as (one, other):
            await one.bus.publish("unreadable", 1)
            # It listens again, and looks for what it has missed meanwhile.
            await until(lambda: other.looks == 2)
            await one.bus.publish("garden", 7)
            await until(lambda: other.applied == [("garden", 7)])

    run(talk())
