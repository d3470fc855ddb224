"""How far long work is, on a terminal; nothing in a pipe."""

from __future__ import annotations

__all__ = ["progress"]

import contextlib
import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import Progress


@contextlib.contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar while the work lasts; what is given is called with how much was done since.

    `total` is None where nobody knows.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done: None
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
