"""Comprehensions of words: arrays that are mapped and filtered, or generators if Python is lazy."""

from __future__ import annotations

__all__ = ["Comprehensions"]

import ast
from collections.abc import Callable
from typing import Any

from upcard.core.javascript.code import ATOM, COMMA, CONDITION
from upcard.core.javascript.words import hints
from upcard.core.javascript.words.scope import Piece, Scope


class Comprehensions(Scope):
    """Lists, sets and dictionaries made in one expression."""

    def expression(self, node: ast.expr) -> Piece:
        """Return an expression in JavaScript."""
        raise NotImplementedError

    def hint_of(self, node: ast.expr) -> Any:
        """Return the type hint of an expression."""
        return self.expression(node).hint

    def each(self, piece: Piece) -> str:
        """Return the iterable of a loop as an array."""
        return f"{self.python('each')}({piece})"

    def inside(self, names: list[str], make: Callable[[], Any], hint: Any = Any) -> Any:
        """Call a function with these additional variables in scope."""
        before, known = set(self.locals), dict(self.hints)
        self.locals |= set(names)
        self.hints |= dict.fromkeys(names, hint)
        try:
            return make()
        finally:
            self.locals, self.hints = before, known

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp) -> Piece:
        """Return a comprehension in JavaScript."""
        if isinstance(node, ast.GeneratorExp):
            return self._generator(node)
        if isinstance(node, ast.DictComp):
            pair = ast.Tuple([node.key, node.value], ast.Load())
            listed = self._chain(node.generators, lambda: self.expression(pair))
            return Piece(f"Object.fromEntries({listed})", dict)
        listed = self._chain(node.generators, lambda: self.expression(node.elt))
        if isinstance(node, ast.SetComp):
            return Piece(f"new {self.python('Members')}({listed})", set)
        return listed

    def some_or_every(self, node: ast.GeneratorExp, method: str) -> Piece:
        """Return `any` or `all` of some conditions."""
        *outer, last = node.generators
        if outer or last.ifs:
            listed = self._chain(node.generators, lambda: self.truth(self.expression(node.elt)))
            return Piece(f"{listed.within(ATOM)}.{method}(Boolean)", bool)
        text, names, hint = self._source(last)
        condition = self.inside(names, lambda: self.truth(self.expression(node.elt)), hint)
        return Piece(f"{text}.{method}(({self._target(last.target)}) => {self._arrow(condition)})", bool)

    def _chain(self, generators: list[ast.comprehension], make: Callable[[], Piece]) -> Piece:
        """Return the array of a comprehension."""
        first, *rest = generators
        text, names, hint = self._source(first)
        target = self._target(first.target)

        def within() -> tuple[list[str], Piece]:
            tests = [str(self.truth(self.expression(test))) for test in first.ifs]
            return tests, self._chain(rest, make) if rest else make()

        tests, body = self.inside(names, within, hint)
        for test in tests:
            text += f".filter(({target}) => {test})"
        if rest:
            return Piece(f"{text}.flatMap(({target}) => {self._arrow(body)})", body.hint)
        made = hints.list_of(body.hint)
        if body.text == target:
            return Piece(text if tests else f"{self.python('list')}({text})", made)
        return Piece(f"{text}.map(({target}) => {self._arrow(body)})", made)

    def _generator(self, node: ast.GeneratorExp) -> Piece:
        """Return a generator, whose items are computed on demand."""
        if len(node.generators) != 1:
            return self._chain(node.generators, lambda: self.expression(node.elt))
        (only,) = node.generators
        text, names, hint = self._source(only)

        def within() -> tuple[list[str], Piece]:
            return [str(self.truth(self.expression(test))) for test in only.ifs], self.expression(node.elt)

        tests, body = self.inside(names, within, hint)
        condition = f"if ({' && '.join(f'({test})' for test in tests)}) " if tests else ""
        loop = f"for (const {self._target(only.target)} of {text}) {condition}yield {body.within(CONDITION)};"
        return Piece(f"(function* () {{ {loop} }})()", hints.list_of(body.hint), COMMA)

    def _source(self, generator: ast.comprehension) -> tuple[str, list[str], Any]:
        """Return the iterable of a comprehension, its variables, and the hint if there is only one."""
        source = self.expression(generator.iter)
        names = [one.id for one in ast.walk(generator.target) if isinstance(one, ast.Name)]
        hint = hints.item(source.hint) if isinstance(generator.target, ast.Name) else Any
        lazy = source.text.startswith("(function* ")
        return (f"{source}" if lazy else self.each(source)), names, hint

    def _target(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return self.local(name)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return f"[{', '.join(self._target(part) for part in parts)}]"
            case ast.Starred(value=value):
                return f"...{self._target(value)}"
        raise self.refusal(node, "a loop goes through variables")

    @staticmethod
    def _arrow(body: Piece) -> str:
        """Return the result of an arrow function; an object is in parentheses, since it would look like a
        block."""
        return f"({body})" if body.text.startswith("{") else body.within(CONDITION)
