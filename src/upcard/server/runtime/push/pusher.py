"""Sending push messages in the background: no table waits for it, and no failure reaches a table."""

from __future__ import annotations

__all__ = ["MISSING", "Pusher"]

import asyncio
import importlib.util
from typing import TYPE_CHECKING

import structlog

from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError
from upcard.server.runtime.errors import NoSuchTable
from upcard.server.runtime.push.delivery import Delivery, Outcome, post
from upcard.server.runtime.push.encryption import SEED_BYTES
from upcard.server.runtime.push.endpoint import Endpoint, ForbiddenEndpoint, read_endpoint
from upcard.server.runtime.push.message import write_message
from upcard.server.runtime.push.queue import SLOW, Waiting, person_awaited
from upcard.server.runtime.push.vapid import Signer
from upcard.server.store import StoreError, Subscription
from upcard.server.table.state import TableState

if TYPE_CHECKING:
    from upcard.server.runtime.tables import Tables

log = structlog.get_logger()

MISSING = "push messages need the package cryptography: pip install 'upcard[push]'"
# The interval between rounds, in seconds.
ROUND = 1.0
# People who are notified in one round, and connections to push services at the same time.
MAX_PEOPLE = 100
MAX_CONNECTIONS = 8
# How long a push service keeps a message, in seconds: until the table stops waiting, but within these limits.
MIN_KEPT = 60.0
MAX_KEPT = 7.0 * SLOW


class Pusher:
    """Notifies people that it is their turn, if they want that and are not at the table."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._node = tables.node
        self._queue = tables.node.pushes
        self._connections = asyncio.Semaphore(MAX_CONNECTIONS)
        self._signer: Signer | None = None

    @property
    def is_on(self) -> bool:
        """Whether this server can send messages."""
        return self._node.settings.push != "off" and importlib.util.find_spec("cryptography") is not None

    async def signer(self) -> Signer | None:
        """Return the key of this server; None if it sends no messages. The first node makes the key."""
        if self._signer is None and self.is_on:
            fresh = random_bytes("push key", SEED_BYTES)
            seed = await self._node.store.server_key("push", fresh)
            self._signer = await asyncio.to_thread(Signer, seed)
            self._queue.is_active = True
        return self._signer

    def endpoint(self, text: str) -> Endpoint:
        """Return the address of a device, or raise ForbiddenEndpoint."""
        settings = self._node.settings
        return read_endpoint(text, settings.push_services, settings.push == "loopback")

    async def run_forever(self) -> None:
        """Send messages as they become due."""
        if self._node.settings.push == "off":
            return
        if not self.is_on:
            log.info("no push messages are sent", reason=MISSING)
            return
        while True:
            try:
                await self.send_due()
            except StoreError:
                pass  # housekeeping reports it
            except Exception:
                log.exception("push messages failed, trying again")
            await asyncio.sleep(ROUND)

    async def send_due(self) -> None:
        """Notify everyone whose time has come."""
        signer = await self.signer()
        if signer is not None:
            due = self._queue.take_due(MAX_PEOPLE)
            await asyncio.gather(*(self._notify(waiting, signer) for waiting in due))

    async def _notify(self, waiting: Waiting, signer: Signer) -> None:
        """Notify a person, unless the table does not wait for them any more, or they are there."""
        try:
            devices = await self._node.store.subscriptions(waiting.person)
            devices = [device for device in devices if device.endpoint not in waiting.reached]
            if not devices:
                return
            actor = await self._tables.actor(waiting.table)
            is_there = any(stream.person == waiting.person for stream in actor.streams)
            if is_there or person_awaited(actor.state) != waiting.person:
                return
            outcomes = await asyncio.gather(*(self._send(device, actor.state, signer) for device in devices))
        except NoSuchTable:
            return
        except StoreError:
            self._queue.try_again(waiting, waiting.reached)
            return
        except Exception:
            log.exception("a push message failed", table=waiting.table)
            return
        done = [
            device.endpoint for device, outcome in zip(devices, outcomes, strict=True) if outcome != "later"
        ]
        if len(done) < len(devices):
            self._queue.try_again(waiting, waiting.reached.union(done))

    async def _send(self, device: Subscription, state: TableState, signer: Signer) -> Outcome:
        """Send a message to one device, and forget the device if it wants no more."""
        async with self._connections:
            outcome = await self._outcome(device, state, signer)
        self._node.metrics.pushes.labels(outcome).inc()
        if outcome == "gone":
            await self._node.store.unsubscribe(device.endpoint)
        return outcome

    async def _outcome(self, device: Subscription, state: TableState, signer: Signer) -> Outcome:
        now, ends = self._node.clock(), state.patience_ends
        kept = MAX_KEPT if ends is None else min(max(ends - now, MIN_KEPT), MAX_KEPT)
        # Reading the words of a language for the first time takes a while.
        text = await asyncio.to_thread(write_message, state.game, state.table, device.language)
        try:
            endpoint = self.endpoint(device.endpoint)
            outcome = await post(Delivery(device, text, state.table, int(kept)), endpoint, signer, now)
        except ForbiddenEndpoint as error:
            return _failed("refused", error)
        except (OSError, TimeoutError, UpcardError) as error:
            return _failed("later", error)
        if outcome == "refused":
            log.warning("a push service refused a message", service=endpoint.host)
        return outcome


def _failed(outcome: Outcome, error: Exception) -> Outcome:
    """Log a failure without the address of the device, which is a secret of that device."""
    log.info("a push message was not sent", reason=type(error).__name__)
    return outcome
