"""`upcard play`."""

from __future__ import annotations

__all__ = ["play"]

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from upcard.cli.arguments import GAME_NAMES, REVIEW_THOUGHT, Named, Whole, options


def play(
    game: Annotated[str | None, Parameter(help=f"{GAME_NAMES}; asked for if left out.")] = None,
    /,
    *,
    players: Whole | None = None,
    bots: str = "greedy",
    option: Named = None,
    seat: Whole = 1,
    name: str = "You",
    seed: str | None = None,
    resume: bool = False,
    record: Path | None = None,
) -> int:
    """Play in the terminal against bots, line by line. Every game is saved.

    Parameters
    ----------
    players
        Number of players, including you.
    bots
        The bots at the other seats: one name for all, or one for each, such as greedy,random.
    seat
        Your seat.
    name
        Your name.
    seed
        The same seed deals the same cards.
    resume
        Continue an unfinished game; if there are several, you can choose one.
    record
        Save the game in this file, after every move; with --resume, continue the game in it.
    """
    from upcard.tui.play import play_in_terminal
    from upcard.tui.setup import Setting

    setting = Setting(game, options(option, players), bots.split(","), seat, name, seed, resume, record)
    # A pipe contains prepared answers, and none for this question.
    asks = sys.stdin is not None and sys.stdin.isatty()
    return play_in_terminal(setting, review=_review_played if asks else None)


def _review_played(path: Path, seat: int) -> None:
    from upcard.cli.review import run

    run(path, 1, [seat], REVIEW_THOUGHT, json=False)
