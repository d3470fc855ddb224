"""Piles, found in one place at a table and in another in a view."""

from __future__ import annotations

__all__ = ["deck_count"]

from typing import Any

from upcard.core.rule import rule


def _deck_count_seen(view: Any) -> int:
    count: int = view.deck_count
    return count


@rule(in_view=_deck_count_seen)
def deck_count(position: Any) -> int:
    """Return how many cards are left to draw."""
    count: int = position.deck.count
    return count
