"""Colours in the terminal: cards in their colours, and the seat whose turn it is in bold."""

from __future__ import annotations

__all__ = ["coloured", "wants_colour"]

import os
import re
import sys

# The first letter of the notation of a card or a pile, and its terminal colour.
COLOURS = {"r": "31", "g": "32", "y": "33", "b": "34", "p": "35", "o": "38;5;208"}
CARD = re.compile(r"(?<![\w@+])[rgybpoRB](?:\d+|\?)(?![\w?])")
TURN = re.compile(r"^> .*$", re.MULTILINE)
NUMBER = re.compile(r"(?<![\w)])\d+\)(?= )")


def wants_colour() -> bool:
    """Whether standard output should have colours: see https://no-color.org."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    # The old console of Windows would show the codes themselves.
    shows = os.name != "nt" or "WT_SESSION" in os.environ
    return shows and sys.stdout is not None and sys.stdout.isatty()


def coloured(text: str) -> str:
    """Return text with colour codes added."""
    text = TURN.sub(lambda found: _code("1", found[0]), text)
    text = NUMBER.sub(lambda found: _code("2", found[0]), text)
    return CARD.sub(lambda found: _code(COLOURS[found[0][0].lower()], found[0]), text)


def _code(code: str, text: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"
