"""How far long work is, on a terminal; nothing in a pipe."""

from __future__ import annotations

__all__ = ["is_shown", "progress"]

import contextlib
import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import Progress


def is_shown() -> bool:
    """Tell whether there is a terminal to show it on."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextlib.contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar while the work lasts; what is given is called with how much was done since.

    `total` is None where nobody knows.
    """
    if not is_shown():
        yield lambda done: None
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
