"""Structs: the nouns of a table, declared once, used as plain objects or as NumPy memory.

A struct is a class whose annotations name its fields. A field is a whole number, another struct,
or a list of either with a fixed length:

    class Seat(Struct):
        points: int
        stock: Pile
        piles: Annotated[list[Pile], 3]

`Seat()` is an ordinary object with all numbers zero. `upcard.core.memory.dtype_of(Seat)` is the
same thing as one block of memory, which compiled rules work on.
"""

from __future__ import annotations

__all__ = ["PLAIN_ONLY", "WIDTH", "Field", "Struct", "assign", "copy", "fields", "to_plain"]

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_args, get_origin, get_type_hints

from upcard.core.errors import FieldError

# The width of all integer fields, in bits. Compiled arithmetic uses 64 bits, plain arithmetic is unlimited,
# and stored values always fit, so neither ever wraps.
WIDTH = 32

# Marks an attribute that only plain objects have: `events: Annotated[..., PLAIN_ONLY] = None`.
PLAIN_ONLY = "plain only"

AnyStruct = TypeVar("AnyStruct", bound="Struct")


@dataclass(frozen=True)
class Field:
    """One field: a `struct` (None: a whole number), or a list of them if it has a `length`."""

    struct: type[Struct] | None
    length: int | None


def _field(owner: type[Struct], name: str, hint: Any) -> Field:
    length = None
    if get_origin(hint) is Annotated:
        listed, length = get_args(hint)
        (hint,) = get_args(listed)
    if hint is int:
        return Field(None, length)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return Field(hint, length)
    raise FieldError(f"{owner.__name__}.{name}: a field is an int, a Struct, or Annotated[list[...], length]")


class Struct:
    """Base of all structs. Two structs are equal when all their fields are."""

    _fields: ClassVar[dict[str, Field]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        hints = get_type_hints(cls, include_extras=True)
        cls._fields = {
            name: _field(cls, name, hint)
            for name, hint in hints.items()
            if get_origin(hint) is not ClassVar and PLAIN_ONLY not in get_args(hint)
        }
        if "__init__" not in vars(cls):
            cls.__init__ = _written(cls, "__init__", _zero)  # type: ignore[method-assign]
        cls._copy_into = _written(cls, "_copy_into", _same, "twin")  # type: ignore[method-assign]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Struct) or self._fields != other._fields:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._fields)

    __hash__ = None  # type: ignore[assignment]  # a struct is a place, not a value

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inside})"

    def copy(self) -> Self:
        """Return an independent copy."""
        return copy(self)

    def _copy_into(self, twin: Struct) -> None:
        """Copy the fields of this struct into another one."""
        raise NotImplementedError  # every subclass has its own


# Views are made at every event of every table, so each subclass gets methods that are generated for its
# fields: a loop over the fields takes several times as long.


def _written(kind: type[Struct], method: str, line: Callable[[str, Field], str], *others: str) -> Any:
    """Generate a method of a subclass, with a line for each field and these parameters besides self."""
    known: dict[str, Any] = {f"new_{name}": field.struct for name, field in kind._fields.items()}
    known["copy"] = copy
    lines = [line(name, field) for name, field in kind._fields.items()] or ["pass"]
    exec("\n    ".join([f"def {method}({', '.join(['self', *others])}):", *lines]), known)
    return known[method]


def _zero(name: str, field: Field) -> str:
    """In a new struct all numbers are zero."""
    if field.struct is None:
        return f"self.{name} = 0" if field.length is None else f"self.{name} = [0] * {field.length}"
    one = f"new_{name}()"
    return f"self.{name} = " + (one if field.length is None else f"[{', '.join([one] * field.length)}]")


def _same(name: str, field: Field) -> str:
    """A copy has the same numbers, in lists of its own."""
    if field.struct is None:
        return f"twin.{name} = self.{name}" + ("" if field.length is None else "[:]")
    return f"twin.{name} = " + (
        f"copy(self.{name})" if field.length is None else f"[copy(one) for one in self.{name}]"
    )


def fields(struct: type[Struct] | Struct) -> dict[str, Field]:
    """Return the fields of a struct, in order."""
    return struct._fields


def copy(struct: AnyStruct) -> AnyStruct:
    """Return an independent copy of a plain struct."""
    twin = object.__new__(type(struct))
    struct._copy_into(twin)
    return twin


def assign(target: AnyStruct, source: AnyStruct) -> None:
    """Copy one struct over another. Rules may call this; compiled, it is a single copy of memory."""
    source._copy_into(target)


def to_plain(struct: Struct) -> dict[str, Any]:
    """Return a struct as dictionaries, lists and whole numbers, ready for JSON."""

    def one(value: Any) -> Any:
        return to_plain(value) if isinstance(value, Struct) else int(value)

    return {
        name: one(getattr(struct, name))
        if field.length is None
        else [one(value) for value in getattr(struct, name)]
        for name, field in struct._fields.items()
    }
