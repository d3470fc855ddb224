"""The scope of a function of words during translation: its variables, names and module."""

from __future__ import annotations

__all__ = ["Piece", "Scope"]

import ast
import builtins
import inspect
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from upcard.core.javascript.code import ATOM, CONDITION
from upcard.core.javascript.errors import TranslationError
from upcard.core.javascript.scope import RESERVED
from upcard.core.javascript.words import hints

if TYPE_CHECKING:
    from upcard.core.javascript.words.package import WordsModule

UNKNOWN = object()


@dataclass(frozen=True)
class Piece:
    """A JavaScript expression: its text, type hint and precedence."""

    text: str
    hint: Any = Any
    level: int = ATOM

    def __str__(self) -> str:
        return self.text

    def within(self, level: int) -> str:
        """Return the text as an operand of an operator with this precedence."""
        return self.text if self.level >= level else f"({self.text})"


class Scope:
    """A function or a method of a Python module, within a JavaScript module."""

    def __init__(self, module: WordsModule, names: dict[str, Any], file: str, first_line: int) -> None:
        self.module = module
        self.names = names
        self.file = file
        self.first_line = first_line
        # The hints of variables, and their JavaScript if it differs.
        self.hints: dict[str, Any] = {}
        self.locals: set[str] = set()
        self.aliases: dict[str, str] = {}
        self.declared: list[str] = []
        self.temporaries = 0

    def refusal(self, node: ast.AST, reason: str) -> TranslationError:
        """Return the error for a part of the function without a translation."""
        return TranslationError.at(self.file, self.first_line, node, reason)

    def python(self, name: str) -> str:
        """Return a function of runtime/python.js."""
        return f"{self.module.namespace('python', 'py')}.{name}"

    def temporary(self) -> str:
        """Return the name of a new variable, which is declared at the beginning of the function."""
        self.temporaries += 1
        name = f"t{self.temporaries}"
        self.declared.append(name)
        return name

    def local(self, name: str) -> str:
        """Return a variable's name in JavaScript."""
        if name in self.aliases:
            return self.aliases[name]
        return f"{name}$" if name in RESERVED or name in ("py", "assert") else name

    def value_of(self, node: ast.expr) -> Any:
        """Return the value of a name, or of an attribute of a module or a class; UNKNOWN for others."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            if node.id in self.names:
                return self.names[node.id]
            return getattr(builtins, node.id, UNKNOWN)
        if isinstance(node, ast.Attribute):
            owner = self.value_of(node.value)
            if isinstance(owner, type) and owner.__module__ == "builtins":
                return getattr(owner, node.attr, UNKNOWN)
            if isinstance(owner, ModuleType | type):
                return inspect.getattr_static(owner, node.attr, getattr(owner, node.attr, UNKNOWN))
        return UNKNOWN

    def truth(self, piece: Piece) -> Piece:
        """Return a condition that holds if the value is true in Python."""
        if hints.truth_is_the_same(piece.hint):
            return piece
        return Piece(f"{self.python('truth')}({piece})", bool)

    def argument(self, piece: Piece) -> str:
        """Return a value as an argument of a call."""
        return piece.within(CONDITION)
