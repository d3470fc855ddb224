"""Every check, part by part: `python -m tests.run` (which is what `make test` does)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

HERE = Path(__file__).parents[1]
PROGRAMS = Path(sys.executable).parent


@dataclass(frozen=True)
class Part:
    """Some commands, and what they have to find in the environment."""

    name: str
    commands: list[list[str]]
    environment: dict[str, str] = field(default_factory=dict)

    def run(self, output: IO[str] = sys.stdout) -> tuple[bool, float]:
        """Run the commands up to the first that fails; return whether none did, and the seconds it took."""
        start = time.monotonic()
        passed = all(self._run(command, output) for command in self.commands)
        return passed, time.monotonic() - start

    def _run(self, command: list[str], output: IO[str]) -> bool:
        given = [f"{name}={value}" for name, value in self.environment.items()]
        print("$", *given, *command, file=output, flush=True)
        program = [str(PROGRAMS / command[0]), *command[1:]]
        environment = os.environ | self.environment
        # Hundreds of processes start here, and each would compile every module that it imports.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return subprocess.call(program, cwd=HERE, env=environment, stdout=output, stderr=output) == 0


STYLE = Part("style", [["ruff", "check"], ["ruff", "format", "--check"], ["lint-imports", "--no-logo"]])
TYPES = Part("types", [["mypy"], ["python", "-m", "tests.server.web.tsc"]])
# Read all tests once and run none: the processes that run them then load what this one has compiled.
MODULES = Part("modules", [["pytest", "--numprocesses=0", "--collect-only", "-qqq"]])
# Plain lists raise an error when something reads past their end; compiled ones do so only if asked. Compiling
# takes a third less time with fewer optimizations; golden games are also played by code as users have it.
TESTS = Part("tests", [["pytest"]], {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"})


def main() -> int:
    """Run all parts, also after one that failed, and print how long each took.

    Checking types uses one core, so everything else runs beside it.
    """
    start = time.monotonic()
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as output,
        tempfile.TemporaryFile("w+", encoding="utf-8") as names,
        ThreadPoolExecutor() as pool,
    ):
        types = pool.submit(TYPES.run, output)
        modules = pool.submit(MODULES.run, names)
        results = {STYLE.name: STYLE.run(), MODULES.name: modules.result()}
        results[TESTS.name] = TESTS.run()
        results[TYPES.name] = types.result()
        output.seek(0)
        print("\n" + output.read(), end="")
    passed = all(fine for fine, _ in results.values())
    print("\nHow long each part took (types run beside all others):")
    rows = [(name, *result) for name, result in results.items()]
    for name, fine, seconds in [*rows, ("all", passed, time.monotonic() - start)]:
        minutes, rest = divmod(round(seconds), 60)
        print(f"  {name:8} {minutes}:{rest:02} {'' if fine else '  FAILED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
