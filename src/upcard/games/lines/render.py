"""A table of Lines as lines of text, in the order in which one reads them aloud."""

from __future__ import annotations

__all__ = ["render_shown"]

from collections.abc import Sequence

from upcard.core.show import Shown
from upcard.core.text import counted
from upcard.games.lines.deck import read_card


def render_shown(shown: Shown, names: Sequence[str]) -> str:
    """Return what programs are shown as text: the piles, then each zone from its top line downwards."""
    lines = [f"Draw pile   {counted(shown['deck'], 'card')}, {len(shown['discarded'])} discarded"]
    if shown["closing"]:
        lines.append(f"Last turns  {shown['closing']} to finish, this one included")
    for number, (seat, name) in enumerate(zip(shown["seats"], names, strict=True), 1):
        turn = shown["over"] is None and number == shown["turn"]
        lines.append(f"{'>' if turn else ' '} {name}, {counted(seat['points'], 'point')}")
        lines += [f"    {place}: {_line(line)}" for place, line in enumerate(seat["lines"], 1)]
    if shown["hand"]:
        lines.append("Your hand   " + " ".join(sorted(shown["hand"], key=read_card)))
    return "\n".join(lines)


def _line(line: Shown) -> str:
    return " ".join(line["cards"]) + (" (aside)" if line["aside"] else "")
