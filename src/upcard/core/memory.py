"""Records as NumPy memory: what compiled rules work on."""

from __future__ import annotations

__all__ = ["INT", "dtype_of", "empty", "load", "store"]

from typing import Any, TypeVar

import numpy as np

from upcard.core.errors import FieldError
from upcard.core.record import WIDTH, Field, Record, fields

AnyRecord = TypeVar("AnyRecord", bound=Record)

INT = np.dtype(f"i{WIDTH // 8}")


def dtype_of(record: type[Record]) -> np.dtype[Any]:
    """Return the memory layout of a record."""
    if record not in _layouts:
        _layouts[record] = np.dtype([_layout(record, name, field) for name, field in fields(record).items()])
    return _layouts[record]


_layouts: dict[type[Record], np.dtype[Any]] = {}


def _layout(owner: type[Record], name: str, field: Field) -> tuple[Any, ...]:
    if hasattr(np.ndarray, name) or hasattr(np.record, name):
        raise FieldError(f"{owner.__name__}.{name}: NumPy owns that name, choose another")
    inner = INT if field.record is None else dtype_of(field.record)
    return (name, inner) if field.length is None else (name, inner, (field.length,))


def empty(record: type[Record]) -> Any:
    """Return a compiled record with all numbers zero."""
    return np.zeros(1, dtype_of(record))[0]


def store(record: Record) -> Any:
    """Return a compiled copy of a plain record; a number that does not fit is an error."""
    memory = empty(type(record))
    _store(record, memory)
    return memory


def _store(record: Record, memory: Any) -> None:
    for name, field in fields(record).items():
        value = getattr(record, name)
        if field.record is None:
            memory[name] = np.array(value, INT)
        elif field.length is None:
            _store(value, memory[name])
        else:
            for item, place in zip(value, memory[name], strict=True):
                _store(item, place)


def load(kind: type[AnyRecord], memory: Any) -> AnyRecord:
    """Return a plain copy of a compiled record."""
    record = kind()
    for name, field in fields(kind).items():
        value = memory[name]
        if field.record is None:
            setattr(record, name, value.tolist())
        elif field.length is None:
            setattr(record, name, load(field.record, value))
        else:
            setattr(record, name, [load(field.record, item) for item in value])
    return record
