"""`upcard verify`: which records are right, and what is wrong with the others."""

from __future__ import annotations

__all__ = ["run"]

import json as json_format
from collections.abc import Iterator, Sequence
from pathlib import Path

from upcard.cli import INTERRUPTED
from upcard.cli.progress import is_shown, progress
from upcard.lab.verify import Finding, verify


def run(files: Sequence[Path], json: bool) -> int:
    """Check the files; the exit code is 1 if anything is wrong in any of them.

    Ctrl-C stops it, and what was found until then is printed.
    """
    findings: list[tuple[Path, Finding]] = []
    code = 0
    try:
        findings.extend(_checked(files))  # what came before a Ctrl-C stays
    except KeyboardInterrupt:
        code = INTERRUPTED
    broken = [(path, finding) for path, finding in findings if finding.problem]
    if json:
        tells = _tells(findings)
        print(json_format.dumps([_as_json(path, finding, tells) for path, finding in findings]))
    else:
        _print(findings, broken)
    return code or int(bool(broken))


def _checked(files: Sequence[Path]) -> Iterator[tuple[Path, Finding]]:
    with progress("games", _count(files) if is_shown() else None) as done:
        for path in files:
            for finding in verify(path):
                yield path, finding
                done(1)


def _count(files: Sequence[Path]) -> int | None:
    """Return how many lines there are; None where they can be read only once, or not at all."""
    if not all(path.is_file() for path in files):
        return None
    lines = 0
    for path in files:
        with path.open("rb") as file:
            lines += sum(1 for _ in file)
    return lines


def _print(findings: list[tuple[Path, Finding]], broken: list[tuple[Path, Finding]]) -> None:
    for path, finding in broken:
        game = f"{finding.game}: " if finding.game else ""
        print(f"{path}:{finding.line}: {game}{finding.problem}")
    right = [finding for _, finding in findings if not finding.problem]
    unfinished = sum(not finding.finished for finding in right)
    moves = sum(finding.moves for finding in right)
    proven = sum(finding.proven is True for finding in right)
    print(
        f"{len(right)} of {len(findings)} games are right, {moves} moves"
        + (f"; {unfinished} of them unfinished" if unfinished else "")
        + (f"; {proven} of them with a proven shuffle" if _tells(findings) else "")
    )


def _tells(findings: list[tuple[Path, Finding]]) -> bool:
    """Return whether any record tells where its seed comes from; else nobody wants to read about it."""
    return any(finding.proven is not None for _, finding in findings)


def _as_json(path: Path, finding: Finding, tells: bool) -> dict[str, object]:
    return {
        "file": str(path),
        "line": finding.line,
        "game": finding.game,
        "moves": finding.moves,
        "finished": finding.finished,
        "problem": finding.problem or None,
    } | ({"proven": finding.proven} if tells else {})
