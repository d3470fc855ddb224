"""A table of Climb as lines of text."""

from __future__ import annotations

__all__ = ["render_shown"]

from collections.abc import Sequence

from upcard.core.show import Shown
from upcard.core.text import counted


def render_shown(shown: Shown, names: Sequence[str]) -> str:
    """Return what `show` returned as text: the run, then each seat, then the own hand."""
    lines = [f"Run     {shown['height'] or 'begins'}", f"Draw    {counted(shown['deck'], 'card')}"]
    for number, (seat, name) in enumerate(zip(shown["seats"], names, strict=True), 1):
        turn = shown["over"] is None and number == shown["turn"]
        lines.append(f"{'>' if turn else ' '} {name}: {counted(seat['hand'], 'card')}")
    if shown["hand"]:
        lines.append(f"Hand    {' '.join(shown['hand'])}")
    return "\n".join(lines)
