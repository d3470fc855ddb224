"""`upcard simulate`."""

from __future__ import annotations

__all__ = ["simulate"]

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from upcard.cli.arguments import GameName, LabArguments, OnBotError, Whole, check_count
from upcard.core.errors import UpcardError


def simulate(
    game: GameName,
    /,
    *,
    games: Whole = 1000,
    bots: str = "random",
    records: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
    legal: bool = False,
    on_bot_error: OnBotError = "forfeit",
    lab: LabArguments = LabArguments(),  # noqa: B008  # it cannot be changed
) -> int:
    """Play many games between bots.

    Parameters
    ----------
    games
        Number of games.
    bots
        The bots, such as greedy,random; if there are fewer names than players, they take turns at the seats.
    records
        Write every game to this file, a line of JSON each; - is standard output. An old file is replaced at
        the end.
    legal
        Write all legal moves into the records too.
    """
    from upcard.cli.simulate import run
    from upcard.lab.contest import Referee
    from upcard.lab.simulate import SimulationPlan
    from upcard.match import new_seed, read_seed

    check_count("--games", games)
    if legal and records is None:
        raise UpcardError("--legal adds to records, so it needs --records too")
    plan = SimulationPlan.of(
        game,
        lab.checked_options(),
        bots.split(","),
        new_seed() if lab.seed is None else read_seed(lab.seed),
        records is not None,
        legal,
        Referee(on_bot_error, lab.move_limit),
    )
    return run(plan, games, lab.jobs, lab.on, records, lab.json)
