"""Exclusive access to a file: two processes that write it at the same time would ruin it."""

from __future__ import annotations

__all__ = ["InUse", "exclusive"]

import contextlib
import os
import platform
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from upcard.core.errors import UpcardError


class InUse(UpcardError):
    """Another process is writing a file."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"{path} is in use by {holder}: wait until it has ended, or choose another file")


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Keep other processes from writing a file; if one is doing so already, raise InUse, which names it.

    A file that cannot be locked raises OSError. The operating system releases the lock of a process that
    ends, however it ends.
    """
    # FileLock would create the folder, but a misspelled one must not be created.
    path.parent.stat()
    beside = path.with_name(f"{path.name}.lock")
    lock = FileLock(beside)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise InUse(path, _holder(beside)) from None
    try:
        _name_holder(beside)
        yield
    finally:
        # Deleted while it is held: a process that has opened it in the meantime notices that, and opens a new
        # one.
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        lock.release()


def _name_holder(lock: Path) -> None:
    # If it cannot be written, the message of another process says less.
    with contextlib.suppress(OSError):
        lock.write_text(f"process {os.getpid()} on {platform.node()}", "utf-8")


def _holder(lock: Path) -> str:
    try:
        return lock.read_text("utf-8") or "another process"
    except (OSError, UnicodeError):
        return "another process"
