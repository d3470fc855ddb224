"""`upcard tournament`."""

from __future__ import annotations

__all__ = ["tournament"]

from pathlib import Path

from upcard.cli.arguments import (
    Decimal,
    GameName,
    LabArguments,
    OnBotError,
    Whole,
    check_between,
    check_count,
)


def tournament(
    game: GameName,
    /,
    *,
    bots: str,
    games: Whole | None = None,
    until: Decimal | None = None,
    confidence: Decimal = 0.99,
    resume: Path | None = None,
    report: Path | None = None,
    on_bot_error: OnBotError = "forfeit",
    lab: LabArguments = LabArguments(),  # noqa: B008  # it cannot be changed
) -> int:
    """Find out which bot is the strongest: each deal is played in all seatings, so that luck cancels.
    By default each bot has a seat, if there are enough.

    Parameters
    ----------
    bots
        The bots, such as hard,greedy,random; a name may occur several times.
    games
        Number of games, rounded up to whole deals; by default 1000, or up to 1000000 with --until.
    until
        Stop when every share of wins is known to this precision, such as 0.01.
    confidence
        Confidence level of the intervals.
    resume
        Save all deals in this file, and do not repeat those that it contains.
    report
        Write a page with plots to this file.
    """
    from upcard.cli.tournament import run, seed_of
    from upcard.lab.contest import Referee
    from upcard.lab.tournament.deals import TournamentPlan

    check_count("--games", games)
    check_between("--until", until, 0, 0.5)
    check_between("--confidence", confidence, 0.5, 1)
    referee = Referee(on_bot_error, lab.move_limit)
    seed = seed_of(lab.seed, resume)
    plan = TournamentPlan.of(game, lab.checked_options(), bots.split(","), seed, referee)
    return run(plan, games, lab.jobs, until, confidence, resume, lab.on, report, lab.json)
