"""The format of records (docs/records.md) as types, and the strict reader of both its JSON and its structure.

Reading is strict: an unknown field, a number written as text, or a duplicate key is an error. Otherwise two
programs could read two different games from one record.
"""

from __future__ import annotations

__all__ = [
    "FORMAT",
    "ContinuationFields",
    "FairnessFields",
    "GameRecord",
    "MoveEntry",
    "MoveFields",
    "ResultFields",
    "SeatFields",
    "ShuffleEntry",
    "read_json",
]

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from upcard.core.errors import RecordError
from upcard.core.text import LONGEST_NUMBER, quoted

FORMAT = 1

Fields = TypeVar("Fields")


class SeatFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player at a seat."""

    name: str
    bot: str | None = None


class ShuffleEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A log entry: a new draw pile, the first card to be drawn first."""

    shuffle: list[str]


class MoveEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A log entry: a move, with the card that was taken blind, and with the legal moves (`--legal`)."""

    seat: int
    move: str
    took: str | UnsetType = UNSET
    legal: list[str] | UnsetType = UNSET


class ResultFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a finished game."""

    reason: str
    winners: list[int]
    scores: list[int]


class FairnessFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of the seed, in hexadecimal digits."""

    secret: str
    commitment: str
    shares: list[str | None]


class MoveFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move of the game that a record continues."""

    seat: int
    move: str


class ContinuationFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game that a record continues: its seed and moves, and the seat whose knowledge was kept."""

    seed: str
    seat: int
    log: list[MoveFields]


class _Fields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All fields of a record. Options are checked by the game, and log entries one by one."""

    upcard: int
    game: str
    options: dict[str, Any]
    first: int
    seats: list[SeatFields]
    log: list[Any]
    result: ResultFields | None
    seed: str | None = None
    fairness: FairnessFields | None = None
    continues: ContinuationFields | None = None


class GameRecord(_Fields, frozen=True):
    """A record with a valid structure; `replay` checks whether the game in it is valid."""

    log: list[ShuffleEntry | MoveEntry]

    @classmethod
    def of(cls, value: Any) -> GameRecord:
        """Return a JSON value as a record, or raise a RecordError with the field that is wrong."""
        if not isinstance(value, Mapping):
            raise RecordError("the record should be a JSON object")
        # Checked first, since another version of the format may have other fields.
        version = value.get("upcard")
        if type(version) is not int or version != FORMAT:
            raise RecordError(f"'upcard' should be {FORMAT}, not {quoted(version)}")
        fields = _converted(value, _Fields)
        for number, seat in enumerate(fields.seats, 1):
            _check_text(seat, number)
        log = [_entry(entry, number) for number, entry in enumerate(fields.log, 1)]
        return cls(**msgspec.structs.asdict(fields) | {"log": log})


def _check_text(seat: SeatFields, number: int) -> None:
    """Refuse a name with half of a surrogate pair, which cannot be written to a file again."""
    try:
        f"{seat.name}{seat.bot}".encode()
    except UnicodeEncodeError:
        raise RecordError(f"'seats' (item {number}) is not valid Unicode") from None


def _entry(value: Any, number: int) -> ShuffleEntry | MoveEntry:
    if not isinstance(value, Mapping):
        raise RecordError("a log entry should be a JSON object", number)
    try:
        if "shuffle" in value:
            return _converted(value, ShuffleEntry)
        if "move" in value:
            return _converted(value, MoveEntry)
    except RecordError as error:
        raise RecordError(error.reason, number) from None
    raise RecordError("an entry should have a 'move' or a 'shuffle'", number)


# Structure

# The names of JSON types in the messages of msgspec, and in ours.
_TYPES = {
    "array": "a list",
    "bool": "true or false",
    "float": "a decimal number",
    "int": "a whole number",
    "null": "null",
    "object": "a JSON object",
    "str": "text",
}
_WRONG_TYPE = re.compile(r"Expected `([^`]*)`, got `([^`]*)`(?: - at `\$\.?(.*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `([^`]*)`(?: - at `\$\.?(.*)`)?", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(.*?)`(?: - at `\$\.?([^`]*)`)?", re.DOTALL)
_ITEM = re.compile(r"\[(\d+)\]")


def _converted(value: Any, fields: type[Fields]) -> Fields:
    """Return a JSON value as a struct, without any leniency about types."""
    try:
        return msgspec.convert(value, fields, strict=True)
    except msgspec.ValidationError as error:
        raise RecordError(_in_plain_words(str(error))) from None
    except UnicodeEncodeError:  # half of a surrogate pair, in the name of a field or in the place of a number
        raise RecordError("the text in a field or in its name is not valid Unicode") from None


def _in_plain_words(message: str) -> str:
    """Return the message of msgspec as a sentence in the terms of docs/records.md."""
    if found := _WRONG_TYPE.fullmatch(message):
        wanted, given, path = found.groups()
        return f"{_place(path)} should be {_types(wanted)}, not {_types(given)}"
    if found := _MISSING.fullmatch(message):
        name, path = found.groups()
        if name == "result":
            return "there is no 'result' (null while a game continues)"
        return f"there is no {name!r}" + (f" in {_place(path)}" if path else "")
    if found := _UNKNOWN.fullmatch(message):
        name, path = found.groups()
        return f"there is an unknown field {quoted(name)}" + (f" in {_place(path)}" if path else "")
    return "the structure is not that of a record"


def _place(path: str | None) -> str:
    """Return the field at a path such as `fairness.shares[0]`; items of lists are counted from 1."""
    if not path:
        return "the record"
    items = "".join(f" (item {int(number) + 1})" for number in _ITEM.findall(path))
    return quoted(_ITEM.sub("", path)) + items


def _types(names: str) -> str:
    return " or ".join(_TYPES.get(name, name) for name in names.split(" | "))


# JSON


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise RecordError(f"the key {quoted(twice)} occurs twice in one object")
    return fields


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > LONGEST_NUMBER:
        raise RecordError(f"a number has more than {LONGEST_NUMBER} digits")
    return int(digits)


def _constant(name: str) -> NoReturn:
    raise RecordError(f"this is not JSON: {name} is not a number there")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_constant=_constant)


def read_json(data: bytes) -> Any:
    """Return the JSON value of a text in UTF-8, or raise a RecordError with the problem."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise RecordError("this is not text in UTF-8") from None
    if text.startswith("\ufeff"):
        raise RecordError("this begins with a byte order mark: save the file as UTF-8 without one")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        line = f"line {error.lineno} of it, " if error.lineno > 1 else ""
        raise RecordError(f"this is not JSON: {error.msg}, {line}column {error.colno}") from None
    except RecursionError:
        raise RecordError("this is not JSON: nested too deeply") from None
