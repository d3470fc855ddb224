"""The one source of real randomness: seeds, secrets, and the names of people and tables.

Everything that must not be guessable is drawn here, for a named purpose. A program that should be repeatable
(a test, for instance) replaces the operating system's source by another one.
"""

from __future__ import annotations

__all__ = ["Source", "random_bytes", "random_text", "seeded_source", "use_source"]

import hashlib
import itertools
import secrets
from collections import defaultdict
from collections.abc import Callable
from typing import Final

# Called with the purpose and the number of bytes.
Source = Callable[[str, int], bytes]

# Far more bits than a letter needs, so no letter is noticeably more likely than another.
TEXT_BYTES: Final = 64


def _operating_system(_purpose: str, count: int) -> bytes:
    return secrets.token_bytes(count)


_source: Source = _operating_system


def use_source(source: Source) -> Source:
    """Draw all further randomness from `source`, and return the source that was used before."""
    global _source
    before, _source = _source, source
    return before


def seeded_source(seed: str) -> Source:
    """Return a source that gives the same bytes whenever it is made from the same seed.

    Each purpose has a stream of its own, so threads that draw for different purposes do not disturb each
    other.
    """
    numbers: dict[str, itertools.count[int]] = defaultdict(itertools.count)

    def draw(purpose: str, count: int) -> bytes:
        return hashlib.shake_256(f"{seed}\n{purpose}\n{next(numbers[purpose])}".encode()).digest(count)

    return draw


def random_bytes(purpose: str, count: int) -> bytes:
    """Return bytes that nobody can guess."""
    return _source(purpose, count)


def random_text(purpose: str, letters: str, length: int) -> str:
    """Return a text of these letters that nobody can guess."""
    number = int.from_bytes(random_bytes(purpose, TEXT_BYTES))
    text = ""
    for _ in range(length):
        number, place = divmod(number, len(letters))
        text += letters[place]
    return text
