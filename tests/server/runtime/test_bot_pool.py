"""The threads of bots are shared fairly: one client's bots do not keep those of others waiting."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from tests.server.tables import Tried
from upcard.bots import Turn
from upcard.server.metrics import Metrics
from upcard.server.runtime import bot_pool
from upcard.server.runtime.bot_pool import BotPool, Choices


class Thinking:
    """Bots that think until they are released, and report which are thinking."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.running: list[str] = []
        self._changed = threading.Condition()
        self._released: set[str] = set()
        monkeypatch.setattr(bot_pool, "choose", self._choose)

    def _choose(self, bot: str, turn: Turn, _seed: bytes) -> int:
        with self._changed:
            self.running.append(bot)
            self._changed.notify_all()
            self._changed.wait_for(lambda: bot in self._released)
            self.running.remove(bot)
        return turn.moves[0]

    def release(self, *bots: str) -> None:
        """Let bots choose."""
        with self._changed:
            self._released.update(bots)
            self._changed.notify_all()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until the running bots are as expected."""

        def wait() -> None:
            with self._changed:
                self._changed.wait_for(is_so)

        await asyncio.to_thread(wait)


def test_one_address_never_has_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = Thinking(monkeypatch)

    async def share() -> None:
        pool, table = BotPool(2, Metrics()), Tried("lines").start().state

        def ask(bot: str, address: str) -> asyncio.Future[int]:
            choices: Choices = {}
            return pool.choose(table, choices, 1, bot, address)

        # Each has a different name, so that a test can see which of them is thinking.
        first, second = ask("expert", "attacker"), ask("normal", "attacker")
        await thinking.until(lambda: thinking.running == ["expert"])
        other, quick = ask("hard", "other"), ask("easy", "other")
        await thinking.until(lambda: set(thinking.running) == {"expert", "hard", "easy"})
        thinking.release("easy", "hard")
        await asyncio.gather(other, quick)
        assert not second.done()
        thinking.release("expert")
        await first
        await thinking.until(lambda: thinking.running == ["normal"])
        thinking.release("normal")
        await second
        pool.stop()

    asyncio.run(share())


def test_a_bot_thinks_once_about_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = Thinking(monkeypatch)
    thinking.release("hard")

    async def ask_twice() -> None:
        pool, table, choices = BotPool(2, Metrics()), Tried("lines").start().state, Choices()
        assert pool.choose(table, choices, 1, "hard", "a") is pool.choose(table, choices, 1, "hard", "b")
        await asyncio.gather(*choices.values())
        pool.stop()

    asyncio.run(ask_twice())
