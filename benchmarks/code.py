"""The size of the code: lines, lengths of functions and files, and how long `import upcard` takes."""

from __future__ import annotations

__all__ = ["measure", "sizes"]

import ast
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import upcard
from benchmarks.figures import ROUNDS, Figure

PACKAGE = Path(upcard.__file__).parent
# Promised: lines in a function and in a file, and milliseconds.
MEDIAN_FUNCTION = 10
LONGEST_FUNCTION = 60
LONG_FILE = 400
IMPORT = 60
# Files that may be longer: the rules of a game, in the order of its rulebook.
MAY_BE_LONG = ("rules.py",)
DEAL = "import upcard; upcard.new('lines')"


def measure() -> Iterator[Figure]:
    """Measure the code of the package."""
    yield from sizes()
    for name, program in (("import upcard", "import upcard"), ("import upcard and deal a game", DEAL)):
        wanted = IMPORT if program != DEAL else None
        yield Figure(name, min(_milliseconds(program) for _ in range(ROUNDS)), "ms", wanted, True)


def sizes() -> Iterator[Figure]:
    """Count lines: of all, of each folder, of functions and of files."""
    texts = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    lines = {path: len(text.splitlines()) for path, text in texts.items()}
    yield Figure("lines of Python in src/upcard", sum(lines.values()), "lines")
    folders: Counter[str] = Counter()
    for path, count in lines.items():
        folders[path.relative_to(PACKAGE).parts[0]] += count
    for folder, count in folders.most_common():
        if not folder.endswith(".py"):
            yield Figure(f"of these in {folder}", count, "lines")
    lengths = [length for text in texts.values() for length in _functions(text)]
    yield Figure("functions, median length", statistics.median(lengths), "lines", MEDIAN_FUNCTION, True)
    yield Figure("functions, longest", max(lengths), "lines", LONGEST_FUNCTION, True)
    long = sum(lines[path] > LONG_FILE and path.name not in MAY_BE_LONG for path in lines)
    yield Figure(f"files over {LONG_FILE} lines without a reason", long, "files", 0, True)


def _functions(text: str) -> Iterator[int]:
    """Give the number of lines of each function in a module."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.end_lineno - node.lineno + 1


def _milliseconds(program: str) -> float:
    """Return how long a new process takes for a program, without the start of Python."""
    timed = f"from time import perf_counter as now; began = now(); {program}; print(1000 * (now() - began))"
    done = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True)
    return float(done.stdout)
