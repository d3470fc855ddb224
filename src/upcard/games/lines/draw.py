"""A view of Lines as lines of text, in the order in which one reads them aloud."""

from __future__ import annotations

__all__ = ["draw"]

from collections.abc import Sequence

from upcard.core.table import PLAYING
from upcard.core.words import counted
from upcard.games.lines.deck import write_card
from upcard.games.lines.rules import points
from upcard.games.lines.table import Line, Zone
from upcard.games.lines.view import View


def draw(view: View, names: Sequence[str]) -> str:
    """Return the table as text: the piles, then each zone from its top line to its bottom one."""
    lines = [f"Draw pile   {counted(view.deck_count, 'card')}, {sum(view.discarded)} discarded"]
    if view.closing:
        lines.append(f"Last turns  {view.closing} to finish, this one included")
    for seat in range(view.players):
        turn = view.over == PLAYING and seat == view.to_move
        zone = view.zones[seat]
        lines.append(f"{'>' if turn else ' '} {names[seat]}, {counted(points(zone), 'point')}")
        lines += [f"    {number}: {text}" for number, text in enumerate(_zone(zone), 1)]
    if view.hand.count:
        cards = sorted(view.hand.cards[: view.hand.count])
        lines.append("Your hand   " + " ".join(write_card(card) for card in cards))
    return "\n".join(lines)


def _zone(zone: Zone) -> list[str]:
    lines = [f"{write_card(card)} (aside)" for card in zone.highest[: zone.count]]
    if zone.count:
        lines[0] = _line(zone.upper)
    if zone.count > 1:
        lines[-1] = _line(zone.lower)
    return lines


def _line(line: Line) -> str:
    return " ".join(write_card(card) for card in line.cards[: line.count])
