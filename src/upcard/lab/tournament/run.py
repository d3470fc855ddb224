"""Tournaments: bots against each other on duplicate deals, until the question is settled.

A deal is one seed, played once in every seating of the bots, so that every bot gets the cards of every other.
It is the unit of work, of the results log, and of all statistics.

The results of a tournament are one dictionary (`Results.to_json`), which `--json` prints and from which
reports are made. All shares are between 0 and 1; the part of a shared win is counted.

about the tournament
    kind            "tournament"
    version         of Upcard
    game, title     "lines", "Lines"
    options         all options with their values, `players` among them
    players         how many sit at a table
    bots            the names of the bots, each once, in the order in which they were written
    seed            64 hexadecimal digits
    confidence      of all intervals, as 0.99
    equal_share     what every bot would win if all were equally strong: 1 / players
    seatings        lists of names in the order of the seats; each deal was played in all of them
    wanted_games    how many games were asked for, at most
    until           half-width of the intervals at which to stop, or null
    settled         whether that was reached (null where `until` is)
    interrupted     whether it was stopped before its end
    by_the_clock    bots that have a time limit: with these another run can differ
    deals, games    how many were played

all that follows is there if at least one deal was played
    reasons         why games ended, as {"won": 990, "stuck": 10, ...}, all reasons but errors
    forfeits        the bots that lost games by an illegal move, an exception or a time-out, each with
        bot, games      its name, and how many games
        first           its first error: `what` it did, its seat, the number of the move and the seed of the
                        game; seat and move count from 1
    length          {"mean": moves a game, "counts": [[moves, games], ...] by moves}
    turn_order      [{"place": 1, "share": ..., "interval": [low, high]}, ...]: the share of wins of the
                    player with the first turn, the second, ... (seat advantage; the starting seat is often
                    chosen by lot, so the number of a seat says nothing)
    standings       the bots, the strongest first, each with
        bot             its name
        games           in how many games it sat
        seats           at how many seats in all (more than games where it sat several times at a table)
        wins            how many wins, shared ones in part
        share           wins for each seat it took
        interval        [low, high] of that share
        verdict         "above", "below" or "open": how that interval lies to an equal share
        rating          on the scale of Elo, the mean of all bots being 1500
        rating_error    its standard error; null with a single deal
        rating_interval [low, high] of the rating; null with a single deal
        mean_score      points, or cards left: what the game counts
        score_counts    [[score, seats], ...] by score
        share_by_place  its share with the first turn, the second, ...; null where it never had that
    comparisons     each pair of bots in the games in which both sat: the sharpest figure, for the luck of the
                    deal is taken out, each with
        bot, against    the names; `bot` stands higher
        difference      of their shares in the same deals, seat for seat
        interval        [low, high] of it
        verdict         "above", "below" or "open": how that interval lies to 0
"""

from __future__ import annotations

__all__ = ["run_tournament"]

import contextlib
from collections.abc import Callable, Generator
from itertools import starmap

from upcard.lab.executors import deferring_interrupt, in_order, open_executor
from upcard.lab.tournament.deals import Dealt, TournamentPlan, play_deals, warm_up
from upcard.lab.tournament.results import Results, Tally
from upcard.lab.tournament.results_log import ResultsLog

# Compiled games are so short that one task plays many of them.
GAMES_A_TASK = 2_000


def run_tournament(
    plan: TournamentPlan,
    games: int,
    jobs: int | None = 1,
    *,
    confidence: float = 0.99,
    until: float | None = None,
    log: ResultsLog | None = None,
    on: str | None = None,
    progress: Callable[[Tally], None] = lambda tally: None,
) -> Results:
    """Run a tournament of at least this number of games, in whole deals.

    With `until`, stop as soon as no interval has a larger half-width. The deals in the log are not played
    again, and new ones are added to it. `jobs` is None for the number of cores; `on` names a cluster instead
    of this machine. Ctrl-C stops it and keeps what was finished.
    """
    tally = Tally(plan, confidence, until)
    deals = -(-games // len(plan.seatings))
    interrupted = False
    try:
        if log is not None:
            tally.add(log.dealt.upto(deals))
            progress(tally)
        if tally.is_open(deals):
            with contextlib.closing(_played(plan, tally.deals, deals, jobs, on)) as played:
                for dealt in played:
                    _take(dealt, tally, log)
                    progress(tally)
                    if not tally.is_open(deals):
                        break
    except KeyboardInterrupt:
        interrupted = tally.is_open(deals)
    return Results(tally, deals * len(plan.seatings), interrupted)


def _take(dealt: Dealt, tally: Tally, log: ResultsLog | None) -> None:
    """Count some deals and log them, both or neither."""
    with deferring_interrupt():
        taken = tally.add(dealt)
        if log is not None:
            log.write(taken)


def _played(
    plan: TournamentPlan, first: int, deals: int, jobs: int | None, on: str | None
) -> Generator[Dealt]:
    """Play the deals from `first` on, some at a time, and yield them in order."""
    step = max(1, GAMES_A_TASK // len(plan.seatings)) if plan.compiled else 1
    tasks = ((plan, start, min(step, deals - start)) for start in range(first, deals, step))
    if jobs == 1 and on is None:
        warm_up(plan)
        yield from starmap(play_deals, tasks)
        return
    with open_executor(plan.compiled, jobs, on) as (executor, size):
        warm_up(plan)
        yield from in_order(executor, play_deals, tasks, size)
