"""What all parts of the bench have in common: where they work, and how they say what they do."""

from __future__ import annotations

__all__ = ["Say", "now", "quantile", "run", "workplace"]

import asyncio
import contextlib
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

Result = TypeVar("Result")

# Tells whoever waits what is being done.
Say = Callable[[str], None]

now = time.perf_counter


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that a share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """Make a folder for the files of a server, and delete it afterwards.

    It is on a disk where people keep theirs: what is in the temporary folder of many systems never gets to
    any disk, and would be durable in no time.
    """
    home = Path(platformdirs.user_cache_dir("upcard", False))
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=home) as folder:
        yield Path(folder)


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run something asynchronous to its end, on the quickest event loop that there is."""
    with _like_ctrl_c(signal.SIGTERM), asyncio.Runner(loop_factory=_loop()) as runner:
        try:
            return runner.run(work)
        except BaseExceptionGroup as group:
            raise _first(group) from None


def _loop() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:  # it is not made for every system
        return asyncio.new_event_loop
    return uvloop.new_event_loop


@contextlib.contextmanager
def _like_ctrl_c(number: signal.Signals) -> Iterator[None]:
    """End as by Ctrl-C when a signal comes: else the server would go on alone."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, lambda _number, _frame: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(number, before)


def _first(error: BaseException) -> BaseException:
    """Return the first of several errors at once; the others come of it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
