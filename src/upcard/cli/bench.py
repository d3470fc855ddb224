"""`upcard bench`: the figures of this machine beside those that are promised."""

from __future__ import annotations

__all__ = ["run"]

import json as json_format
import sys
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from upcard.lab.bench import Figure, measure


def run(json: bool) -> int:
    """Measure and print; the exit code is 1 if a promised figure was missed."""
    figures = []
    for figure in measure():
        figures.append(figure)
        if sys.stderr.isatty():
            print(f"{figure.name}: {_number(figure.value)} {figure.unit}", file=sys.stderr)
    if json:
        print(json_format.dumps([asdict(figure) | {"reached": figure.reached} for figure in figures]))
    else:
        _print(figures)
    return int(any(figure.reached is False for figure in figures))


def _print(figures: list[Figure]) -> None:
    table = Table("what", "measured", "to reach", "")
    for figure in figures:
        wanted = "" if figure.wanted is None else f"{'≤' if figure.at_most else '≥'} {_number(figure.wanted)}"
        verdict = {True: "yes", False: "MISSED", None: ""}[figure.reached]
        table.add_row(figure.name, f"{_number(figure.value)} {figure.unit}", wanted, verdict)
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
