"""Every check, part by part: `python -m tests.run` (which is what `make test` does)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parents[1]
PROGRAMS = Path(sys.executable).parent


@dataclass(frozen=True)
class Part:
    """Some commands, and what they have to find in the environment."""

    name: str
    commands: list[list[str]]
    environment: dict[str, str] = field(default_factory=dict)

    def run(self) -> bool:
        """Run the commands up to the first that fails; return whether none did."""
        return all(self._run(command) for command in self.commands)

    def _run(self, command: list[str]) -> bool:
        given = [f"{name}={value}" for name, value in self.environment.items()]
        print("$", *given, *command, flush=True)
        program = [str(PROGRAMS / command[0]), *command[1:]]
        return subprocess.call(program, cwd=HERE, env=os.environ | self.environment) == 0


PARTS = [
    Part("style", [["ruff", "check"], ["ruff", "format", "--check"], ["lint-imports", "--no-logo"]]),
    Part("types", [["mypy"], ["python", "-m", "tests.server.web.tsc"]]),
    Part("tests", [["pytest"]]),
    # For what the tests cannot see: compiled code that reads past the end of a list.
    Part("bounds", [["pytest", "-m", "bounds"]], {"NUMBA_BOUNDSCHECK": "1"}),
]


def main() -> int:
    """Run all parts, also after one that failed, and print how long each took."""
    rows = []
    began = time.monotonic()
    for part in PARTS:
        start = time.monotonic()
        fine = part.run()
        rows.append((part.name, fine, time.monotonic() - start))
    print("\nHow long each part took:")
    for name, fine, seconds in [*rows, ("all", all(row[1] for row in rows), time.monotonic() - began)]:
        minutes, rest = divmod(round(seconds), 60)
        print(f"  {name:8} {minutes}:{rest:02} {'' if fine else '  FAILED'}")
    return 0 if all(row[1] for row in rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
