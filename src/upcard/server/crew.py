"""The crew: the threads in which the bots of all tables think, so that no table waits for another's."""

from __future__ import annotations

__all__ = ["Crew"]

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

from upcard.bots import Turn
from upcard.server.metrics import Metrics
from upcard.server.room import Room
from upcard.server.thinking import dice_of, think, turn_of


class Crew:
    """Threads that think."""

    def __init__(self, threads: int, metrics: Metrics) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._metrics = metrics

    def begin(self, room: Room) -> dict[int, asyncio.Future[int]]:
        """Let bots think while everybody else watches; they move when their time has come."""
        sitting = room.sitting
        if sitting.window is not None and sitting.match is not None:
            seats = sitting.match.asked
        else:
            seats = [] if sitting.to_move is None else [sitting.to_move]
        bots = {seat: sitting.seats[seat - 1].player for seat in seats}
        return {seat: self.thought(room, seat, bot) for seat, bot in bots.items() if bot is not None}

    def thought(self, room: Room, seat: int, bot: str, hint: bool = False) -> asyncio.Future[int]:
        """Return what a bot thinks of the table as it is. However often one asks, it thinks once."""
        key = room.sitting.changed, -seat if hint else seat
        if key not in room.thoughts:
            turn = turn_of(room.sitting, seat, bot)
            dice = dice_of(room.sitting, seat)
            loop = asyncio.get_running_loop()
            room.thoughts[key] = loop.run_in_executor(self._threads, self._think, bot, turn, dice)
        return room.thoughts[key]

    def _think(self, bot: str, turn: Turn, dice: bytes) -> int:
        started = time.perf_counter()
        move = think(bot, turn, dice)
        self._metrics.bot_moves.inc()
        self._metrics.thinking.observe(time.perf_counter() - started)
        return move

    def leave(self) -> None:
        """Think no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
