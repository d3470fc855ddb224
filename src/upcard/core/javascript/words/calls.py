"""Calls in words, with keyword arguments put in order, since JavaScript has none."""

from __future__ import annotations

__all__ = ["Calls"]

import ast
import inspect
import types
import typing
from collections.abc import Callable
from enum import Enum
from typing import Any

from upcard.core.javascript.code import ATOM
from upcard.core.javascript.words import hints
from upcard.core.javascript.words.comprehensions import Comprehensions
from upcard.core.javascript.words.natives import BUILTINS, METHODS
from upcard.core.javascript.words.scope import UNKNOWN, Piece

NAMES = {
    int: '"int"',
    float: '"float"',
    bool: '"bool"',
    str: '"str"',
    list: '"list"',
    tuple: '"list"',
    dict: '"dict"',
    bytes: '"bytes"',
}

EAGER = (list, tuple, dict, set, frozenset, sorted, sum, min, max, len, reversed)


class Calls(Comprehensions):
    """Calls of functions, classes and methods."""

    def call(self, node: ast.Call) -> Piece:
        """Return a call in JavaScript."""
        value = self.value_of(node.func)
        if value in EAGER or (isinstance(node.func, ast.Attribute) and node.func.attr in ("join", "extend")):
            # They consume all items, so laziness is not necessary.
            listed = [
                ast.ListComp(a.elt, a.generators) if isinstance(a, ast.GeneratorExp) else a for a in node.args
            ]
            node = ast.copy_location(ast.Call(node.func, listed, node.keywords), node)
        if value is super:
            return Piece("super")
        if value is UNKNOWN:
            return self._method(node)
        if value in (any, all) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self.some_or_every(node.args[0], "some" if value is any else "every")
        if isinstance(value, type) and value in (set, frozenset):
            items = self.argument(self.expression(node.args[0])) if node.args else ""
            return Piece(f"new {self.python('Members')}({items})", set)
        if value is isinstance:
            return self._isinstance(node)
        if value is hasattr and isinstance(node.args[1], ast.Constant) and node.args[1].value == "__index__":
            # Values that can be used as whole numbers.
            return Piece(f'{self.python("isinstance")}({self.expression(node.args[0])}, "int")', bool)
        if value is getattr or value is setattr:
            return self._attribute(node, value is setattr)
        if value in (min, max, abs):
            return self._extreme(node, value)
        if value in BUILTINS:
            return self._builtin(node, value)
        if isinstance(value, type) and issubclass(value, Enum):
            return Piece(f"{self.expression(node.func)}.of({self.expression(node.args[0])})", value)
        if typing.is_typeddict(value):
            parts = [f"{one.arg}: {self.argument(self.expression(one.value))}" for one in node.keywords]
            return Piece(f"{{ {', '.join(parts)} }}", dict)
        if isinstance(value, type):
            arguments = self._arguments(node, _constructor(value))
            return Piece(f"new {self.expression(node.func)}({arguments})", value)
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        function = inspect.unwrap(value)
        arguments = self._arguments(node, inspect.signature(function))
        return Piece(f"{self.expression(node.func)}({arguments})", hints.returned(function))

    def items(self, items: list[ast.expr]) -> list[str]:
        """Return the items of a list, or arguments."""
        return [self._item(item) for item in items]

    def _item(self, item: ast.expr) -> str:
        if not isinstance(item, ast.Starred):
            return self.argument(self.expression(item))
        listed = item.value
        if isinstance(listed, ast.GeneratorExp):
            listed = ast.ListComp(listed.elt, listed.generators)
        return f"...{self.each(self.expression(listed))}"

    def _builtin(self, node: ast.Call, value: Any) -> Piece:
        name, parameters = BUILTINS[value]
        positional = self.items(node.args)
        named = {one.arg: self.argument(self.expression(one.value)) for one in node.keywords}
        for ignored in ("strict", "ensure_ascii"):
            named.pop(ignored, None)
        if name == "second":
            return Piece(positional[1])
        if name == "replace":
            changes = ", ".join(f"{key}: {written}" for key, written in named.items())
            return Piece(f"{self.python(name)}({positional[0]}, {{ {changes} }})", self.hint_of(node.args[0]))
        for parameter in parameters[len(positional) :]:
            if named:
                positional.append(named.pop(parameter, "undefined"))
        if named:
            raise self.refusal(node, f"{name} does not take {', '.join(map(str, named))} in words")
        hint: Any = {"len": int, "sum": int, "int": int, "str": str, "repr": str, "truth": bool}.get(
            name, Any
        )
        if name in ("sorted", "list", "reversed") and node.args:
            hint = hints.list_of(hints.item(self.hint_of(node.args[0])))
        if name == "range":
            hint = list[int]
        return Piece(f"{self.python(name)}({', '.join(positional)})", hint)

    def _extreme(self, node: ast.Call, value: Any) -> Piece:
        """Return the least or the largest of some arguments, or of a list."""
        if value is abs or (len(node.args) > 1 and not node.keywords):
            return Piece(f"Math.{value.__name__}({', '.join(self.items(node.args))})", int)
        named = {one.arg: self.argument(self.expression(one.value)) for one in node.keywords}
        listed = self.argument(self.expression(node.args[0]))
        more = f", {named.get('key', 'null')}, {named['default']}" if "default" in named else ""
        if not more and "key" in named:
            more = f", {named['key']}"
        hint = hints.item(self.hint_of(node.args[0])) if not named else Any
        return Piece(f"{self.python(value.__name__)}({listed}{more})", hint)

    def _isinstance(self, node: ast.Call) -> Piece:
        kinds = node.args[1]
        found = [kinds]
        while isinstance(found[0], ast.BinOp):
            found = [found[0].left, found[0].right, *found[1:]]
        if isinstance(kinds, ast.Tuple):
            found = kinds.elts
        written = [NAMES.get(self.value_of(one)) or str(self.expression(one)) for one in found]
        listed = written[0] if len(written) == 1 else f"[{', '.join(written)}]"
        return Piece(f"{self.python('isinstance')}({self.expression(node.args[0])}, {listed})", bool)

    def _attribute(self, node: ast.Call, is_set: bool) -> Piece:
        owner, name = self.expression(node.args[0]), self.expression(node.args[1])
        place = f"{owner.within(ATOM)}[{name}]"
        return Piece(f"{place} = {self.expression(node.args[2])}" if is_set else place)

    def _method(self, node: ast.Call) -> Piece:
        """Return a call of a method, or of a function in a variable."""
        if not isinstance(node.func, ast.Attribute):
            function = self.expression(node.func)
            made = hints.get_origin(function.hint) is type
            return Piece(f"{'new ' if made else ''}{function.within(ATOM)}({self._plain(node)})")
        owner, name = self.expression(node.func.value), node.func.attr
        if owner.text == "super":
            inherited = self._inherited(name)
            arguments = self._arguments(node, inherited)
            return Piece(f"super({arguments})" if name == "__init__" else f"super.{name}({arguments})")
        found = self._found_method(owner.hint, name)
        if found is not None:
            arguments = self._arguments(node, _without_self(found))
            return Piece(f"{owner.within(ATOM)}.{name}({arguments})", hints.returned(found))
        hint = hints.attribute(owner.hint, name)
        if hints.get_origin(hint) is type:
            (kind,) = hints.get_args(hint)
            return Piece(f"new ({owner.within(ATOM)}.{name})({self._plain(node)})", kind)
        called = hints.get_args(hint) if hints.get_origin(hint) is Callable else ()
        if hints.get_origin(hint) in (Callable, types.FunctionType) or str(hint).startswith(
            "collections.abc.Call"
        ):
            return Piece(
                f"{owner.within(ATOM)}.{name}({self._plain(node)})", called[-1] if called else _result(hint)
            )
        if name not in METHODS:
            return Piece(f"{owner.within(ATOM)}.{name}({self._plain(node)})")
        more = "".join(f", {one}" for one in self.items(node.args))
        result: Any = METHODS[name]
        if name == "copy":
            result = owner.hint
        if name in ("get", "pop", "popleft") and hints.get_args(owner.hint):
            result = Any
        return Piece(f'{self.python("method")}({owner}, "{name}"{more})', result)

    def _found_method(self, hint: Any, name: str) -> Callable[..., Any] | None:
        """Return the method of a class of ours."""
        for kind in hints.classes(hint):
            value = inspect.getattr_static(kind, name, None)
            if isinstance(value, staticmethod | classmethod):
                value = value.__func__
            if inspect.isfunction(value):
                return value
        return None

    def _inherited(self, name: str) -> inspect.Signature:
        """Return the signature of the method that a class inherits."""
        return self.module.inherited(self, name)

    def _plain(self, node: ast.Call) -> str:
        if node.keywords:
            raise self.refusal(node, f"it is not known what {ast.unparse(node.func)} calls its arguments")
        return ", ".join(self.items(node.args))

    def _arguments(self, node: ast.Call, signature: inspect.Signature) -> str:
        """Return arguments in the order of the parameters."""
        positional = self.items(node.args)
        named = {one.arg: self.argument(self.expression(one.value)) for one in node.keywords if one.arg}
        spread = [f"...{self.expression(one.value)}" for one in node.keywords if one.arg is None]
        collected = any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())
        if not named and not (spread and collected):
            return ", ".join(positional)
        rest = list(signature.parameters.values())[len(positional) :]
        for parameter in rest:
            if parameter.kind is parameter.VAR_KEYWORD:
                fields = [f"{name}: {written}" for name, written in named.items()] + spread
                positional.append(f"{{ {', '.join(fields)} }}")
                named = {}
            elif parameter.kind is not parameter.VAR_POSITIONAL:
                positional.append(named.pop(parameter.name, "undefined"))
        if named:
            raise self.refusal(node, f"{ast.unparse(node.func)} has no parameter {', '.join(named)}")
        while positional and positional[-1] == "undefined":
            positional.pop()
        return ", ".join(positional)


def _constructor(kind: type) -> inspect.Signature:
    """Return the parameters of a class; an error that does not declare any accepts all."""
    try:
        return inspect.signature(kind)
    except ValueError:
        return inspect.Signature([inspect.Parameter("what", inspect.Parameter.VAR_POSITIONAL)])


def _without_self(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    names = list(signature.parameters)
    if names and names[0] in ("self", "cls"):
        return signature.replace(parameters=list(signature.parameters.values())[1:])
    return signature


def _result(hint: Any) -> Any:
    arguments = hints.get_args(hint)
    return arguments[-1] if arguments else Any
