"""Seeds: the randomness of a test follows from its name, so a failure can be reproduced exactly.

That is the randomness of Upcard itself (`upcard.core.entropy`: the cards of every table, its bots' dice, the
names of people) and of Python's and NumPy's global generators. Shared fixtures have their own seeds, so it
does not matter which test uses them first.
"""

from __future__ import annotations

__all__ = ["BASE", "current", "seeded_by"]

import contextlib
import os
import random
import sys
import zlib
from collections.abc import Iterator

from upcard.core import entropy

# `make test SEED=another` runs the whole suite with other cards.
BASE = os.environ.get("TEST_SEED") or "1"

_current = BASE


def current() -> str:
    """Return the seed of the running test or shared fixture."""
    return _current


@contextlib.contextmanager
def seeded_by(name: str) -> Iterator[None]:
    """Draw everything from the seed of a test or a fixture."""
    global _current  # noqa: PLW0603 - one test runs at a time in a process
    before, _current = _current, f"{BASE} {name}"
    source, state = entropy.use_source(entropy.seeded_source(_current)), random.getstate()
    random.seed(_current)
    # Another thread may be importing NumPy at this moment; then its generator has not been used yet.
    seed_numpy = getattr(sys.modules.get("numpy.random"), "seed", None)
    if seed_numpy is not None:
        seed_numpy(zlib.crc32(_current.encode()))
    try:
        yield
    finally:
        _current = before
        entropy.use_source(source)
        random.setstate(state)
