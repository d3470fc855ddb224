"""`upcard verify`."""

from __future__ import annotations

__all__ = ["verify"]

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def verify(files: Annotated[list[Path], Parameter(consume_multiple=True)], /, *, json: bool = False) -> int:
    """Replay the games in record files, and report the game and entry that broke the rules.

    Parameters
    ----------
    files
        Files with a record on every line.
    json
        Print the findings as JSON.
    """
    from upcard.cli.verify import run

    return run(files, json)
