"""The types of the values in rules, as far as they decide which JavaScript is written."""

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
    """A number that need not be whole."""


@dataclass(frozen=True)
class NoneValue:
    """None: what a function without a result returns, and an argument that is left out."""


@dataclass(frozen=True)
class Place:
    """Where a struct begins in memory."""

    struct: type[Struct]


@dataclass(frozen=True)
class Items:
    """Where a list begins in memory: of structs, or of whole numbers (`struct` is None). The length is None
    where only the caller knows it."""

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
    """Tell whether a value is a number, whole or not; true and false count as 1 and 0."""
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
    """Return the type that a function says it returns; None where that is not enough to know it."""
    function = inspect.unwrap(function)
    hint = function.__annotations__.get("return", Any)
    if isinstance(hint, str):
        # Only this one: others may name what is imported for the types alone.
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
    """Return a type as JSDoc has it, and what it stands for if that says too little."""
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
