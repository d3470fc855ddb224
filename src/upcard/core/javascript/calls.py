"""Calls of other rules, and of the few Python functions that rules may use."""

from __future__ import annotations

__all__ = ["Calls"]

import ast
import math
from collections.abc import Callable
from typing import Any

from upcard.core.javascript.code import Code, call
from upcard.core.javascript.operators import Operators
from upcard.core.javascript.types import (
    FLAG,
    FLOAT,
    NONE,
    NUMBER,
    WIDE,
    Constants,
    Items,
    Place,
    Several,
    Type,
    is_number,
)
from upcard.core.struct import assign


class Calls(Operators):
    """Calls of functions."""

    def expression(self, node: ast.expr) -> Code:
        """Return an expression in JavaScript."""
        raise NotImplementedError

    def called(self, node: ast.Call) -> Code:
        """Return a call in JavaScript."""
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
            raise self.refusal(node, "rules are called with plain arguments")
        function = self.global_value(node.func)
        if not callable(function):
            raise self.refusal(node, f"{ast.unparse(node.func)} is not a function")
        if function is len and isinstance(known := self.global_value(node.args[0]), tuple | str):
            return Code(str(len(known)))
        arguments = [self.expression(one) for one in node.args]
        builtin = self._builtin(node, function, arguments)
        if builtin is not None:
            return builtin
        if function is assign:
            return self._assign(node, *arguments)
        types = tuple(one.type for one in arguments)
        found = self.program.find(self, node, function, types)
        if found.module != self.module:
            self.use(found.module, found.name)
        return call(found.name, *arguments, type_=found.returns)

    def _builtin(self, node: ast.Call, function: Callable[..., Any], arguments: list[Code]) -> Code | None:
        """Return a call of a Python function; None for a function of ours."""
        if function is len:
            return self._length(node, arguments[0])
        if function not in (int, bool, min, max, abs, math.exp, math.log, math.sqrt):
            return None
        if not all(is_number(one.type) for one in arguments):
            raise self.refusal(node, f"{function.__name__} works on numbers only")
        if function is int:
            one = arguments[0]
            return call("Math.trunc", one) if one.type == FLOAT else self.as_number(one)
        if function is bool:
            return Code(f"!!{arguments[0].operand(12)}", FLAG, 12)
        types = {one.type for one in arguments}
        type_: Type = FLOAT if FLOAT in types else WIDE if WIDE in types else NUMBER
        if function not in (min, max, abs):
            type_ = FLOAT
        return call(f"Math.{function.__name__}", *map(self.as_number, arguments), type_=type_)

    def _length(self, node: ast.AST, items: Code) -> Code:
        if not isinstance(items.type, Items | Constants) or items.type.length is None:
            raise self.refusal(node, "only lists of a fixed length have one")
        return Code(str(items.type.length))

    def _assign(self, node: ast.AST, target: Code, source: Code) -> Code:
        """Return a copy of a struct's memory, as the compiler does."""
        if not isinstance(target.type, Place) or target.type != source.type:
            raise self.refusal(node, "`assign` copies between structs of the same kind")
        self.use("memory", "copy")
        return call("copy", target, source, self.size(target.type.struct), type_=NONE)

    def returned(self, type_: Several) -> list[Code]:
        """Return the numbers that the last call has returned."""
        self.use("memory", "RETURNED")
        return [Code(f"RETURNED[{place}]", NUMBER) for place in range(type_.count)]
