"""Reasons for moves in Climb, as message codes."""

from __future__ import annotations

__all__ = ["why"]

from collections.abc import Sequence

from climb.deck import write_card
from climb.moves import PASS
from climb.view import View
from upcard.i18n import Message


def why(view: View, move: int, names: Sequence[str]) -> Message:
    """Return the strongest reason for a legal move that can be seen from a view."""
    if move == PASS:
        return Message("climb.why_pass")
    if view.viewer != view.to_move:
        # Only its owner knows the hand.
        return Message("climb.why_follows")
    hand = view.hand.cards[: view.hand.count]
    if len(hand) == 1:
        return Message("climb.why_wins")
    if move == min(hand):
        return Message("climb.why_lowest", {"card": write_card(move)})
    return Message("climb.why_follows")
