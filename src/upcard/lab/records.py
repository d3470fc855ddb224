"""Files of records, written so that no game is lost."""

from __future__ import annotations

__all__ = ["STANDARD_OUTPUT", "NotWritten", "RecordFile", "is_standard_output"]

import contextlib
import io
import os
import shutil
import stat
import sys
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Self

from upcard.core.errors import UpcardError
from upcard.core.text import printable
from upcard.lab.executors import deferring_interrupt

# The name of standard output in place of a file.
STANDARD_OUTPUT = Path("-")


class NotWritten(UpcardError):
    """Records could not be written; `written` is the number of those that were."""

    def __init__(self, path: Path, error: OSError, written: int = 0) -> None:
        name = "standard output" if path == STANDARD_OUTPUT else printable(str(path))
        super().__init__(f"{name} cannot be written: {error.strerror}")
        self.written = written


def is_standard_output(path: Path) -> bool:
    """Whether a path is standard output: `-`, or `/dev/stdout` if that is a file or a pipe."""
    if path == STANDARD_OUTPUT:
        return True
    with contextlib.suppress(OSError, ValueError, AttributeError):  # no such file, or no standard output
        there, output = path.stat(), os.fstat(sys.stdout.fileno())
        return os.path.samestat(there, output) and not stat.S_ISCHR(there.st_mode)
    return False


class RecordFile:
    """A file to write records to. A temporary file beside it is written, and moved into place at the end if
    it has any games. Until then an existing file is untouched. Devices and pipes are written directly."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._games = 0
        # The temporary file, and its final path.
        self._part: Path | None = None
        self._place = path
        try:
            self._output = self._open()
        except OSError as error:
            raise NotWritten(path, error) from None

    def _open(self) -> int | None:
        """Return the file descriptor of the output; None for a standard output without one."""
        if is_standard_output(self._path):
            sys.stdout.flush()
            with contextlib.suppress(io.UnsupportedOperation):
                return os.dup(sys.stdout.fileno())
            return None
        flags = os.O_WRONLY | getattr(os, "O_BINARY", 0)
        if self._path.exists() and not self._path.is_file():
            return os.open(self._path, flags)
        self._place = self._path.resolve()  # a link stays a link
        if self._place.exists():
            os.close(os.open(self._place, flags))  # check that it can be written at all
        output, self._part = _new_file_beside(self._place, flags)
        if self._place.exists():
            shutil.copymode(self._place, self._part)
        return output

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        with deferring_interrupt():
            self._close()

    def writelines(self, lines: Iterable[str]) -> None:
        """Write records, one per line. If one cannot be written, no part of it remains."""
        text = "".join(lines)
        if self._output is None:
            sys.stdout.write(text)
            return
        data, done = text.encode(), 0
        try:
            while done < len(data):
                done += os.write(self._output, memoryview(data)[done:])
        except BrokenPipeError:
            raise
        except OSError as error:
            whole = data.rfind(b"\n", 0, done) + 1
            self._take_back(done - whole)
            written = data.count(b"\n", 0, whole)
            self._games += written
            raise NotWritten(self._path, error, written) from None
        self._games += data.count(b"\n")

    def _take_back(self, size: int) -> None:
        """Remove the last bytes, if the output is a file."""
        assert self._output is not None
        if stat.S_ISREG(os.fstat(self._output).st_mode):
            with contextlib.suppress(OSError):
                end = os.lseek(self._output, -size, os.SEEK_CUR)
                os.ftruncate(self._output, end)

    def _close(self) -> None:
        if self._output is None:
            return
        try:
            if self._part is not None and self._games:
                os.fsync(self._output)
        except OSError as error:
            raise NotWritten(self._part or self._path, error) from None
        finally:
            os.close(self._output)
        if self._part is None:
            return
        if not self._games:
            self._part.unlink(missing_ok=True)
            return
        try:
            self._part.replace(self._place)
        except OSError as error:
            raise UpcardError(
                f"{printable(str(self._path))} cannot be written: {error.strerror}; "
                f"the games are in {printable(str(self._part))}"
            ) from None


def _new_file_beside(path: Path, flags: int) -> tuple[int, Path]:
    """Create a temporary file beside another one. Files that a killed process left there are not deleted."""
    for number in count(1):
        part = path.with_name(f"{path.name}.part" if number == 1 else f"{path.name}.{number}.part")
        with contextlib.suppress(FileExistsError):
            return os.open(part, flags | os.O_CREAT | os.O_EXCL, 0o666), part
    raise AssertionError("there is always another number")
