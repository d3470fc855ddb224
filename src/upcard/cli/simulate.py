"""`upcard simulate`: many games, with a summary for people or for programs."""

from __future__ import annotations

__all__ = ["run"]

import contextlib
import json as json_format
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.table import Table

from upcard.cli import INTERRUPTED
from upcard.cli.progress import progress
from upcard.core.errors import UpcardError
from upcard.lab.contest import Referee, forfeits_in
from upcard.lab.crew import hired
from upcard.lab.simulate import Plan, Summary, simulate
from upcard.match import new_seed, read_seed


def run(
    game: str,
    options: dict[str, object],
    bots: Sequence[str],
    seed: str | None,
    games: int,
    jobs: int | None,
    on: str | None,
    records: Path | None,
    legal: bool,
    json: bool,
    referee: Referee,
) -> int:
    """Simulate, and print what came of it."""
    dealt = new_seed() if seed is None else read_seed(seed)
    plan = Plan.of(game, options, bots, dealt, records is not None, legal, referee)
    # A cluster that is not there is no reason to begin the file of records anew.
    with _crew(on, jobs) as (crew, size), _opened(records) as file, progress("games", games) as done:
        summary = simulate(plan, games, size, file, done, crew)
    if json:
        print(json_format.dumps(summary.to_json()))
    elif records != Path("-"):
        _print(summary)
    return INTERRUPTED if summary.interrupted else 0


@contextlib.contextmanager
def _crew(on: str | None, jobs: int | None) -> Iterator[tuple[Executor | None, int]]:
    """Give a crew on a cluster with its size; without one, how many cores of this machine to use."""
    if on is None:
        yield None, jobs or os.cpu_count() or 1
        return
    with hired(False, jobs, on) as crew_and_size:
        yield crew_and_size


@contextlib.contextmanager
def _opened(records: Path | None) -> Iterator[TextIO | None]:
    if records is None:
        yield None
    elif records == Path("-"):
        yield sys.stdout
    else:
        try:
            with records.open("w", encoding="utf-8") as file:
                yield file
        except OSError as error:
            raise UpcardError(f"{records} cannot be written: {error.strerror}") from None


def _print(summary: Summary) -> None:
    facts = summary.to_json()
    console = Console()
    if not summary.games:
        console.print("Stopped before a game was finished.")
        return
    if summary.interrupted:
        console.print("Stopped early; this is what was finished.")
    games = "1 game" if summary.games == 1 else f"{summary.games:,} games"
    console.print(
        f"{games} of {facts['game']}, {facts['moves']:,} moves in {facts['seconds']} s "
        f"({facts['moves_per_second']:,} moves/s), {facts['moves_per_game']} moves a game.",
        highlight=False,
    )
    endings = facts["reasons"] | {"forfeit": sum(row["games"] for row in facts["forfeits"])}
    ended = ", ".join(f"{reason} {count:,}" for reason, count in endings.items() if count)
    console.print(f"Ended: {ended}. Seed: {facts['seed']}", highlight=False, soft_wrap=True)
    table = Table("seat", "bot", "wins", "share", "mean score")
    for seat, bot in enumerate(facts["bots"]):
        wins, score = facts["wins"][seat], facts["mean_scores"][seat]
        table.add_row(str(seat + 1), bot, f"{wins:,.1f}", f"{wins / facts['games']:.1%}", f"{score:.2f}")
    console.print(table)
    for sentence in forfeits_in(facts):
        console.print(sentence, highlight=False, markup=False, soft_wrap=True)
