"""The types of values in rules, as far as they affect the JavaScript."""

from __future__ import annotations

__all__ = [
    "FLAG",
    "FLOAT",
    "NONE",
    "NUMBER",
    "WIDE",
    "Constants",
    "Flag",
    "Float",
    "Items",
    "NoneValue",
    "Number",
    "Place",
    "Several",
    "Type",
    "documented",
    "is_number",
    "joined",
    "of_annotation",
]

import inspect
from dataclasses import dataclass
from typing import Any

from upcard.core.struct import Struct


@dataclass(frozen=True)
class Number:
    """A whole number. A wide one may need more than 32 bits, but never more than 53."""

    wide: bool = False


@dataclass(frozen=True)
class Flag:
    """True or false."""


@dataclass(frozen=True)
class Float:
    """A number that may have a fraction."""


@dataclass(frozen=True)
class NoneValue:
    """None: the result of a function without a result, or an omitted argument."""


@dataclass(frozen=True)
class Place:
    """The address of a struct."""

    struct: type[Struct]


@dataclass(frozen=True)
class Items:
    """The address of a list of structs, or of whole numbers (`struct` is None). The length is None if only
    the caller knows it."""

    struct: type[Struct] | None = None
    length: int | None = None


@dataclass(frozen=True)
class Constants:
    """A tuple of whole numbers that a module defines."""

    length: int


@dataclass(frozen=True)
class Several:
    """Several numbers that a function returns together."""

    count: int


Type = Number | Flag | Float | NoneValue | Place | Items | Constants | Several

NUMBER = Number()
WIDE = Number(wide=True)
FLAG = Flag()
FLOAT = Float()
NONE = NoneValue()


def is_number(type_: Type) -> bool:
    """Whether a value is a number; true and false count as 1 and 0."""
    return isinstance(type_, Number | Float | Flag)


def joined(one: Type, other: Type) -> Type | None:
    """Return the type of a variable that takes values of both types; None if there cannot be one."""
    if one == other:
        return one
    if not is_number(one) or not is_number(other):
        return None
    if FLOAT in (one, other):
        return FLOAT
    return WIDE if WIDE in (one, other) else NUMBER


def of_annotation(function: Any) -> Type | None:
    """Return the type of a return annotation; None if the annotation is not precise enough."""
    function = inspect.unwrap(function)
    hint = function.__annotations__.get("return", Any)
    if isinstance(hint, str):
        # Only this one: others may use names that are imported for type checking only.
        hint = eval(hint, function.__globals__)
    if hint in (int, bool, float):
        return FLAG if hint is bool else NUMBER if hint is int else FLOAT
    if hint is type(None):
        return NONE
    if isinstance(hint, type) and issubclass(hint, Struct):
        return Place(hint)
    arguments = getattr(hint, "__args__", ())
    if getattr(hint, "__origin__", None) is tuple and set(arguments) == {int}:
        return Several(len(arguments))
    return None


def documented(type_: Type) -> tuple[str, str]:
    """Return a type in JSDoc, with an explanation if necessary."""
    match type_:
        case Flag():
            return "boolean", ""
        case NoneValue():
            return "null", ""
        case Place(struct):
            return "number", f"place of a {struct.__name__}"
        case Items(None):
            return "number", "place of whole numbers"
        case Items(struct):
            return "number", f"place of structs {struct.__name__}" if struct else ""
        case Constants():
            return "readonly number[]", ""
        case Several():
            return "void", "several numbers, in RETURNED"
    return "number", ""
