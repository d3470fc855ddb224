"""Levels for people: the same words in every game, each stronger than the one before."""

from __future__ import annotations

__all__ = ["LEVELS"]

from upcard.bots.bot import Budget, Maker
from upcard.bots.search import Search
from upcard.bots.simple import Easy

# The bot of each level and its budget. Simulations make its strength the same on every machine; seconds limit
# how long people wait on a slow one.
LEVELS: dict[str, tuple[Maker, Budget]] = {
    "easy": (Easy, Budget()),
    "normal": (Search, Budget(50, 0.04)),
    "hard": (Search, Budget(500, 0.5)),
    "expert": (Search, Budget(20_000, 1.8)),
}
