"""A table of Stacks as lines of text, in the order in which one reads them aloud."""

from __future__ import annotations

__all__ = ["render_shown"]

from collections.abc import Mapping, Sequence

from upcard.core.show import Shown
from upcard.core.text import counted, top_first
from upcard.games.stacks.deck import read_card


def render_shown(shown: Shown, names: Sequence[str]) -> str:
    """Return what programs are shown as text: the piles, then each seat."""
    piles = [f"{name}: {len(cards) or 'empty'}" for name, cards in shown["piles"].items()]
    lines = [
        "Piles   " + "   ".join(piles),
        f"Deck    {counted(shown['deck'], 'card')}; chips left: {_chips(shown['bank'])}",
        f"Play    to the {shown['direction']}"
        + (f", {counted(shown['skips'], 'turn')} to be missed" if shown["skips"] else ""),
    ]
    if shown["asking"] is not None:
        lines.append(f"Asking  who blocks {shown['asking']}")
    for number, (seat, name) in enumerate(zip(shown["seats"], names, strict=True), 1):
        turn = shown["over"] is None and number == shown["turn"]
        lines.append(f"{'>' if turn else ' '} {name}")
        lines.append("    " + _seat(seat))
    if shown["hand"]:
        lines.append("Your hand   " + " ".join(sorted(shown["hand"], key=read_card)))
    return "\n".join(lines)


def _chips(chips: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in chips.items())


def _seat(seat: Shown) -> str:
    hand, discards = counted(seat["hand"], "card"), top_first(seat["discards"], "none")
    return f"chips: {_chips(seat['chips'])}   hand: {hand}   discards: {discards}"
