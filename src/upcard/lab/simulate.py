"""Many games at once: compiled, on all cores, and the same whatever the number of jobs."""

from __future__ import annotations

__all__ = ["Plan", "Summary", "simulate"]

import functools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, TextIO

import numpy as np

from upcard.core.options import Value
from upcard.games import find
from upcard.lab.arena import Arena, Batch, reasons, scores, wins
from upcard.lab.crew import in_order, processes, threads, undisturbed
from upcard.match import Match, Player

GAMES_A_BATCH = 2_000
GAMES_A_BATCH_WITH_RECORDS = 100


@dataclass(frozen=True)
class Plan:
    """What is to be played, in a form that can be sent to another process."""

    game: str
    options: tuple[tuple[str, Value], ...]
    bots: tuple[str, ...]
    seed: bytes
    # Whether records are to be written, and whether with the legal moves.
    records: bool = False
    legal: bool = False


@dataclass
class Summary:
    """What came of a simulation; `interrupted` where it was stopped before its end."""

    arena: Arena
    seed: bytes
    games: int = 0
    moves: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    rows: list[Any] = field(default_factory=list, repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        players = len(self.arena.bots)
        about = {
            "game": self.arena.game.id,
            "options": self.arena.options,
            "bots": self.arena.bots,
            "seed": self.seed.hex(),
            "games": self.games,
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
        }
        if not self.games:
            return about
        rows = np.concatenate(self.rows)
        return about | {
            "moves_per_second": round(self.moves / self.seconds),
            "moves_per_game": round(self.moves / self.games, 2),
            "reasons": reasons(rows),
            "wins": [round(share, 2) for share in wins(rows, players)],
            "mean_scores": [round(score, 3) for score in scores(rows, players)],
        }


def simulate(
    plan: Plan,
    games: int,
    jobs: int,
    records: TextIO | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Summary:
    """Play many games; with `records`, write each of them as a line, in order.

    Ctrl-C stops it and keeps the games that were finished.
    """
    arena = _arena(plan)
    arena.warm_up()
    summary = Summary(arena, plan.seed)
    started = time.perf_counter()
    with _crew(plan, jobs) as crew:
        try:
            for batch, lines in in_order(crew, _play, _tasks(plan, games), jobs):
                with undisturbed():
                    if records is not None:
                        records.writelines(lines)
                    summary.rows.append(batch.rows)
                    summary.games += len(batch.rows)
                    summary.moves += batch.moves
                progress(len(batch.rows))
        except KeyboardInterrupt:
            summary.interrupted = True
            crew.shutdown(cancel_futures=True)
    summary.seconds = time.perf_counter() - started
    return summary


def _crew(plan: Plan, jobs: int) -> Executor:
    """Compiled games need only threads; records are written by plain Python, so by processes."""
    return processes(jobs) if plan.records and jobs > 1 else threads(jobs)


def _tasks(plan: Plan, games: int) -> Iterator[tuple[Plan, int, int]]:
    size = GAMES_A_BATCH_WITH_RECORDS if plan.records else GAMES_A_BATCH
    for first in range(0, games, size):
        yield plan, first, min(size, games - first)


@functools.cache
def _arena(plan: Plan) -> Arena:
    return Arena(find(plan.game), dict(plan.options), plan.bots)


def _play(plan: Plan, first: int, games: int) -> tuple[Batch, list[str]]:
    """Play some games, and write their records if wanted."""
    arena = _arena(plan)
    batch = arena.play(plan.seed, first, games, plan.records)
    if not plan.records:
        return batch, []
    seeds = arena.seeds(plan.seed, first, games)
    return batch, [_record(arena, seeds[place], batch, place, plan.legal) for place in range(games)]


def _record(arena: Arena, seed: bytes, batch: Batch, place: int, legal: bool) -> str:
    """Replay a compiled game plainly: that writes its record, and checks one against the other."""
    players = [Player(f"{bot} {seat}", bot) for seat, bot in enumerate(arena.bots, 1)]
    match = Match(arena.game, arena.options, seed, players)
    for move in batch.moves_of(place):
        match.make_legal(move)
    if match.table.over != batch.rows[place, 0]:
        raise AssertionError(f"seed {seed.hex()}: plain and compiled rules disagree")
    return match.to_json(legal) + "\n"
