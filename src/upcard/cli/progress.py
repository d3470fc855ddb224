"""Progress bars for long work, on terminals only."""

from __future__ import annotations

__all__ = ["is_shown", "progress", "progress_with_words"]

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator

from rich.console import Console, RenderableType
from rich.progress import Progress
from rich.text import Text


def is_shown() -> bool:
    """Whether there is a terminal to show progress on."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextlib.contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar during the work; yields a function to be called with the amount of work done since the last
    call.

    `total` is None if it is unknown.
    """
    if not is_shown():
        yield lambda done: None
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


class _WithWords(Progress):
    """A bar with a line of text below it."""

    words = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        yield from super().get_renderables()
        yield Text(self.words)


@contextlib.contextmanager
def progress_with_words(what: str, total: int) -> Iterator[Callable[[int, Callable[[], str]], None]]:
    """Show a bar and a line of text during the work; yields a function to be called with the total amount of
    work done, and with a function that returns the text."""
    if not is_shown():
        yield lambda done, words: None
        return
    with _WithWords(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def show(done: int, words: Callable[[], str]) -> None:
            bar.words = words()
            bar.update(task, completed=done)

        yield show
