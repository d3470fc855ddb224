"""Checking files of records, one record after another."""

from __future__ import annotations

__all__ = ["Finding", "check_line", "verify"]

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from upcard.core.errors import RecordError
from upcard.games import GAMES
from upcard.match.reading import Found, read_line, read_records
from upcard.match.replay import replay


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding on one line: the game and its number of moves, or the problem.

    `proven` says whether the record proves its seed, with a contribution from someone besides the server;
    None if it has no proof.
    """

    line: int
    game: str = ""
    moves: int = 0
    finished: bool = False
    problem: str = ""
    proven: bool | None = None


def verify(path: Path) -> Iterator[Finding]:
    """Check each record of a file. Blank lines at its end are allowed; an empty file is a problem."""
    empty = True
    for found in read_records(path):
        empty = False
        yield _check(found)
    if empty:
        yield Finding(1, problem="the file has no records")


def check_line(number: int, line: bytes) -> Finding:
    """Check the record on a line."""
    return _check(read_line(number, line))


def _check(found: Found) -> Finding:
    if found.problem:
        return Finding(found.line, problem=found.problem)
    record = found.value if isinstance(found.value, dict) else {}
    # Only the names of our games are repeated.
    game = next((name for name in GAMES if name == record.get("game")), "")
    claimed = record.get("fairness") is not None
    try:
        match = replay(found.value)
    except RecordError as error:
        return Finding(found.line, game, problem=str(error), proven=False if claimed else None)
    proven = None if match.fairness is None else match.fairness.shared
    return Finding(found.line, match.game.id, len(match.log_of_moves), match.over, proven=proven)
