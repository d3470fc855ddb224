"""The bus, on which nodes tell each other that a table has changed. A message contains only the table's name
and number; the receiver reads the log. So there are no secrets on the bus, and a lost message costs only
time.
"""

from __future__ import annotations

__all__ = ["Bus", "RedisBus", "open_bus", "reach_bus"]

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError
from upcard.server.metrics import Metrics

log = structlog.get_logger()

WANTED = "the bus should be redis://HOST:PORT"
CHANNEL = "upcard:tables"
# Seconds before listening again after an error.
LISTEN_AGAIN = 0.5
OnTable = Callable[[str, int], Awaitable[None]]
OnResumed = Callable[[], Awaitable[None]]


class Bus:
    """The bus of a single server, which has nobody to notify."""

    is_shared = False
    # Whether messages of other nodes arrive.
    is_up = True
    metrics: Metrics | None = None

    async def listen(self, on_table: OnTable, on_resumed: OnResumed) -> None:
        """Call `noticed` with a table and its number whenever another node has written there, and `resumed`
        when messages may have been missed."""

    async def publish(self, table: str, seq: int) -> None:
        """Tell the other nodes."""

    async def close(self) -> None:
        """Stop listening."""


class RedisBus(Bus):
    """A bus over Redis."""

    is_shared = True

    def __init__(self, url: str) -> None:
        try:
            from redis.asyncio import Redis
        except ImportError:
            raise UpcardError(
                "--bus needs the extra upcard[cluster]: pip install 'upcard[cluster]'"
            ) from None
        try:
            self._redis: Any = Redis.from_url(url, socket_connect_timeout=5, health_check_interval=15)
        except ValueError:
            # The cause is not shown, since it may contain a password.
            raise UpcardError(WANTED) from None
        self._node = random_bytes("node", 8).hex()
        self._listening: asyncio.Task[None] | None = None
        # The last number of each table that could not be published.
        self._unsent: dict[str, int] = {}
        # When each message was sent that has not come back yet, by the event loop's clock.
        self._sent: dict[str, float] = {}

    async def listen(self, on_table: OnTable, on_resumed: OnResumed) -> None:
        from redis.exceptions import RedisError

        try:
            await self._redis.ping()
        except (RedisError, OSError) as error:
            raise UpcardError(f"the bus cannot be reached: {error}") from None
        self._listening = asyncio.create_task(self._listen(on_table, on_resumed))

    async def _listen(self, on_table: OnTable, on_resumed: OnResumed) -> None:
        """Listen forever, reconnecting after every lost connection."""
        from redis.exceptions import RedisError

        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    self.is_up = True
                    await self._publish_unsent()
                    await on_resumed()
                    async for message in channel.listen():
                        if message["type"] == "message":
                            await self._hear(message["data"], on_table)
            except (RedisError, OSError, UpcardError) as error:
                # The bus or the database failed. In both cases something was missed, and `resumed` looks for
                # it.
                log.warning("what other nodes do is not known now, trying again", reason=str(error))
            except Exception:
                log.exception("a message of another node cannot be handled, listening again")
            self.is_up = False
            self._sent.clear()
            await asyncio.sleep(LISTEN_AGAIN)

    async def _hear(self, data: bytes, on_table: OnTable) -> None:
        try:
            node, table, seq = data.decode().split(" ")
            number = int(seq)
        except ValueError:
            log.warning("something on the bus is not ours")
            return
        if node != self._node:
            await on_table(table, number)
        elif self.metrics is not None and (sent := self._sent.pop(table, None)) is not None:
            self.metrics.bus_lag.observe(asyncio.get_running_loop().time() - sent)

    async def publish(self, table: str, seq: int) -> None:
        from redis.exceptions import RedisError

        self._unsent[table] = max(seq, self._unsent.get(table, 0))
        try:
            await self._publish_unsent()
        except (RedisError, OSError) as error:
            # It is published when the bus is back. The other nodes also check the log from time to time.
            log.warning("the other nodes could not be told", reason=str(error))

    async def _publish_unsent(self) -> None:
        for table, seq in list(self._unsent.items()):
            self._sent[table] = asyncio.get_running_loop().time()
            await self._redis.publish(CHANNEL, f"{self._node} {table} {seq}")
            if self._unsent.get(table) == seq:
                del self._unsent[table]

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._listening
        await self._redis.aclose()


def open_bus(url: str | None) -> Bus:
    """Return the bus at an address, or the bus of a single server."""
    if url is None:
        return Bus()
    if not url.startswith(("redis://", "rediss://", "unix://")):
        raise UpcardError(WANTED)
    return RedisBus(url)


def reach_bus(url: str | None) -> None:
    """Check that the bus can be reached, before anything else is started."""
    if url is None:
        return
    open_bus(url)
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with Redis.from_url(url, socket_connect_timeout=5) as redis:
            redis.ping()
    except (RedisError, OSError) as error:
        raise UpcardError(f"the bus cannot be reached: {error}") from None
