"""Files of records: read one record at a time and within bounds, written so that no game is lost."""

from __future__ import annotations

__all__ = [
    "MAX_RECORD",
    "STANDARD_OUTPUT",
    "Found",
    "NotWritten",
    "RecordFile",
    "is_standard_output",
    "read_line",
    "read_records",
    "record_in",
]

import contextlib
import io
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any, BinaryIO, Self

from upcard.core.errors import RecordError, UpcardError
from upcard.core.text import printable
from upcard.lab.crew import undisturbed
from upcard.match.format import read_json

# Size limit of one record, in bytes. The longest game that the options allow, with all legal moves, has
# about half of that.
MAX_RECORD = 32 * 2**20

TOO_LONG = f"this is longer than a record can be ({MAX_RECORD // 2**20} MiB)"


# Reading


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value in a file of records and the line where it begins, or the reason why there is none."""

    line: int
    value: Any = None
    problem: str = ""


# A line of a file with its number; None is a line that is too long.
_Line = tuple[int, bytes | None]


def read_records(path: Path) -> Iterator[Found]:
    """Return the records of a file: one on every line, or each over several lines (as `jq` prints them)."""
    try:
        with path.open("rb") as file:
            lines = _lines(file)
            first_two = [line for _, line in zip(range(2), lines, strict=False)]
            read = _over_several_lines if _is_spread(first_two) else _line_by_line
            yield from read(chain(first_two, lines))
    except OSError as error:
        raise UpcardError(f"{printable(str(path))} cannot be read: {error.strerror}") from None


def record_in(path: Path, number: int) -> Any:
    """Return one record of a file, counted from 1, or raise an error that says what is wrong."""
    games = 0
    for games, found in enumerate(read_records(path), 1):
        if games == number:
            if found.problem:
                raise RecordError(f"{printable(str(path))}:{found.line}: {found.problem}")
            return found.value
    held = "1 game" if games == 1 else f"{games} games"
    raise UpcardError(f"{printable(str(path))} has {held}: there is no game {number}")


def read_line(number: int, line: bytes) -> Found:
    """Return the record on a line."""
    try:
        return Found(number, read_json(line))
    except RecordError as error:
        cut = "" if line.endswith(b"\n") else " (is the file cut off here?)"
        return Found(number, problem=error.reason + cut)


def _lines(file: BinaryIO) -> Iterator[_Line]:
    """Return the lines of a file that are not blank."""
    number = 0
    while line := file.readline(MAX_RECORD + 1):
        number += 1
        if len(line) > MAX_RECORD:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_RECORD)
            yield number, None
        elif line.strip():
            yield number, line


def _line_by_line(lines: Iterator[_Line]) -> Iterator[Found]:
    for number, line in lines:
        yield Found(number, problem=TOO_LONG) if line is None else read_line(number, line)


def _over_several_lines(lines: Iterator[_Line]) -> Iterator[Found]:
    for start, first in lines:
        record, depth, too_long = [first or b""], _opened(first), first is None
        size = len(record[0])
        while depth > 0 and (following := next(lines, None)) is not None:
            line = following[1]
            depth += _opened(line)
            size += len(line or b"")
            too_long = too_long or line is None or size > MAX_RECORD
            if line is not None and not too_long:
                record.append(line)
        if too_long:
            yield Found(start, problem=TOO_LONG)
        else:
            # A record that is closed is not cut off, even if the last line has no end.
            yield read_line(start, b"".join(record).rstrip() + (b"" if depth > 0 else b"\n"))


def _is_spread(first_two: Sequence[_Line]) -> bool:
    """Tell whether records continue on the next line. If the second line is an object of its own, then the
    first one is only broken."""
    if not first_two or _opened(first_two[0][1]) <= 0:
        return False
    second = first_two[1][1] if len(first_two) > 1 else None
    return second is None or not second.startswith(b"{") or _opened(second) != 0


# Strings, which never continue on the next line, and brackets.
_TOKENS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]')


def _opened(line: bytes | None) -> int:
    """Return the number of brackets that a line opens and does not close."""
    return sum((token[0] in b"[{") - (token[0] in b"]}") for token in _TOKENS.finditer(line or b""))


# Writing

# The name of standard output where a file is expected.
STANDARD_OUTPUT = Path("-")


class NotWritten(UpcardError):
    """Records could not be written; `written` of those that were to be written were."""

    def __init__(self, path: Path, error: OSError, written: int = 0) -> None:
        name = "standard output" if path == STANDARD_OUTPUT else printable(str(path))
        super().__init__(f"{name} cannot be written: {error.strerror}")
        self.written = written


def is_standard_output(path: Path) -> bool:
    """Tell whether a path is standard output: `-`, or `/dev/stdout` where that is a file or a pipe."""
    if path == STANDARD_OUTPUT:
        return True
    with contextlib.suppress(OSError, ValueError, AttributeError):  # no such file, or no standard output
        there, output = path.stat(), os.fstat(sys.stdout.fileno())
        return os.path.samestat(there, output) and not stat.S_ISCHR(there.st_mode)
    return False


class RecordFile:
    """A file to write records to. It is written beside its place, and moved there at the end if it has any
    games: until then the file that was there before is untouched. Devices and pipes are written directly."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._games = 0
        # The file beside, and its place.
        self._part: Path | None = None
        self._place = path
        try:
            self._output = self._open()
        except OSError as error:
            raise NotWritten(path, error) from None

    def _open(self) -> int | None:
        """Return the descriptor of the output; None is a standard output that has none."""
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
            os.close(os.open(self._place, flags))  # may it be written at all?
        output, self._part = _new_file_beside(self._place, flags)
        if self._place.exists():
            shutil.copymode(self._place, self._part)
        return output

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        with undisturbed():
            self._close()

    def writelines(self, lines: Iterable[str]) -> None:
        """Write records, each a line. Where one cannot be written, nothing of it stays behind."""
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
        """Remove the last bytes, where the output is a file."""
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
    """Create a file in the folder of another one. Files that a killed process left there are kept."""
    for number in count(1):
        part = path.with_name(f"{path.name}.part" if number == 1 else f"{path.name}.{number}.part")
        with contextlib.suppress(FileExistsError):
            return os.open(part, flags | os.O_CREAT | os.O_EXCL, 0o666), part
    raise AssertionError("there is always another number")
