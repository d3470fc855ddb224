"""`upcard review`: where a game was won and lost."""

from __future__ import annotations

__all__ = ["run"]

import json as json_format
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from upcard.bots import Budget
from upcard.bots.review import Decision, Review, review
from upcard.cli.figures import FigureTable, console
from upcard.cli.progress import progress
from upcard.core.errors import RecordError
from upcard.core.text import printable
from upcard.match.match import MAX_SHOWN_NAME
from upcard.match.reading import record_in

# Smaller losses of win probability are not listed.
MIN_COST = 0.03
# Number of moves that are listed.
MAX_LISTED = 12


def run(path: Path, number: int, seats: Sequence[int], thought: str, json: bool) -> int:
    """Review one game of a file."""
    record = record_in(path, number)
    moves = record.get("log") if isinstance(record, dict) else None
    with progress("moves", len(moves) if isinstance(moves, list) else None) as done:
        try:
            found = review(record, Budget.read(thought), list(seats) or None, done)
        except RecordError as error:
            raise RecordError(f"{printable(str(path))}, game {number}: {error}") from None
    if json:
        decisions = [asdict(one) | {"cost": one.cost} for one in found.decisions]
        print(json_format.dumps({"game": found.game, "names": found.names, "decisions": decisions}))
    else:
        _print(found)
    return 0


def _print(found: Review) -> None:
    dear = [one for one in found.decisions if one.cost >= MIN_COST]
    listed = sorted(sorted(dear, key=lambda one: -one.cost)[:MAX_LISTED], key=lambda one: one.number)
    if listed:
        console().print(_table(found, listed))
    for seat, name in enumerate(_names(found), 1):
        mine = found.of(seat)
        if mine:
            same = sum(one.move == one.best for one in mine)
            cost = sum(one.cost for one in mine) / len(mine)
            print(
                f"{name}: {len(mine)} decisions, {same} the same as the bot's; {cost:.1%} lost per decision."
            )
    if not listed:
        print("No decision lost anything worth mentioning.")


def _table(found: Review, listed: Sequence[Decision]) -> FigureTable:
    titles = ("move", "player", "played", "chance", "better", "chance", "why")
    table = FigureTable(*titles, prose={"player", "why"}, caption=f"{found.game}: the costliest moves")
    names = _names(found)
    for one in listed:
        cells = [names[one.seat - 1], one.move, f"{one.chance:.0%}", one.best, f"{one.best_chance:.0%}"]
        table.add_row(str(one.number), *cells, one.why)
    return table


def _names(found: Review) -> list[str]:
    return [printable(name, MAX_SHOWN_NAME) for name in found.names]
