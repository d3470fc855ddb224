"""`upcard study`."""

from __future__ import annotations

__all__ = ["study"]

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from upcard.cli.arguments import Decimal, GameName, LabArguments, Whole, check_between, check_count
from upcard.core.errors import UpcardError


def study(
    game: GameName,
    /,
    *,
    vary: list[str] | None = None,
    games: Whole = 10_000,
    bots: str = "greedy",
    skill: str | None = None,
    deals: Whole = 40,
    pace: Decimal = 6.0,
    report: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
    lab: LabArguments = LabArguments(),  # noqa: B008  # it cannot be changed
) -> int:
    """Find out what kind of game it is: which seat has an advantage, how long it takes, how often each rule
    matters, what an option changes, and how much is luck. A bot that breaks the rules or the time limit stops
    it.

    Parameters
    ----------
    vary
        Compare values of an option, such as stock=5,10,20. A name alone means all its values, and all means
        every option. May be repeated.
    games
        Number of games for each answer.
    bots
        The bots, such as greedy or hard,easy; they change seats.
    skill
        The two bots that separate luck from skill, by default hard,easy. If given, they
        also play the varied tables.
    deals
        Number of deals for these two bots; 0 skips them.
    pace
        Seconds that people take for a move.
    report
        Write a page with plots to this file.
    """
    from upcard.cli.study import run
    from upcard.lab.study.study import StudyPlan
    from upcard.match import new_seed, read_seed

    check_count("--games", games)
    if deals < 0:
        raise UpcardError(f"--deals should be 0 or more, not {deals}")
    check_between("--pace", pace, 0, 3600)
    plan = StudyPlan.of(
        game,
        lab.checked_options(),
        bots.split(","),
        new_seed() if lab.seed is None else read_seed(lab.seed),
        games=games,
        pace=pace,
        vary=vary or [],
        pair=(skill or "hard,easy").split(","),
        deals=deals,
        skill_everywhere=skill is not None,
        limit=lab.move_limit,
    )
    return run(plan, lab.jobs, lab.on, report, lab.json)
