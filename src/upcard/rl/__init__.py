"""Reinforcement learning environments: the three games in the usual interfaces.

`VectorEnv` has thousands of tables in one call; `stockpile_v1`, `lines_v1` and `stacks_v1` are environments
of PettingZoo; and `gymnasium.make("upcard/Stockpile-v1")` is you against bots. docs/learning.md shows how.
"""

from __future__ import annotations

__all__ = ["Encoding", "Step", "VectorEnv", "encoding_of", "lines_v1", "stacks_v1", "stockpile_v1"]

import contextlib
import importlib
from typing import TYPE_CHECKING, Any

from upcard.rl.registration import register

if TYPE_CHECKING:
    from upcard.rl import lines_v1, stacks_v1, stockpile_v1
    from upcard.rl.encodings import Encoding, encoding_of
    from upcard.rl.vector import Step, VectorEnv

# Loaded when first asked for: most of them need NumPy and Numba, some PettingZoo.
_LAZY = {
    "Encoding": "upcard.core.encoding",
    "encoding_of": "upcard.rl.encodings",
    "Step": "upcard.rl.vector",
    "VectorEnv": "upcard.rl.vector",
}
_MODULES = ("lines_v1", "stacks_v1", "stockpile_v1")


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"upcard.rl.{name}")
    raise AttributeError(f"module 'upcard.rl' has no attribute {name!r}")


# If Gymnasium is installed, register our environments with it.
with contextlib.suppress(ImportError):
    register()
