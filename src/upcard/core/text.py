"""Text: values from outside, escaped and shortened, and parts of tables in English."""

from __future__ import annotations

__all__ = ["LONGEST_NUMBER", "counted", "printable", "quoted", "top_first"]

import re
from collections.abc import Sequence

# Integers with more digits than this are out of range for every field of every format, and are not shown.
LONGEST_NUMBER = 18

# Control characters (C0, C1), line and paragraph separators, characters that change the direction of the
# text, byte order marks and lone surrogates.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb]"
)


def printable(text: str, limit: int | None = None) -> str:
    """Return text that is safe to print on one line of a terminal, cut after `limit` characters."""
    if limit is not None and len(text) > limit:
        text = text[:limit] + "..."
    return _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def quoted(value: object, limit: int = 40) -> str:
    """Return a value as an error message shows it: escaped, and cut after `limit` characters."""
    if type(value) is int and abs(value) >= 10**LONGEST_NUMBER:
        return f"a number of more than {LONGEST_NUMBER} digits"
    if type(value) is str:
        return repr(value) if len(value) <= limit else f"{value[:limit]!r}..."
    try:
        text = repr(value)
    except Exception:  # a long integer inside, deep nesting, or an object of another package
        return f"a {type(value).__name__}"
    return printable(text, limit)


def counted(number: int, thing: str) -> str:
    """Return a number with its noun, as in `2 cards`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def top_first(cards: Sequence[str], none: str) -> str:
    """Return the cards of a pile as text, the top one first, and those beneath it behind a bar."""
    if not cards:
        return none
    return cards[-1] if len(cards) == 1 else f"{cards[-1]} | {' '.join(reversed(cards[:-1]))}"
