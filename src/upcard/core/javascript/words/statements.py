"""Statements of words as JavaScript."""

from __future__ import annotations

__all__ = ["Statements"]

import ast
from collections.abc import Iterable
from typing import Any

from upcard.core.javascript.code import AND
from upcard.core.javascript.words import hints
from upcard.core.javascript.words.patterns import Patterns
from upcard.core.javascript.words.scope import Piece

INDENT = "  "


class Statements(Patterns):
    """Blocks of statements."""

    def block(self, statements: Iterable[ast.stmt]) -> list[str]:
        """Return the lines of some statements."""
        return [line for statement in statements for line in self.statement(statement)]

    def _inner(self, statements: Iterable[ast.stmt]) -> list[str]:
        return [INDENT + line for line in self.block(statements)]

    def statement(self, node: ast.stmt) -> list[str]:
        """Return the lines of a statement."""
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Import() | ast.ImportFrom():
                return []
            case ast.Expr(value=ast.Yield(value=value)):
                return [f"yield {self.expression(value)};" if value else "yield null;"]
            case ast.Expr(value=ast.YieldFrom(value=value)):
                return [f"yield* {self.each(self.expression(value))};"]
            case ast.Expr(value=value):
                return [f"{self.expression(value)};"]
            case ast.Return(value=None):
                return ["return null;"]
            case ast.Return(value=ast.expr() as value):
                return [f"return {self.expression(value)};"]
            case ast.AnnAssign(value=None):
                return []
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                return [self._assigned(node, target, value)]
            case ast.AugAssign(target=target, op=operator, value=value):
                return [self._augmented(node, target, operator, value)]
            case ast.If():
                return self._if(node)
            case ast.For():
                return self._for(node)
            case ast.While(orelse=[]):
                return [f"while ({self.truth(self.expression(node.test))}) {{", *self._inner(node.body), "}"]
            case ast.Match():
                return self._match(node)
            case ast.Raise():
                return [f"throw {self._raised(node)};"]
            case ast.Try():
                return self._try(node)
            case ast.With(items=[item]):
                return self._with(node, item)
            case ast.Assert(test=test):
                return [f"{self.python('assert')}({self.truth(self.expression(test))});"]
            case ast.Break():
                return ["break;"]
            case ast.Continue():
                return ["continue;"]
        raise self.refusal(node, f"words have no {type(node).__name__}")

    # Assignments

    def _assigned(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> str:
        found = self.expression(value)
        if isinstance(target, ast.Name):
            hint = found.hint
            if isinstance(node, ast.AnnAssign):
                hint = hints.evaluated(ast.unparse(node.annotation), self.names)
            known = self.hints.get(target.id)
            self.hints[target.id] = hint if known is None or known == hint else Any
        if isinstance(target, ast.Tuple | ast.List):
            return f"{self._targets(target)} = {self.each(found)};"
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            owner, place = self.expression(target.value), self.expression(target.slice)
            return f"{self.python('put')}({owner}, {place}, {found});"
        return f"{self._targets(target)} = {found};"

    def _targets(self, target: ast.expr) -> str:
        match target:
            case ast.Name(id=name):
                return self.local(name)
            case ast.Attribute():
                return str(self.expression(target))
            case ast.Subscript():
                return f"{self.expression(target.value)}[{self.expression(target.slice)}]"
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    if isinstance(part, ast.Name):
                        self.hints.setdefault(part.id, Any)
                return f"[{', '.join(self._targets(part) for part in parts)}]"
            case ast.Starred(value=value):
                return f"...{self._targets(value)}"
        raise self.refusal(target, f"nothing is assigned to {type(target).__name__}")

    def _augmented(self, node: ast.AST, target: ast.expr, operator: ast.operator, value: ast.expr) -> str:
        old, new = self.expression(target), self.expression(value)
        listed = hints.classes(old.hint) & {list} or isinstance(value, ast.List | ast.ListComp)
        if isinstance(operator, ast.Add) and not hints.is_plain(old.hint) and listed:
            # The list itself grows, since other variables may refer to it.
            return f"{old}.push(...{self.each(new)});"
        changed = self.binary(node, old, operator, new)
        return f"{self._targets(target)} = {changed};"

    # Conditions and loops

    def _if(self, node: ast.If) -> list[str]:
        lines = [f"if ({self.truth(self.expression(node.test))}) {{", *self._inner(node.body)]
        if not node.orelse:
            return [*lines, "}"]
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            first, *rest = self._if(node.orelse[0])
            return [*lines, f"}} else {first}", *rest]
        return [*lines, "} else {", *self._inner(node.orelse), "}"]

    def _for(self, node: ast.For) -> list[str]:
        source = self.expression(node.iter)
        names = [one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)]
        hint = hints.item(source.hint) if isinstance(node.target, ast.Name) else Any
        self.hints |= dict.fromkeys(names, hint)
        through = source.text if self.is_lazy(node.iter) else self.each(source)
        head = f"for ({self._target(node.target)} of {through}) {{"
        if not node.orelse:
            return [head, *self._inner(node.body), "}"]
        name = self.temporary()
        body = ast.Module(node.body, [])
        for inner in ast.walk(body):
            if isinstance(inner, ast.For | ast.While) and any(
                isinstance(one, ast.Break) for one in ast.walk(inner)
            ):
                raise self.refusal(inner, "a loop with `else` has no loop inside that breaks")
        lines = [line.replace("break;", f"{{ {name} = false; break; }}") for line in self._inner(node.body)]
        return [f"{name} = true;", head, *lines, "}", f"if ({name}) {{", *self._inner(node.orelse), "}"]

    def is_lazy(self, node: ast.expr) -> bool:
        """Whether a value is a generator, which a loop consumes lazily."""
        return isinstance(node, ast.GeneratorExp)

    def _match(self, node: ast.Match) -> list[str]:
        subject = self.expression(node.subject)
        lines = []
        if not subject.text.isidentifier():
            name = self.temporary()
            lines.append(f"{name} = {subject};")
            subject = Piece(name, subject.hint)
        for number, case in enumerate(node.cases):
            parts = self.condition(case.pattern, subject)
            if case.guard is not None:
                parts.append(self.truth(self.expression(case.guard)).within(AND))
            head = f"if ({' && '.join(parts) or 'true'}) {{"
            lines.append(head if number == 0 else f"}} else {head}")
            lines += self._inner(case.body)
        return [*lines, "}"]

    # Errors

    def _raised(self, node: ast.Raise) -> str:
        if node.exc is None:
            return "error"
        found = self.expression(node.exc)
        return f"new {found}()" if isinstance(self.value_of(node.exc), type) else str(found)

    def _try(self, node: ast.Try) -> list[str]:
        lines = ["try {", *self._inner([*node.body, *node.orelse])]
        if node.handlers:
            lines.append("} catch (error) {")
            for number, handler in enumerate(node.handlers):
                kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
                tests = [f"error instanceof {self.expression(kind)}" for kind in kinds if kind is not None]
                head = f"if ({' || '.join(tests) or 'true'}) {{"
                lines.append(INDENT + (head if number == 0 else f"}} else {head}"))
                named = [f"{INDENT * 2}{self.local(handler.name)} = error;"] if handler.name else []
                lines += [*named, *(INDENT + line for line in self._inner(handler.body))]
            lines += [f"{INDENT}}} else {{", f"{INDENT * 2}throw error;", f"{INDENT}}}"]
        if node.finalbody:
            lines += ["} finally {", *self._inner(node.finalbody)]
        return [*lines, "}"]

    def _with(self, node: ast.With, item: ast.withitem) -> list[str]:
        """Return a block within a context manager: a generator, which runs up to its `yield` first."""
        name = self.temporary()
        given = f"{name}.next()"
        if item.optional_vars is not None:
            given = f"{self._targets(item.optional_vars)} = {given}.value"
        begins = [f"{name} = {self.expression(item.context_expr)};", f"{given};"]
        return [*begins, "try {", *self._inner(node.body), "} finally {", f"{INDENT}{name}.next();", "}"]
