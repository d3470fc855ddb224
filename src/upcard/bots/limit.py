"""Time limits: giving up on a bot that does not answer."""

from __future__ import annotations

__all__ = ["TookTooLong", "within"]

import contextlib
import ctypes
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class TookTooLong(Exception):
    """The time is up."""


class _Abandoned(SystemExit):
    """Raised in a thread whose answer is no longer needed. A SystemExit ends a thread silently, and since it
    is not an `Exception`, bots rarely catch it."""


def within(seconds: float | None, work: Callable[[], Result]) -> Result:
    """Return the result of `work`, or raise TookTooLong after this many seconds; with None there is no limit.

    With a limit, the work is done in a separate thread, which can be abandoned. It is interrupted as soon as
    it runs Python code again; compiled code runs to its end.
    """
    if seconds is None:
        return work()
    answers: queue.SimpleQueue[tuple[Result | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        with contextlib.suppress(_Abandoned):
            try:
                answers.put((work(), None))
            except BaseException as error:  # raised again in the waiting thread
                answers.put((None, error))

    thread = threading.Thread(target=run, name="bot with a time limit", daemon=True)
    thread.start()
    try:
        result, error = answers.get(timeout=seconds)
    except queue.Empty:
        _interrupt(thread)
        raise TookTooLong from None
    except BaseException:  # Ctrl-C
        _interrupt(thread)
        raise
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # there is one where there is no error


def _interrupt(thread: threading.Thread) -> None:
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Abandoned))
