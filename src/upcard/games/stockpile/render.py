"""A table of Stockpile as lines of text, in the order in which one reads them aloud."""

from __future__ import annotations

__all__ = ["render_shown"]

from collections.abc import Sequence

from upcard.core.show import Shown
from upcard.core.text import counted, top_first
from upcard.games.stockpile.deck import WILD, write_card


def render_shown(shown: Shown, names: Sequence[str]) -> str:
    """Return what programs are shown as text: the piles, then each seat."""
    piles = [f"{number}: {_pile(pile)}" for number, pile in enumerate(shown["piles"], 1)]
    completed = sum(shown["completed"].values())
    lines = ["Piles   " + "   ".join(piles)]
    lines.append(f"Fresh   {counted(shown['fresh'], 'card')}, {completed} in completed piles")
    for number, (seat, name) in enumerate(zip(shown["seats"], names, strict=True), 1):
        turn = shown["over"] is None and number == shown["turn"]
        lines.append(f"{'>' if turn else ' '} {name}")
        lines.append("    " + _seat(seat))
    return "\n".join(lines)


def _pile(pile: Shown) -> str:
    if pile["height"] == 0:
        return "empty"
    wild = " (?)" if pile["cards"][-1] == write_card(WILD) else ""
    return f"{pile['height']}{wild}"


def _seat(seat: Shown) -> str:
    stock = "none" if seat["top"] is None else f"{seat['top']} of {seat['stock']}"
    stacks = "   ".join(f"{name}: {top_first(cards, 'empty')}" for name, cards in seat["stacks"].items())
    return f"stock: {stock}   {stacks}"
