"""Layouts: the offset of each field of a struct in memory, in numbers of 32 bits."""

from __future__ import annotations

__all__ = ["name_of", "numbers_of", "offset_of", "size_of"]

from upcard.core.struct import Field, Struct, fields


def size_of(struct: type[Struct]) -> int:
    """Return the size of a struct in numbers. NumPy uses the same layout."""
    if struct not in _sizes:
        _sizes[struct] = sum(_size(field) for field in fields(struct).values())
    return _sizes[struct]


_sizes: dict[type[Struct], int] = {}


def offset_of(struct: type[Struct], name: str) -> int:
    """Return the offset of a field."""
    before = list(fields(struct))
    return sum(_size(fields(struct)[field]) for field in before[: before.index(name)])


def name_of(struct: type[Struct], name: str) -> str:
    """Return the name of an offset: that of the first base class that has the field there."""
    for owner in reversed(struct.__mro__):
        has_it = issubclass(owner, Struct) and name in fields(owner)
        if has_it and offset_of(owner, name) == offset_of(struct, name):
            return f"{owner.__name__}_{name}"
    return f"{struct.__name__}_{name}"


def numbers_of(struct: Struct) -> list[int]:
    """Return all numbers of a struct, in their order in memory."""
    found: list[int] = []
    for name, field in fields(type(struct)).items():
        value = getattr(struct, name)
        for item in value if field.length is not None else [value]:
            found += [int(item)] if field.struct is None else numbers_of(item)
    return found


def _size(field: Field) -> int:
    one = 1 if field.struct is None else size_of(field.struct)
    return one if field.length is None else one * field.length
