"""Declarations of variables, as near to their use as JavaScript allows."""

from __future__ import annotations

__all__ = ["Declarations"]

import ast
from collections.abc import Iterator


class Declarations:
    """The statement that declares each variable of a function. Variables that no statement can declare are
    declared at the beginning of the function."""

    def __init__(self, function: ast.FunctionDef) -> None:
        parameters = {argument.arg for argument in function.args.args}
        stored = {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id != "_"
        }
        self.names = sorted(stored - parameters)
        self._declaring: dict[tuple[int, str], bool] = {}
        self.at_the_top = [name for name in self.names if not self._place(function.body, name)]

    def declares(self, statement: ast.stmt, name: str) -> bool:
        """Whether a statement is the one that declares a variable."""
        return (id(statement), name) in self._declaring

    def _place(self, block: list[ast.stmt], name: str) -> bool:
        """Find the statement in a block that declares a variable; return whether there is one."""
        using = [statement for statement in block if _uses(statement, name)]
        first = using[0]
        if len(using) == 1:
            if isinstance(first, ast.For) and isinstance(first.target, ast.Name) and first.target.id == name:
                self._declaring[id(first), name] = True
                return True
            inner = [part for part in _blocks(first) if any(_uses(one, name) for one in part)]
            outside = any(_uses(part, name) for part in _heads(first))
            if len(inner) == 1 and not outside:
                return self._place(inner[0], name)
        if not isinstance(first, ast.Assign | ast.AnnAssign) or (first.value and _uses(first.value, name)):
            return False
        targets = first.targets if isinstance(first, ast.Assign) else [first.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            self._declaring[id(first), name] = True
            return True
        return False


def _uses(node: ast.AST, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Return the blocks inside a statement."""
    for field in ("body", "orelse"):
        block = getattr(statement, field, [])
        if block:
            yield block


def _heads(statement: ast.stmt) -> Iterator[ast.AST]:
    """Return the parts of a statement that are not blocks."""
    for name, value in ast.iter_fields(statement):
        if name not in ("body", "orelse") and isinstance(value, ast.AST):
            yield value
