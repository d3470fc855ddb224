"""`upcard verify`: which records are right, and what is wrong with the others."""

from __future__ import annotations

__all__ = ["run"]

import json as json_format
from collections.abc import Sequence
from pathlib import Path

from upcard.lab.verify import Finding, verify


def run(files: Sequence[Path], json: bool) -> int:
    """Check the files; the exit code is 1 if anything is wrong in any of them."""
    findings = [(path, finding) for path in files for finding in verify(path)]
    broken = [(path, finding) for path, finding in findings if finding.problem]
    if json:
        print(json_format.dumps([_as_json(path, finding) for path, finding in findings]))
        return int(bool(broken))
    for path, finding in broken:
        game = f"{finding.game}: " if finding.game else ""
        print(f"{path}:{finding.line}: {game}{finding.problem}")
    right = [finding for _, finding in findings if not finding.problem]
    unfinished = sum(not finding.finished for finding in right)
    moves = sum(finding.moves for finding in right)
    print(
        f"{len(right)} of {len(findings)} games are right, {moves} moves"
        + (f"; {unfinished} of them unfinished" if unfinished else "")
    )
    return int(bool(broken))


def _as_json(path: Path, finding: Finding) -> dict[str, object]:
    return {
        "file": str(path),
        "line": finding.line,
        "game": finding.game,
        "moves": finding.moves,
        "finished": finding.finished,
        "problem": finding.problem or None,
    }
