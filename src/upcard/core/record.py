"""Records: the nouns of a table, declared once, used as plain objects or as NumPy memory.

A record is a class whose annotations name its fields. A field is a whole number, another record,
or a list of either with a fixed length:

    class Seat(Record):
        chips: int
        stock: Pile
        stacks: Annotated[list[Pile], 3]

`Seat()` is an ordinary object with all numbers zero. `upcard.core.memory.dtype_of(Seat)` is the
same thing as one block of memory, which compiled rules work on.
"""

from __future__ import annotations

__all__ = ["PLAIN_ONLY", "WIDTH", "Field", "Record", "assign", "copy", "fields", "from_plain", "to_plain"]

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_args, get_origin, get_type_hints

from upcard.core.errors import FieldError

# One integer width everywhere, in bits. Compiled arithmetic is done in 64 bits whatever the field,
# plain arithmetic has no limit, and what is stored always fits: so neither ever wraps.
WIDTH = 32

# Marks an attribute that only plain objects have: `news: Annotated[..., PLAIN_ONLY] = None`.
PLAIN_ONLY = "plain only"

AnyRecord = TypeVar("AnyRecord", bound="Record")


@dataclass(frozen=True)
class Field:
    """One field: of `record` (None: a whole number), `length` of them (None: just one)."""

    record: type[Record] | None
    length: int | None


def _field(owner: type[Record], name: str, hint: Any) -> Field:
    length = None
    if get_origin(hint) is Annotated:
        listed, length = get_args(hint)
        (hint,) = get_args(listed)
    if hint is int:
        return Field(None, length)
    if isinstance(hint, type) and issubclass(hint, Record):
        return Field(hint, length)
    raise FieldError(f"{owner.__name__}.{name}: a field is an int, a Record, or Annotated[list[...], length]")


class Record:
    """Base of all records. Two records are equal when all their fields are."""

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
        if not isinstance(other, Record) or self._fields != other._fields:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._fields)

    __hash__ = None  # type: ignore[assignment]  # a record is a place, not a value

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({inside})"

    def copy(self) -> Self:
        """Return an independent copy."""
        return copy(self)

    def _copy_into(self, twin: Record) -> None:
        """Make another record equal to this one."""
        raise NotImplementedError  # every kind of record has its own


# Views are made at every event of every table. So each kind of record has methods that are written for its
# fields, as one would by hand: to go through the fields each time takes several times as long.


def _written(kind: type[Record], method: str, line: Callable[[str, Field], str], *others: str) -> Any:
    """Return a method of a kind of record, with a line for each field and these parameters besides self."""
    known: dict[str, Any] = {f"new_{name}": field.record for name, field in kind._fields.items()}
    known["copy"] = copy
    lines = [line(name, field) for name, field in kind._fields.items()] or ["pass"]
    exec("\n    ".join([f"def {method}({', '.join(['self', *others])}):", *lines]), known)
    return known[method]


def _zero(name: str, field: Field) -> str:
    """In a new record all numbers are zero."""
    if field.record is None:
        return f"self.{name} = 0" if field.length is None else f"self.{name} = [0] * {field.length}"
    one = f"new_{name}()"
    return f"self.{name} = " + (one if field.length is None else f"[{', '.join([one] * field.length)}]")


def _same(name: str, field: Field) -> str:
    """A copy has the same numbers, in lists of its own."""
    if field.record is None:
        return f"twin.{name} = self.{name}" + ("" if field.length is None else "[:]")
    return f"twin.{name} = " + (
        f"copy(self.{name})" if field.length is None else f"[copy(one) for one in self.{name}]"
    )


def fields(record: type[Record] | Record) -> dict[str, Field]:
    """Return the fields of a record, in their order."""
    return record._fields


def copy(record: AnyRecord) -> AnyRecord:
    """Return an independent copy of a plain record."""
    twin = object.__new__(type(record))
    record._copy_into(twin)
    return twin


def assign(target: AnyRecord, source: AnyRecord) -> None:
    """Make one record equal to another. Rules may call this; compiled, it is one copy of memory."""
    source._copy_into(target)


def to_plain(record: Record) -> dict[str, Any]:
    """Return the record as dictionaries, lists and whole numbers, ready for JSON."""

    def one(value: Any) -> Any:
        return to_plain(value) if isinstance(value, Record) else int(value)

    return {
        name: one(getattr(record, name))
        if field.length is None
        else [one(value) for value in getattr(record, name)]
        for name, field in record._fields.items()
    }


def from_plain(kind: type[AnyRecord], values: dict[str, Any]) -> AnyRecord:
    """Return the record that `to_plain` turned into `values`."""
    record = kind()
    for name, field in kind._fields.items():
        value = values[name]
        if field.record is None:
            setattr(record, name, value if field.length is None else list(value))
        elif field.length is None:
            setattr(record, name, from_plain(field.record, value))
        else:
            setattr(record, name, [from_plain(field.record, item) for item in value])
    return record
