"""Pieces that the notations of all games share."""

from __future__ import annotations

__all__ = ["number_after", "seat_after", "whole"]

from upcard.core.errors import NotationError
from upcard.core.text import quoted


def whole(text: str) -> int | None:
    """Return the whole number that a text is, or None; no number here has more than nine digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def number_after(mark: str, text: str, maximum: int) -> int:
    """Return the whole number from 1 to `maximum` that follows the mark."""
    number = whole(text.removeprefix(mark)) if text.startswith(mark) else None
    if number is not None and 1 <= number <= maximum:
        return number
    raise NotationError(f"{quoted(text)} should be {mark} and a number from 1 to {maximum}")


def seat_after(mark: str, text: str, players: int) -> int:
    """Return the seat (from 0) whose number follows the mark."""
    return number_after(mark, text, players) - 1
