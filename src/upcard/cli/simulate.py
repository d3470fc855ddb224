"""`upcard simulate`: many games, with a summary for people or for programs."""

from __future__ import annotations

__all__ = ["run"]

import contextlib
import json as json_format
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path

from upcard.cli import INTERRUPTED
from upcard.cli.figures import FigureTable, console
from upcard.cli.progress import progress
from upcard.core.errors import UpcardError
from upcard.lab.contest import forfeits_in
from upcard.lab.executors import open_executor
from upcard.lab.records import RecordFile, is_standard_output
from upcard.lab.simulate import SimulationPlan, Summary, simulate


def run(
    plan: SimulationPlan, games: int, jobs: int | None, on: str | None, records: Path | None, json: bool
) -> int:
    """Simulate, and print a summary. The exit code is 1 if not all records could be written."""
    to_output = records is not None and is_standard_output(records)
    if to_output and json:
        raise UpcardError("--records and --json cannot both go to standard output: give the records a file")
    with _executor(on, jobs) as (executor, size), _opened(records) as file, progress("games", games) as done:
        summary = simulate(plan, games, size, file, done, executor)
    if json:
        print(json_format.dumps(summary.to_json()))
    elif not to_output:
        _print(summary)
    if summary.problem:
        print(f"upcard: {summary.problem}", file=sys.stderr)
        return 1
    return INTERRUPTED if summary.interrupted else 0


@contextlib.contextmanager
def _executor(on: str | None, jobs: int | None) -> Iterator[tuple[Executor | None, int]]:
    """Yield an executor on a cluster with its size; without a cluster, the number of cores to use here."""
    if on is None:
        yield None, jobs or os.cpu_count() or 1
        return
    with open_executor(False, jobs, on) as cluster:
        yield cluster


def _opened(records: Path | None) -> contextlib.AbstractContextManager[RecordFile | None]:
    return contextlib.nullcontext() if records is None else RecordFile(records)


def _print(summary: Summary) -> None:
    facts = summary.to_json()
    output = console()
    if not summary.games:
        output.print("Stopped before a game was finished.")
        return
    if summary.interrupted:
        output.print("Stopped early; this is what was finished.")
    games = "1 game" if summary.games == 1 else f"{summary.games:,} games"
    output.print(
        f"{games} of {facts['game']}, {facts['moves']:,} moves in {facts['seconds']} s "
        f"({facts['moves_per_second']:,} moves/s), {facts['moves_per_game']} moves a game.",
        highlight=False,
    )
    endings = facts["reasons"] | {"forfeit": sum(row["games"] for row in facts["forfeits"])}
    ended = ", ".join(f"{reason} {count:,}" for reason, count in endings.items() if count)
    output.print(f"Ended: {ended}. Seed: {facts['seed']}", highlight=False, soft_wrap=True)
    table = FigureTable("seat", "bot", "wins", "share", "mean score")
    for seat, bot in enumerate(facts["bots"]):
        wins, score = facts["wins"][seat], facts["mean_scores"][seat]
        table.add_row(str(seat + 1), bot, f"{wins:,.1f}", f"{wins / facts['games']:.1%}", f"{score:.2f}")
    output.print(table)
    for sentence in forfeits_in(facts):
        output.print(sentence, highlight=False, markup=False, soft_wrap=True)
