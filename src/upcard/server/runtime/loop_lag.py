"""The lag of the event loop, which delays everything that a node does."""

from __future__ import annotations

__all__ = ["measure_lag"]

import asyncio

from upcard.server.metrics import Metrics

# The time between two measurements, in seconds.
INTERVAL = 0.5


async def measure_lag(metrics: Metrics) -> None:
    """Measure the lag forever."""
    loop = asyncio.get_running_loop()
    while True:
        wanted = loop.time() + INTERVAL
        await asyncio.sleep(INTERVAL)
        metrics.loop_lag.observe(max(0.0, loop.time() - wanted))
