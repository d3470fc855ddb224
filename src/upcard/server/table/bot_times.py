"""How long bots take for their moves."""

from __future__ import annotations

__all__ = ["BOT_MARGIN", "HURRIED_PACE", "budget_of", "pause"]

import functools

from upcard.bots import Budget
from upcard.bots import parse as parse_bot
from upcard.core.errors import UpcardError

# How long a bot that hurries takes for a move, in seconds.
HURRIED_PACE = 0.1
# How much longer than its budget a bot may take, in seconds.
BOT_MARGIN = 0.5


@functools.cache
def pause(bot: str, pace: float) -> float:
    """Return how long a bot takes for a move: the same whatever it holds, and at least as long as it may
    think."""
    return 0.0 if pace == 0 else max(pace, budget_of(bot).seconds or 0.0)


def budget_of(bot: str) -> Budget:
    """Return the budget of a bot. A bot that can no longer be loaded, for example because its package was
    removed, has no budget: greedy makes its moves."""
    try:
        return parse_bot(bot).budget
    except UpcardError:
        return Budget()
