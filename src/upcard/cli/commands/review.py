"""`upcard review`."""

from __future__ import annotations

__all__ = ["review"]

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from upcard.cli.arguments import REVIEW_THOUGHT, Whole


def review(
    file: Path,
    /,
    *,
    game: Whole = 1,
    seat: Annotated[list[Whole] | None, Parameter(name="--seat")] = None,
    thought: str = REVIEW_THOUGHT,
    json: bool = False,
) -> int:
    """Analyse a game from a record file: which moves cost the most, and why.

    Parameters
    ----------
    file
        A file with a record on every line.
    game
        Number of the game in the file.
    seat
        Only this seat; may be repeated.
    thought
        Thinking budget for each move: 5000 (simulations), 200ms or 2s.
    json
        Print every decision as JSON.
    """
    from upcard.cli.review import run

    return run(file, game, seat or [], thought, json)
