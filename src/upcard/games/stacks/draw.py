"""A view of Stacks as lines of text, in the order in which one reads them aloud."""

from __future__ import annotations

__all__ = ["draw"]

from collections.abc import Sequence

from upcard.core.table import PLAYING
from upcard.core.words import counted
from upcard.games.stacks.deck import COLOURS, write_card
from upcard.games.stacks.moves import PILE_NAMES
from upcard.games.stacks.table import ASK, Building, Discards
from upcard.games.stacks.view import SeatView, View


def draw(view: View, names: Sequence[str]) -> str:
    """Return the table as text: the piles, then each seat."""
    piles = [f"{name}: {_pile(pile)}" for name, pile in zip(PILE_NAMES, view.piles, strict=True)]
    chips = [f"{count} {colour}" for count, colour in zip(view.bank, COLOURS, strict=True)]
    lines = [
        "Piles   " + "   ".join(piles),
        f"Deck    {counted(view.deck_count, 'card')}; chips left: {', '.join(chips)}",
        f"Play    to the {'left' if view.direction == 1 else 'right'}"
        + (f", {counted(view.skips, 'turn')} to be missed" if view.skips else ""),
    ]
    if view.step == ASK:
        lines.append(f"Asking  whether anybody blocks {PILE_NAMES[view.asked_pile]}")
    for seat in range(view.players):
        turn = view.over == PLAYING and seat == view.player
        lines.append(f"{'>' if turn else ' '} {names[seat]}")
        lines.append("    " + _seat(view.seats[seat]))
    if view.hand.count:
        cards = sorted(view.hand.cards[: view.hand.count])
        lines.append("Your hand   " + " ".join(write_card(card) for card in cards))
    return "\n".join(lines)


def _pile(pile: Building) -> str:
    return str(pile.height) if pile.height else "empty"


def _seat(seat: SeatView) -> str:
    chips = ", ".join(f"{count} {colour}" for count, colour in zip(seat.chips, COLOURS, strict=True))
    return f"chips: {chips}   hand: {counted(seat.hand_count, 'card')}   discards: {_discards(seat.discards)}"


def _discards(pile: Discards) -> str:
    """The top card first, what is buried behind a bar."""
    cards = [write_card(card) for card in pile.cards[: pile.count]]
    if not cards:
        return "none"
    return cards[-1] if len(cards) == 1 else f"{cards[-1]} | {' '.join(reversed(cards[:-1]))}"
