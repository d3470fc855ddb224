"""Values of Python modules as JavaScript: constants are written as values, not as the expressions that define
them."""

from __future__ import annotations

__all__ = ["literal", "quoted"]

import dataclasses
import inspect
import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any


def quoted(value: Any) -> str:
    """Return a plain value as a JavaScript literal."""
    if isinstance(value, bytes):
        return f"new Uint8Array([{', '.join(map(str, value))}])"
    return json.dumps(value, ensure_ascii=False)


def literal(value: Any, name_of: Callable[[Any], str]) -> str:
    """Return any value that a module can define; `name_of` names functions, classes and enum members."""
    if isinstance(value, Enum) or inspect.isfunction(value) or isinstance(value, type):
        return name_of(value)
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return quoted(value)
    if isinstance(value, range):
        return literal(list(value), name_of)
    if isinstance(value, tuple | list):
        return f"[{', '.join(literal(one, name_of) for one in value)}]"
    if isinstance(value, Mapping):
        parts = [f"{_key(key)}: {literal(one, name_of)}" for key, one in value.items()]
        return f"{{ {', '.join(parts)} }}" if parts else "{}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = list(inspect.signature(type(value)).parameters)
        written = [literal(getattr(value, name), name_of) for name in names]
        return f"new {name_of(type(value))}({', '.join(written)})"
    if hasattr(value, "__wrapped__"):
        return name_of(value)
    raise TypeError(f"{value!r:.60} cannot be written as JavaScript")


def _key(key: Any) -> str:
    if isinstance(key, Enum | int):
        return f"[{int(key.value if isinstance(key, Enum) else key)}]"
    return key if isinstance(key, str) and key.isidentifier() else quoted(key)
