"""Pieces that the notations of all games share."""

from __future__ import annotations

__all__ = ["number_after", "seat_after"]

from upcard.core.errors import NotationError


def number_after(mark: str, text: str, most: int) -> int:
    """Return the whole number from 1 to `most` that follows the mark."""
    digits = text.removeprefix(mark)
    is_number = text.startswith(mark) and digits.isascii() and digits.isdigit() and len(digits) < 10
    if is_number and 1 <= int(digits) <= most:
        return int(digits)
    raise NotationError(f"{text!r} should be {mark} and a number from 1 to {most}")


def seat_after(mark: str, text: str, players: int) -> int:
    """Return the seat (from 0) whose number follows the mark."""
    return number_after(mark, text, players) - 1
