"""Checking files of records, line by line."""

from __future__ import annotations

__all__ = ["Finding", "verify"]

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from upcard.core.errors import RecordError, UpcardError
from upcard.match import replay


@dataclass(frozen=True)
class Finding:
    """What was found on one line: the game and how many moves it has, or what is wrong with it.

    `proven` says whether the record shows where its seed comes from, and that not from the server alone;
    None where it tells nothing of that.
    """

    line: int
    game: str = ""
    moves: int = 0
    finished: bool = False
    problem: str = ""
    proven: bool | None = None


def verify(path: Path) -> Iterator[Finding]:
    """Check each line of a file; blank lines at its end are no problem, an empty file is."""
    lines = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    lines += 1
                    yield check_line(number, line)
    except OSError as error:
        raise UpcardError(f"{path} cannot be read: {error.strerror}") from None
    if lines == 0:
        yield Finding(1, problem="the file has no records")


def check_line(number: int, line: bytes) -> Finding:
    """Check one record."""
    try:
        record = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        return Finding(number, problem="this is not text in UTF-8")
    except (json.JSONDecodeError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        column = f", column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        cut = "" if line.endswith(b"\n") else " (is the file cut off here?)"
        return Finding(number, problem=f"this is not JSON: {reason}{column}{cut}")
    game = str(record.get("game", "")) if isinstance(record, dict) else ""
    claimed = isinstance(record, dict) and record.get("fairness") is not None
    try:
        match = replay(record)
    except RecordError as error:
        return Finding(number, game, problem=str(error), proven=False if claimed else None)
    proven = None if match.fairness is None else match.fairness.shared
    return Finding(number, match.game.id, len(match.log_of_moves), match.over, proven=proven)
