"""Lines for PettingZoo: `env()`, `raw_env()` and `parallel_env()` take the options of the game."""

from __future__ import annotations

__all__ = ["env", "parallel_env", "raw_env"]

from upcard.rl.zoo import makers

env, raw_env, parallel_env = makers("lines")
