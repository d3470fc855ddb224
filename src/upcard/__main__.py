"""The entry point of `upcard` and `python -m upcard`. Importing the command line takes a while, and Ctrl-C
may already arrive then."""

from __future__ import annotations

__all__ = ["main"]

import sys


def main() -> None:
    """Run the command line."""
    try:
        from upcard.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
