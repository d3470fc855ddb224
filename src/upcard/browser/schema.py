"""The types of the record format (match/format.py) as data, for the reader in JavaScript."""

from __future__ import annotations

__all__ = ["schema"]

import json
from typing import Any

import msgspec
from msgspec import inspect

from upcard.match.format import FORMAT, GameRecord, MoveEntry, ShuffleEntry


def schema() -> str:
    """Return the JavaScript module with the fields of records."""
    found: dict[str, Any] = {"format": FORMAT}
    # The base class accepts any list as the log: entries are read one by one, so that errors name their
    # number.
    assert GameRecord.__base__ is not None
    _add(found, inspect.type_info(GameRecord.__base__))
    found["GameRecord"] = found.pop(GameRecord.__base__.__name__)
    for kind in (MoveEntry, ShuffleEntry):
        _add(found, inspect.type_info(kind))
    return f"/** Which fields records have. */\nexport const SCHEMA = {json.dumps(found, indent=2)};\n"


def _add(found: dict[str, Any], type_: inspect.Type) -> None:
    """Add a struct of the format, and those in it."""
    assert isinstance(type_, inspect.StructType)
    fields: dict[str, Any] = {}
    found[type_.cls.__name__] = fields
    for field in type_.fields:
        fields[field.encode_name] = {"kind": _kind(found, field.type), "required": field.required}
        if field.default not in (msgspec.NODEFAULT, msgspec.UNSET):
            fields[field.encode_name]["default"] = field.default


def _kind(found: dict[str, Any], type_: inspect.Type) -> Any:
    match type_:
        case inspect.StrType():
            return "str"
        case inspect.IntType():
            return "int"
        case inspect.NoneType():
            return "null"
        case inspect.DictType():
            return "object"
        case inspect.ListType(item_type=item):
            return {"list": _kind(found, item)}
        case inspect.UnionType(types=types):
            kinds = [_kind(found, one) for one in types]
            return kinds[0] if len(kinds) == 1 else {"any": kinds}
        case inspect.StructType(cls=cls):
            _add(found, type_)
            return {"fields": cls.__name__}
    return "anything"
