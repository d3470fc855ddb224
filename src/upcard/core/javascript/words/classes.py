"""Classes of words as JavaScript: ordinary ones, dataclasses, enumerations and structs."""

from __future__ import annotations

__all__ = ["written_class"]

import dataclasses
import inspect
from abc import ABC
from enum import Enum, IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol

from upcard.core.javascript.layout import offset_of, size_of
from upcard.core.javascript.scope import javascript_name
from upcard.core.javascript.words.definitions import Method
from upcard.core.javascript.words.natives import EXCEPTIONS, LEFT_OUT
from upcard.core.javascript.words.statements import INDENT
from upcard.core.struct import Struct, fields

if TYPE_CHECKING:
    from upcard.core.javascript.words.package import WordsModule


def written_class(module: WordsModule, kind: type) -> str:
    """Return a class, with all its methods."""
    base = _base(module, kind)
    about = inspect.getdoc(kind) or ""
    lines = ["/**", *(f" * {line}".rstrip() for line in about.splitlines()), " */"]
    lines.append(f"export class {javascript_name(kind.__name__)}{f' extends {base}' if base else ''} {{")
    body: list[str] = []
    if issubclass(kind, Enum):
        for name, member in _members(kind).items():
            body.append(
                f'static {name} = new {javascript_name(kind.__name__)}("{name}", {int(member.value)});'
            )
    elif dataclasses.is_dataclass(kind):
        body += _constructor(module, kind, bool(base))
    elif not issubclass(kind, Struct):
        body += _constants(module, kind)
    else:
        body += [f"{name} = null;" for name in _plain_only(kind)]
    for name, value in vars(kind).items():
        body += _method(module, kind, name, value)
    lines += [INDENT + line if line else "" for line in body]
    lines += ["}", ""]
    if issubclass(kind, Struct):
        lines += [_definition(module, kind), ""]
    return "\n".join(lines)


def _base(module: WordsModule, kind: type) -> str:
    """Return the base class of a class; JavaScript allows at most one."""
    for base in kind.__bases__:
        if base in (object, ABC, Generic, Protocol):
            continue
        if base is IntEnum:
            return f"{module.namespace('python', 'py')}.IntEnum"
        if base is Struct:
            return module.imported("structs", "Struct")
        if base in EXCEPTIONS:
            return EXCEPTIONS[base]
        return module.refer(base, base.__name__)
    return ""


def _members(kind: type[Enum]) -> dict[str, Any]:
    return {name: member for name, member in kind.__members__.items() if member.name == name}


def _constants(module: WordsModule, kind: type) -> list[str]:
    """Return the class attributes."""
    found = []
    for name, value in vars(kind).items():
        plain = isinstance(value, int | str | float | tuple) and not name.startswith("__")
        if plain:
            found.append(f"static {name} = {module.literal(value)};")
            found.append(f"{name} = {javascript_name(kind.__name__)}.{name};")
    return found


def _plain_only(kind: type[Struct]) -> list[str]:
    """Return the attributes of a struct that are not in memory."""
    own = vars(kind).get("__annotations__", {})
    return [name for name in own if name not in fields(kind) and vars(kind).get(name, 0) is None]


def _constructor(module: WordsModule, kind: type, has_base: bool) -> list[str]:
    """Return the constructor of a dataclass."""
    known = {field.name: field for field in dataclasses.fields(kind) if field.init}
    order = [name for name in inspect.signature(kind).parameters if name in known]
    inherited: list[str] = []
    if has_base and dataclasses.is_dataclass(kind.__mro__[1]):
        inherited = list(inspect.signature(kind.__mro__[1]).parameters)
    lines = [f"constructor({', '.join(_parameter(module, known[name]) for name in order)}) {{"]
    if has_base:
        lines.append(f"{INDENT}super({', '.join(inherited)});")
    lines += [f"{INDENT}this.{name} = {javascript_name(name)};" for name in order if name not in inherited]
    return [*lines, "}", ""]


def _parameter(module: WordsModule, field: dataclasses.Field[Any]) -> str:
    name = javascript_name(field.name)
    if field.default is not dataclasses.MISSING:
        return f"{name} = {module.literal(field.default)}"
    if field.default_factory is not dataclasses.MISSING:
        empty = {dict: "{}", list: "[]"}.get(field.default_factory)  # type: ignore[call-overload]
        return f"{name} = {empty or module.refer(field.default_factory, field.name) + '()'}"
    return name


def _method(module: WordsModule, kind: type, name: str, value: Any) -> list[str]:
    """Return a method or a property; nothing for other attributes, or those that only Python needs."""
    if name in LEFT_OUT or f"{kind.__module__}.{kind.__qualname__}.{name}" in LEFT_OUT:
        return []
    prefix, function = "", value
    if isinstance(value, property):
        prefix, function = "get ", value.fget
    elif isinstance(value, cached_property):
        prefix, function = "get ", value.func
    elif isinstance(value, staticmethod | classmethod):
        prefix, function = "static ", value.__func__
    function = inspect.unwrap(function) if callable(function) else function
    is_ours = inspect.isfunction(function) and function.__code__.co_filename == inspect.getfile(kind)
    if not is_ours or getattr(function, "__isabstractmethod__", False):
        return []
    if name == "__init__":
        name = "constructor"
    method = Method(module, function, kind)
    star = "*" if method.is_generator else ""
    lines = [*method.comment(), f"{prefix}{star}{name}({method.head()}) {{"]
    body = method.body()
    if isinstance(value, cached_property):
        py = module.namespace("python", "py")
        body = [f'return {py}.cached(this, "{name}", () => {{', *(INDENT + line for line in body), "});"]
    return [*lines, *(INDENT + line for line in body), "}", ""]


def _definition(module: WordsModule, kind: type[Struct]) -> str:
    """Return the call that gives a struct its fields."""
    parts = []
    for name, field in fields(kind).items():
        about: list[object] = [offset_of(kind, name)]
        if field.length is not None:
            about.append(field.length)
        elif field.struct is not None:
            about.append("null")
        if field.struct is not None:
            about.append(module.refer(field.struct, field.struct.__name__))
        parts.append(f"{name}: [{', '.join(map(str, about))}]")
    define, name = module.imported("structs", "define"), javascript_name(kind.__name__)
    return f"{define}({name}, {size_of(kind)}, {{ {', '.join(parts)} }});"
