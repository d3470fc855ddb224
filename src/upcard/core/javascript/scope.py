"""The scope of a function during translation: its variables, its module, and the location of errors."""

from __future__ import annotations

__all__ = ["RESERVED", "Scope", "javascript_name"]

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable
from enum import IntEnum
from types import ModuleType
from typing import TYPE_CHECKING, Any

from upcard.core.javascript.code import ATOM, UNARY, Code, call
from upcard.core.javascript.declarations import Declarations
from upcard.core.javascript.errors import TranslationError
from upcard.core.javascript.layout import size_of
from upcard.core.javascript.types import FLAG, FLOAT, NUMBER, WIDE, Constants, Type, joined
from upcard.core.struct import Struct

if TYPE_CHECKING:
    from upcard.core.javascript.program import Program

# Reserved words of JavaScript, and names that modules use for other things.
_RESERVED = """
    arguments await break case catch class const continue debugger default delete do else enum eval export
    extends false finally for function if implements import in instanceof interface let new null package
    private protected public return static super switch this throw true try typeof var void while with yield
    M RETURNED Math Number copy memory returned
"""
RESERVED = frozenset(_RESERVED.split())
LARGEST = 2**31 - 1


def javascript_name(name: str) -> str:
    """Return a Python name in a form that JavaScript allows."""
    return f"{name}$" if name in RESERVED else name


class Scope:
    """One function, for arguments of certain types."""

    def __init__(
        self, program: Program, module: str, function: Callable[..., Any], arguments: tuple[Type, ...]
    ) -> None:
        self.program = program
        self.module = module
        self.function = function
        lines, self.first_line = inspect.getsourcelines(function)
        self.lines = textwrap.dedent("".join(lines)).splitlines()
        (tree,) = ast.parse("\n".join(self.lines)).body
        assert isinstance(tree, ast.FunctionDef)
        self.tree = tree
        names = [argument.arg for argument in tree.args.args]
        if tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or len(names) != len(arguments):
            raise self.refusal(
                tree, f"{function.__name__} takes {len(names)} plain arguments, not {len(arguments)}"
            )
        self.parameters = dict(zip(names, arguments, strict=True))
        self.variables: dict[str, Type] = dict(self.parameters)
        self.locals = frozenset(function.__code__.co_varnames)
        self.declarations = Declarations(tree)
        self.returns: Type | None = None
        self.temporaries = 0
        # Variables that are declared in the head of a loop.
        self.in_heads: set[str] = set()

    def refusal(self, node: ast.AST, reason: str) -> TranslationError:
        """Return the error for a part of the function without a translation."""
        return TranslationError.at(inspect.getfile(self.function), self.first_line, node, reason)

    def where(self, node: ast.AST) -> str:
        """Return the file and line of a part of the function, as JavaScript."""
        line = self.first_line + getattr(node, "lineno", 1) - 1
        return f'"{self.function.__module__}:{line}"'

    def use(self, module: str, name: str) -> None:
        """Record that the function needs a name of another module."""
        self.program.use(self.module, module, name)

    def checked_by(self, check: str, code: Code, node: ast.AST, *more: object) -> Code:
        """Return a value with its check, in modules with checks."""
        if not self.program.checked or self.constant_of(code) is not None:
            return code
        self.use("numbers", check)
        return call(check, code, *more, self.where(node), type_=code.type)

    # Variables

    def local(self, name: str) -> str:
        """Return a variable's name in JavaScript."""
        return f"{name}$" if name in RESERVED or name in self.program.taken else name

    def temporary(self) -> str:
        """Return the name of a new variable."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    def assign_type(self, node: ast.AST, name: str, type_: Type) -> None:
        """Record that a variable is assigned a value of this type."""
        known = self.variables.get(name)
        both = type_ if known is None else joined(known, type_)
        if both is None:
            raise self.refusal(node, f"{name} is once {known} and once {type_}")
        self.variables[name] = both

    # Names of modules

    def global_value(self, node: ast.expr) -> Any:
        """Return the value of a global name, or of an attribute of a module or class; None for a variable."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            if node.id in self.function.__globals__:
                return self.function.__globals__[node.id]
            found = getattr(builtins, node.id, None)
            if found is None:
                raise self.refusal(node, f"there is nothing called {node.id}")
            return found
        if isinstance(node, ast.Attribute):
            owner = (
                self.global_value(node.value) if isinstance(node.value, ast.Name | ast.Attribute) else None
            )
            if isinstance(owner, ModuleType | type):
                return getattr(owner, node.attr)
        return None

    def constant(self, node: ast.AST, name: str, value: Any) -> Code:
        """Return a named constant of Python, under the same name."""
        if isinstance(value, bool):
            return Code("true" if value else "false", FLAG)
        if isinstance(value, int):
            written = name if isinstance(value, IntEnum) else name.rpartition(".")[2]
            code = self.program.constant(self.module, written.replace(".", "_"), str(int(value)))
            return Code(code, NUMBER if abs(int(value)) <= LARGEST else WIDE)
        if isinstance(value, float):
            return Code(self.program.constant(self.module, name, repr(value)), FLOAT)
        if isinstance(value, tuple) and value and all(isinstance(one, int) for one in value):
            written = f"[{', '.join(str(int(one)) for one in value)}]"
            return Code(self.program.constant(self.module, name, written), Constants(len(value)))
        raise self.refusal(node, f"{name} is neither a number nor a tuple of numbers")

    def size(self, struct: type[Struct]) -> str:
        """Return the constant with the size of a struct in numbers."""
        return self.program.constant(self.module, f"{struct.__name__}_size", str(size_of(struct)))

    def literal(self, node: ast.Constant) -> Code:
        """Return a number as a literal."""
        value = node.value
        if isinstance(value, bool):
            return Code("true" if value else "false", FLAG)
        if isinstance(value, int):
            type_ = NUMBER if abs(value) <= LARGEST else WIDE
            return Code(str(value), type_, UNARY if value < 0 else ATOM)
        if isinstance(value, float):
            return Code(repr(value), FLOAT)
        raise self.refusal(node, f"{value!r} is not a number")

    def constant_of(self, code: Code) -> int | None:
        """Return the integer value of constant code, None for other code."""
        text = self.program.value_of(self.module, code.text)
        if code.offsets or code.type not in (NUMBER, WIDE):
            return None
        return int(text) if text.removeprefix("-").isdigit() else None
