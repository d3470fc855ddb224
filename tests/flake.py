"""Run every check repeatedly, each time from a clean state, and print the failures: `make flake N=20 LOAD=2`.

Each run has an empty home and empty caches. `LOAD` is a number of processes that keep the machine busy
meanwhile. The output of every run is kept in `build/flake/`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.run import HERE
from tests.server.web.chromium import find

LOGS = HERE / "build" / "flake"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep the machine busy."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def environment(folder: Path) -> dict[str, str]:
    """Return an environment without any traces of earlier runs."""
    homes = ("HOME", "TMPDIR", "UPCARD_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME", "MYPY_CACHE_DIR")
    made = {name: str(folder / name.lower()) for name in (*homes, "RUFF_CACHE_DIR")}
    for path in made.values():
        Path(path).mkdir()
    # The browser is already installed; Playwright would look for its own in the empty home.
    browser = {"UPCARD_CHROMIUM": chromium} if (chromium := find()) else {}
    return os.environ | made | browser | {"PYTEST_ADDOPTS": "-p no:cacheprovider"}


def run(log: Path) -> tuple[bool, float, list[str]]:
    """Run every check once; return whether all passed, the duration in seconds, and the failed tests."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="upcard-flake-") as folder, log.open("wb") as output:
        Path(folder).chmod(0o755)  # PostgreSQL does not run as root, and needs access
        done = subprocess.run(
            [sys.executable, "-m", "tests.run"],
            cwd=HERE,
            env=environment(Path(folder)),
            stdout=output,
            stderr=output,
            check=False,
        )
    return done.returncode == 0, time.monotonic() - start, FAILED.findall(log.read_text(errors="replace"))


def main() -> int:
    """Print a row for each run as it ends, and a last line with totals."""
    parser = argparse.ArgumentParser(prog="make flake")
    parser.add_argument("runs", type=int)
    parser.add_argument("load", type=int)
    asked = parser.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    bad = 0
    with busy(asked.load):
        for number in range(1, asked.runs + 1):
            log = LOGS / f"load-{asked.load}-run-{number:02}.log"
            fine, seconds, failed = run(log)
            bad += not fine
            said = "passed" if fine else "FAILED " + (" ".join(failed) or f"see {log.relative_to(HERE)}")
            print(f"{number:3}  load {asked.load}  {seconds:5.0f} s  {said}", flush=True)
    print(f"{asked.runs} runs beside {asked.load} busy processes: {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
