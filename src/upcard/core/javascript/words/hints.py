"""Type hints of values, as far as they allow better JavaScript."""

from __future__ import annotations

__all__ = [
    "attribute",
    "classes",
    "evaluated",
    "get_args",
    "get_origin",
    "is_flag",
    "is_number",
    "is_plain",
    "is_text",
    "item",
    "list_of",
    "returned",
    "truth_is_the_same",
]

import inspect
import types
from collections.abc import Callable
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, Union, get_args, get_origin

from upcard.core.struct import Struct, fields

PLAIN = (int, float, bool, str, type(None))


def classes(hint: Any) -> set[Any]:
    """Return the possible classes of a value; an empty set if they are unknown."""
    if hint is None:
        return {type(None)}
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        found = [classes(one) for one in get_args(hint)]
        return set().union(*found) if all(found) else set()
    if origin is Annotated:
        return classes(get_args(hint)[0])
    if isinstance(origin, type):
        return {origin}
    return {hint} if isinstance(hint, type) else set()


def is_plain(hint: Any) -> bool:
    """Whether a value is a number, a text, a Boolean or None, which JavaScript compares in the same way."""
    found = classes(hint)
    return bool(found) and all(one in PLAIN for one in found)


def is_text(hint: Any) -> bool:
    """Whether a value is a text."""
    return classes(hint) == {str}


def is_number(hint: Any) -> bool:
    """Whether a value is a number."""
    found = classes(hint)
    return bool(found) and found <= {int, float}


def is_flag(hint: Any) -> bool:
    """Whether a value is a Boolean."""
    return classes(hint) == {bool}


def truth_is_the_same(hint: Any) -> bool:
    """Whether JavaScript and Python agree on the truth of a value, which they do not for empty lists."""
    found = classes(hint)
    return bool(found) and all(one in PLAIN or _is_object(one) for one in found)


def _is_object(kind: type) -> bool:
    ours = not issubclass(kind, Enum) and (hasattr(kind, "__dataclass_fields__") or issubclass(kind, Struct))
    return ours and not hasattr(kind, "__len__") and not hasattr(kind, "__bool__")


def list_of(hint: Any) -> Any:
    """Return the hint of a list of such values."""
    return types.GenericAlias(list, (hint,)) if isinstance(hint, type) else list


def item(hint: Any) -> Any:
    """Return the hint of the items of a list."""
    arguments = [one for one in get_args(hint) if one is not Ellipsis]
    kinds = classes(hint)
    if kinds == {str}:
        return str
    return arguments[0] if len(arguments) == 1 or (kinds == {tuple} and len(set(arguments)) == 1) else Any


def attribute(hint: Any, name: str) -> Any:
    """Return the hint of an attribute of a value."""
    found = [_of_class(kind, name) for kind in classes(hint) - {type(None)}]
    return found[0] if found and all(one == found[0] for one in found) else Any


def _of_class(kind: type, name: str) -> Any:
    if issubclass(kind, Struct) and name in fields(kind):
        field = fields(kind)[name]
        one: Any = int if field.struct is None else field.struct
        return one if field.length is None else list[one]
    value = inspect.getattr_static(kind, name, None)
    if isinstance(value, property) and value.fget is not None:
        return returned(value.fget)
    if isinstance(value, cached_property):
        return returned(value.func)
    for owner in kind.__mro__:
        written = inspect.get_annotations(owner).get(name)
        if written is not None:
            return evaluated(written, vars(inspect.getmodule(owner)))
    return Any


def returned(function: Callable[..., Any]) -> Any:
    """Return the hint of a function's result."""
    function = inspect.unwrap(function)
    written = getattr(function, "__annotations__", {}).get("return", Any)
    return evaluated(written, getattr(function, "__globals__", {}))


def evaluated(written: Any, names: dict[str, Any]) -> Any:
    if not isinstance(written, str):
        return written
    return _eval(written, names)


def _eval(written: str, names: dict[str, Any]) -> Any:
    try:
        return eval(written, names)
    except NameError:
        # It is imported for type checking only.
        return Any
