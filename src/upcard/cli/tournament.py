"""`upcard tournament`: which bot is the strongest, and how sure that is."""

from __future__ import annotations

__all__ = ["run", "seed_of"]

import contextlib
import json as json_format
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from upcard.cli import INTERRUPTED
from upcard.cli.figures import FigureTable, console
from upcard.cli.progress import progress_with_words
from upcard.core.errors import UpcardError
from upcard.lab.contest import forfeits_in
from upcard.lab.study import findings
from upcard.lab.tournament.deals import TournamentPlan
from upcard.lab.tournament.results import Tally
from upcard.lab.tournament.results_log import ResultsLog, seed_in
from upcard.lab.tournament.run import run_tournament
from upcard.match import new_seed, read_seed

GAMES = 1_000
# With --until, the limit of games.
GAMES_UNTIL = 1_000_000

# Number of pairs that are listed for people.
MAX_PAIRS = 15

# The verdicts on a bot against an equal share, and on two bots against each other.
VERDICTS = {"above": "better", "below": "worse", "open": "not settled"}
COMPARED = {"above": "stronger", "below": "weaker", "open": "not settled"}


def run(
    plan: TournamentPlan,
    games: int | None,
    jobs: int | None,
    until: float | None,
    confidence: float,
    resume: Path | None,
    on: str | None,
    report: Path | None,
    json: bool,
) -> int:
    """Run a tournament, and print its results."""
    wanted = games or (GAMES if until is None else GAMES_UNTIL)
    if report is not None:
        _check_report(report, resume)
    with _opened(resume, plan) as log, progress_with_words("games", wanted) as show:
        results = run_tournament(
            plan,
            wanted,
            jobs,
            confidence=confidence,
            until=until,
            log=log,
            on=on,
            progress=lambda tally: show(tally.games, lambda: _in_short(tally)),
        )
    facts = results.to_json()
    if json:
        print(json_format.dumps(facts))
    else:
        _print(facts)
    if report is not None and results.tally.deals:
        from upcard.lab.report.tournament import write_tournament

        write_tournament(facts, report)
    return INTERRUPTED if results.interrupted else 0


def seed_of(seed: str | None, resume: Path | None) -> bytes:
    """Return the given seed, otherwise that of the tournament to continue, otherwise a new one."""
    if seed is not None:
        return read_seed(seed)
    kept = None if resume is None else seed_in(resume)
    return new_seed() if kept is None else kept


def _opened(
    resume: Path | None, plan: TournamentPlan
) -> contextlib.AbstractContextManager[ResultsLog | None]:
    return contextlib.nullcontext() if resume is None else ResultsLog(resume, plan)


def _check_report(report: Path, resume: Path | None) -> None:
    """Fail now if a report cannot be written, rather than after all games."""
    from upcard.lab.report.parts import check_report

    if report == resume:
        raise UpcardError(f"--report and --resume need a file each, not both {report}")
    check_report(report)


def _in_short(tally: Tally) -> str:
    """Return the standings in one line: greedy 61.0 % ±4.1, random 39.0 % ±4.1."""
    shares = sorted(tally.shares().items(), key=lambda item: -item[1][0])
    return ", ".join(
        f"{bot} {100 * share:.1f} % ±{50 * (high - low):.1f}" for bot, (share, low, high) in shares
    )


# For people


def _print(facts: dict[str, Any]) -> None:
    output = console()
    if not facts["deals"]:
        output.print("Stopped before a deal was finished.")
        return
    if facts["interrupted"]:
        output.print("Stopped early; this is what was finished.")
    output.print(_standings(facts))
    # For two bots, the comparison would only repeat their shares.
    if len(facts["comparisons"]) <= MAX_PAIRS and len(facts["bots"]) * facts["players"] > 4:
        output.print(_comparisons(facts))
    deals = "1 deal" if facts["deals"] == 1 else f"{facts['deals']:,} deals"
    settled = {None: "", True: "Settled: ", False: "Not settled: "}[facts["settled"]]
    output.print(
        f"{settled}{facts['games']:,} games of {facts['game']}: {deals}, each in {len(facts['seatings'])} "
        f"seatings; {facts['length']['mean']:.1f} moves a game. Seed: {facts['seed']}",
        highlight=False,
        soft_wrap=True,
    )
    for sentence in forfeits_in(facts):
        output.print(sentence, highlight=False, markup=False, soft_wrap=True)
    if facts["by_the_clock"]:
        output.print(findings.can_differ(facts), highlight=False, markup=False, soft_wrap=True)


def _standings(facts: dict[str, Any]) -> FigureTable:
    sure, equal = f"{100 * facts['confidence']:g} %", f"against {facts['equal_share']:.1%}"
    table = FigureTable("bot", "seats", "wins", f"{sure} interval", f"rating ({sure})", "mean score", equal)
    for row in facts["standings"]:
        table.add_row(
            row["bot"],
            f"{row['seats']:,}",
            f"{row['share']:.1%}",
            _between(row["interval"]),
            _rating(row["rating"], row["rating_interval"]),
            f"{row['mean_score']:.2f}",
            VERDICTS[row["verdict"]],
        )
    return table


def _rating(rating: float, interval: Sequence[float] | None) -> str:
    """Return a rating with the half-width of its interval, if that is known."""
    return f"{rating:.0f}" if interval is None else f"{rating:.0f} ± {(interval[1] - interval[0]) / 2:.0f}"


def _comparisons(facts: dict[str, Any]) -> FigureTable:
    table = FigureTable("in the same deals", "wins more than", "by", "", "")
    for pair in facts["comparisons"]:
        by = [f"{pair['difference']:+.1%}", _between(pair["interval"], "+")]
        table.add_row(pair["bot"], pair["against"], *by, COMPARED[pair["verdict"]])
    return table


def _between(interval: Sequence[float], sign: str = "") -> str:
    low, high = interval
    return f"{low:{sign}.1%} to {high:{sign}.1%}"
