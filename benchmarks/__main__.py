"""`python -m benchmarks [PART ...]`: print measured figures beside the promised ones."""

from __future__ import annotations

__all__ = ["PARTS", "main"]

import argparse
import importlib
import json
import signal
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from benchmarks.figures import Figure, progress
from upcard.cli.figures import FigureTable, console
from upcard.core.errors import UpcardError

PARTS = ("code", "rules", "bots", "rl", "javascript", "web", "device", "server", "attacks", "strength")
INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. The exit code is 1 if a promised figure was missed."""
    parser = argparse.ArgumentParser("benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all if left out")
    parser.add_argument("--quick", action="store_true", help="measure less of the server, in minutes")
    parser.add_argument("--table", type=Path, help="write the results of strength into this page")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"unknown part: {', '.join(sorted(unknown))}; choose from {', '.join(PARTS)}")
    figures: list[Figure] = []
    try:
        for figure in _measured(asked):
            figures.append(figure)
            progress(f"{figure.name}: {_number(figure.value)} {figure.unit}")
    except UpcardError as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    if asked.json:
        print(json.dumps([asdict(figure) | {"reached": figure.reached} for figure in figures]))
    else:
        _print(figures)
    return int(any(figure.reached is False for figure in figures))


def _measured(asked: argparse.Namespace) -> Iterator[Figure]:
    more = {"strength": (asked.table,), "server": (asked.quick,)}
    for part in asked.parts or PARTS:
        yield from importlib.import_module(f"benchmarks.{part}").measure(*more.get(part, ()))


def _print(figures: list[Figure]) -> None:
    table = FigureTable("what", "measured", "to reach", "", prose={"what"})
    for figure in figures:
        wanted = "" if figure.wanted is None else f"{'≤' if figure.at_most else '≥'} {_number(figure.wanted)}"
        verdict = {True: "yes", False: "MISSED", None: ""}[figure.reached]
        table.add_row(figure.name, f"{_number(figure.value)} {figure.unit}", wanted, verdict)
    console().print(table)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


if __name__ == "__main__":
    # SIGTERM ends the measurement as Ctrl-C does, so that servers it started end too.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
