"""`upcard bench`: the figures of this machine beside those that are promised."""

from __future__ import annotations

__all__ = ["run"]

import contextlib
import importlib
import json as json_format
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from upcard.cli.figures import FigureTable, console
from upcard.cli.progress import is_shown
from upcard.core.errors import UpcardError
from upcard.lab.bench.figures import Figure

# What can be measured, and where. The first ones are measured where nothing is named; how strong bots are,
# and what a server withstands, takes hours.
AREAS = {
    "rules": "upcard.lab.bench.rules",
    "bots": "upcard.lab.bench.bots",
    "strength": "upcard.lab.bench.strength",
    "server": "upcard.lab.bench.server",
    "web": "upcard.lab.bench.web",
    "rl": "upcard.rl.bench",
}
USUAL = ["rules", "bots"]


def run(areas: Sequence[str], table: Path | None, quick: bool, peers: bool, json: bool) -> int:
    """Measure and print; the exit code is 1 if a promised figure was missed."""
    for area in areas:
        if area not in AREAS:
            raise UpcardError(f"there is nothing to measure called {area!r:.40}: choose {', '.join(AREAS)}")
    if table is not None and "strength" not in areas:
        raise UpcardError("--table is for the answers of upcard bench strength, so name that too")
    if quick and "server" not in areas:
        raise UpcardError("--quick is for the figures of upcard bench server, so name that too")
    if peers and "rl" not in areas:
        raise UpcardError("--peers is for the figures of upcard bench rl, so name that too")
    figures: list[Figure] = []
    with _saying() as say:
        for figure in _measured(areas or USUAL, table, quick, peers, say):
            figures.append(figure)
            if is_shown():
                print(f"{figure.name}: {_number(figure.value)} {figure.unit}", file=sys.stderr)
    if json:
        print(json_format.dumps([asdict(figure) | {"reached": figure.reached} for figure in figures]))
    else:
        _print(figures)
    return int(any(figure.reached is False for figure in figures))


def _measured(
    areas: Sequence[str], table: Path | None, quick: bool, peers: bool, say: Callable[[str], None]
) -> Iterator[Figure]:
    more = {"strength": (table,), "server": (quick, say), "rl": (peers, say)}
    for area in areas:
        for figure in importlib.import_module(AREAS[area]).measure(*more.get(area, ())):
            # The lab's figures are not for layers beside it.
            yield figure if isinstance(figure, Figure) else Figure(*figure)


@contextlib.contextmanager
def _saying() -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is being done; what is given is called with it."""
    if not is_shown():
        yield lambda _: None
        return
    # Seldom: whoever measures has no time to draw.
    with Console(stderr=True).status("", refresh_per_second=2) as status:
        yield status.update


def _print(figures: list[Figure]) -> None:
    table = FigureTable("what", "measured", "to reach", "", prose={"what"})
    for figure in figures:
        wanted = "" if figure.wanted is None else f"{'≤' if figure.at_most else '≥'} {_number(figure.wanted)}"
        verdict = {True: "yes", False: "MISSED", None: ""}[figure.reached]
        table.add_row(figure.name, f"{_number(figure.value)} {figure.unit}", wanted, verdict)
    console().print(table)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
