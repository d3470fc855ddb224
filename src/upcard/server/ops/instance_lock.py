"""Only one server at a time may use a database file: two would not notice each other's moves."""

from __future__ import annotations

__all__ = ["AlreadyServing", "instance_lock"]

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from upcard.core.errors import UpcardError

# File mode: readable by the owner only.
OWNER_ONLY = 0o600


class AlreadyServing(UpcardError):
    """Another server uses the tables; it may have written down its address."""

    def __init__(self, path: Path, url: str) -> None:
        where = f" at {url}" if url else ""
        super().__init__(f"another Upcard serves the tables in {path}{where}")
        self.url = url


@contextlib.contextmanager
def instance_lock(path: Path | None) -> Iterator[Callable[[str], None]]:
    """Keep other servers from using the tables in a file; the function that this yields tells them our
    address.

    If several nodes share a database, there is no file to lock.
    """
    if path is None:
        yield lambda _url: None
        return
    # The system releases the lock when the process ends, however it ends.
    lock = FileLock(f"{path}.lock", mode=OWNER_ONLY)
    told = path.with_name(f"{path.name}.url")
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise AlreadyServing(path, _read(told)) from None
    try:
        yield lambda url: _write(told, url)
    finally:
        with contextlib.suppress(OSError):
            told.unlink(missing_ok=True)
        lock.release()


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeError):
        return ""


def _write(path: Path, url: str) -> None:
    # Without it, the error message of the next server says less.
    with contextlib.suppress(OSError):
        path.touch(OWNER_ONLY)
        path.write_text(url, "utf-8")
