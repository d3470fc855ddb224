"""Colours in the terminal: cards in their colours, and the seat whose turn it is in bold."""

from __future__ import annotations

__all__ = ["coloured", "wants_colour"]

import os
import re
import sys

from upcard.core.game import registered

# The codes of a terminal's colours.
CODES = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "purple": "35", "orange": "38;5;208"}
CARD = re.compile(r"(?<![\w@+])[A-Za-z](?:\d+|\?)(?![\w?])")
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
    """Return text with colour codes added; cards have the colours of the games in use."""
    text = TURN.sub(lambda found: _code("1", found[0]), text)
    text = NUMBER.sub(lambda found: _code("2", found[0]), text)
    colours = {letter: colour for game in registered() for letter, colour in game.colours.items()}

    def card(found: re.Match[str]) -> str:
        colour = colours.get(found[0][0])
        return _code(CODES[colour], found[0]) if colour else found[0]

    return CARD.sub(card, text)


def _code(code: str, text: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"
