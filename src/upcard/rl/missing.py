"""The error for a missing package of learners."""

from __future__ import annotations

__all__ = ["needed"]

import importlib
from typing import Any

from upcard.core.errors import MissingPackage


def needed(package: str) -> Any:
    """Return a module of a package, or say how to install it."""
    try:
        return importlib.import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        raise MissingPackage(f"the learning environments need {name}: pip install 'upcard[rl]'") from None
