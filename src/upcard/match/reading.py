"""Reading files of records, one record at a time and within bounds."""

from __future__ import annotations

__all__ = ["MAX_RECORD", "Found", "Unreadable", "only_record_in", "read_line", "read_records", "record_in"]

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from upcard.core.errors import NotFound, RecordError
from upcard.core.text import printable, quoted
from upcard.match.format import read_json

# Size limit of one record, in bytes. The longest possible game, with all legal moves, has about half of that.
MAX_RECORD = 32 * 2**20

TOO_LONG = f"this is longer than a record can be ({MAX_RECORD // 2**20} MiB)"


# The longest path that operating systems accept.
MAX_PATH = 4096


class Unreadable(RecordError):
    """A file of records cannot be read."""


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value in a file of records and the line where it begins, or the reason why there is none."""

    line: int
    value: Any = None
    problem: str = ""


# A line of a file with its number; None stands for a line that is too long.
_Line = tuple[int, bytes | None]


def read_records(path: Path) -> Iterator[Found]:
    """Return the records of a file: one on every line, or each over several lines (as `jq` prints them)."""
    try:
        with _open(path) as file:
            lines = _lines(file)
            first_two = [line for _, line in zip(range(2), lines, strict=False)]
            read = _over_several_lines if _is_spread(first_two) else _line_by_line
            yield from read(chain(first_two, lines))
    except OSError as error:
        raise Unreadable(f"{printable(str(path), MAX_PATH)} cannot be read: {error.strerror}") from None


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except ValueError:  # a zero character
        raise Unreadable(f"{quoted(str(path))} is not the name of a file") from None


def record_in(path: Path, number: int) -> Any:
    """Return one record of a file, counted from 1, or raise an error with the problem."""
    games = 0
    for games, found in enumerate(read_records(path), 1):
        if games == number:
            if found.problem:
                raise RecordError(f"{printable(str(path))}:{found.line}: {found.problem}")
            return found.value
    held = "1 game" if games == 1 else f"{games} games"
    raise NotFound(f"{printable(str(path))} has {held}: there is no game {number}")


def only_record_in(path: Path) -> Any:
    """Return the record of a file with one game, or raise an error with the problem."""
    found = list(islice(read_records(path), 2))
    if not found:
        raise RecordError("the file has no records")
    if found[0].problem:
        raise RecordError(found[0].problem)
    if len(found) > 1:
        raise RecordError("the file has more than one record")
    return found[0].value


def read_line(number: int, line: bytes) -> Found:
    """Return the record on a line."""
    try:
        return Found(number, read_json(line))
    except RecordError as error:
        is_cut = not line.endswith(b"\n") and _opened(line) > 0
        return Found(number, problem=error.reason + (" (is the file cut off here?)" if is_cut else ""))


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
        # One block of memory: there can be millions of lines.
        record, depth, too_long = bytearray(first or b""), _opened(first), first is None
        while depth > 0 and (following := next(lines, None)) is not None:
            line = following[1]
            depth += _opened(line)
            too_long = too_long or line is None or len(record) + len(line) > MAX_RECORD
            if line is not None and not too_long:
                record += line
        if too_long:
            yield Found(start, problem=TOO_LONG)
        else:
            yield read_line(start, bytes(record).rstrip())


def _is_spread(first_two: Sequence[_Line]) -> bool:
    """Whether records continue on the next line. If the second line is an object of its own, the first one is
    merely damaged."""
    if not first_two or _opened(first_two[0][1]) <= 0:
        return False
    second = first_two[1][1] if len(first_two) > 1 else None
    return second is None or not second.startswith(b"{") or _opened(second) != 0


# Strings, which never continue on the next line, and brackets.
_TOKENS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]')


def _opened(line: bytes | None) -> int:
    """Return the number of brackets that a line opens and does not close."""
    return sum((token[0] in b"[{") - (token[0] in b"]}") for token in _TOKENS.finditer(line or b""))
