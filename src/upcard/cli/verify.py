"""`upcard verify`: which records are valid, and what is wrong with the others."""

from __future__ import annotations

__all__ = ["run"]

import json as json_format
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from upcard.cli import INTERRUPTED
from upcard.cli.progress import is_shown, progress
from upcard.core.text import printable
from upcard.match.verify import Finding, verify

# The number of problems that are listed for people. A file that does not contain records may have millions.
MAX_LISTED = 1_000
# Maximum size of findings kept in memory before they are printed as JSON, in bytes.
MAX_IN_MEMORY = 2**23


def run(files: Sequence[Path], json: bool) -> int:
    """Check the files; the exit code is 1 if anything is wrong in any of them.

    Ctrl-C stops it, and prints the findings until then.
    """
    totals, code = _Totals(), 0
    with tempfile.SpooledTemporaryFile(MAX_IN_MEMORY, "w+", encoding="utf-8") as found:
        listed: list[str] = []

        def keep(path: Path, finding: Finding) -> None:
            totals.add(finding)
            if json:
                found.write(json_format.dumps(_as_json(path, finding)) + "\n")
            elif finding.problem and len(listed) < MAX_LISTED:
                listed.append(_line(path, finding))

        try:
            _check(files, keep)
        except KeyboardInterrupt:
            code = INTERRUPTED
        if json:
            found.seek(0)
            _print_json(found, totals.tells)
        else:
            _print(listed, totals)
    return code or int(totals.wrong > 0)


@dataclass
class _Totals:
    """The counts of findings in all files."""

    right: int = 0
    wrong: int = 0
    moves: int = 0
    unfinished: int = 0
    proven: int = 0
    # Whether any record contains a proof of its seed; otherwise proofs are not mentioned.
    tells: bool = False

    def add(self, finding: Finding) -> None:
        """Count a finding."""
        self.tells = self.tells or finding.proven is not None
        if finding.problem:
            self.wrong += 1
            return
        self.right += 1
        self.moves += finding.moves
        self.unfinished += not finding.finished
        self.proven += finding.proven is True


def _check(files: Sequence[Path], keep: Callable[[Path, Finding], None]) -> None:
    with progress("games", _count(files) if is_shown() else None) as done:
        for path in files:
            for finding in verify(path):
                keep(path, finding)
                done(1)


def _count(files: Sequence[Path]) -> int | None:
    """Return the number of lines; None if they can be read only once, or not at all."""
    if not all(path.is_file() for path in files):
        return None
    return sum(block.count(b"\n") for path in files for block in _blocks(path))


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(2**20):
            yield block


# For people


def _line(path: Path, finding: Finding) -> str:
    game = f"{finding.game}: " if finding.game else ""
    return printable(f"{path}:{finding.line}: {game}{finding.problem}")


def _print(listed: Sequence[str], totals: _Totals) -> None:
    for line in listed:
        print(line)
    if totals.wrong > len(listed):
        print(f"... and {totals.wrong - len(listed):,} more problems; --json lists them all")
    print(
        f"{totals.right} of {totals.right + totals.wrong} games are right, {totals.moves} moves"
        + (f"; {totals.unfinished} of them unfinished" if totals.unfinished else "")
        + (f"; {totals.proven} of them with a proven shuffle" if totals.tells else "")
    )


# For programs


def _as_json(path: Path, finding: Finding) -> dict[str, object]:
    return {
        "file": str(path),
        "line": finding.line,
        "game": finding.game,
        "moves": finding.moves,
        "finished": finding.finished,
        "problem": finding.problem or None,
        "proven": finding.proven,
    }


def _print_json(found: IO[str], tells: bool) -> None:
    """Print findings as a list, one at a time; mention proofs of shuffles only if any record has one."""
    print("[", end="")
    for number, line in enumerate(found):
        finding = json_format.loads(line)
        if not tells:
            del finding["proven"]
        print(", " if number else "", json_format.dumps(finding), sep="", end="")
    print("]")
