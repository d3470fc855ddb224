"""Structs as NumPy memory, on which compiled rules work."""

from __future__ import annotations

__all__ = ["INT", "dtype_of", "empty", "load", "store"]

from typing import Any, TypeVar

import numpy as np

from upcard.core.errors import FieldError
from upcard.core.struct import WIDTH, Field, Struct, fields

AnyStruct = TypeVar("AnyStruct", bound=Struct)

INT = np.dtype(f"i{WIDTH // 8}")


def dtype_of(struct: type[Struct]) -> np.dtype[Any]:
    """Return the memory layout of a struct."""
    if struct not in _layouts:
        _layouts[struct] = np.dtype([_layout(struct, name, field) for name, field in fields(struct).items()])
    return _layouts[struct]


_layouts: dict[type[Struct], np.dtype[Any]] = {}


def _layout(owner: type[Struct], name: str, field: Field) -> tuple[Any, ...]:
    if hasattr(np.ndarray, name) or hasattr(np.record, name):
        raise FieldError(f"{owner.__name__}.{name}: NumPy owns that name, choose another")
    inner = INT if field.struct is None else dtype_of(field.struct)
    return (name, inner) if field.length is None else (name, inner, (field.length,))


def empty(struct: type[Struct]) -> Any:
    """Return a compiled struct with all numbers zero."""
    return np.zeros(1, dtype_of(struct))[0]


def store(struct: Struct) -> Any:
    """Return a compiled copy of a plain struct; a number that does not fit is an error."""
    memory = empty(type(struct))
    _store(struct, memory)
    return memory


def _store(struct: Struct, memory: Any) -> None:
    for name, field in fields(struct).items():
        value = getattr(struct, name)
        if field.struct is None:
            memory[name] = np.array(value, INT)
        elif field.length is None:
            _store(value, memory[name])
        else:
            for item, place in zip(value, memory[name], strict=True):
                _store(item, place)


def load(kind: type[AnyStruct], memory: Any) -> AnyStruct:
    """Return a plain copy of a compiled struct."""
    struct = kind()
    for name, field in fields(kind).items():
        value = memory[name]
        if field.struct is None:
            setattr(struct, name, value.tolist())
        elif field.length is None:
            setattr(struct, name, load(field.struct, value))
        else:
            setattr(struct, name, [load(field.struct, item) for item in value])
    return struct
