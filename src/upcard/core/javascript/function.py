"""A rule as a JavaScript function, with its types and its clause in the comment above it."""

from __future__ import annotations

__all__ = ["Function"]

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from upcard.core.javascript.statements import Statements
from upcard.core.javascript.types import NONE, Type, documented

if TYPE_CHECKING:
    from upcard.core.javascript.program import Program


class Function(Statements):
    """One rule, translated for arguments of certain types."""

    def __init__(
        self,
        program: Program,
        module: str,
        name: str,
        function: Callable[..., Any],
        arguments: tuple[Type, ...],
    ) -> None:
        super().__init__(program, module, function, arguments)
        self.name = name
        self.body = self._stable_body()

    @property
    def returned_type(self) -> Type:
        """The return type of the function."""
        return NONE if self.returns is None else self.returns

    def _stable_body(self) -> str:
        """Translate until the types of all variables are stable: a loop may widen a variable that was read
        earlier."""
        while True:
            before = dict(self.variables), self.returns
            self.temporaries = 0
            body = self.block(self.tree.body, 1)
            if (self.variables, self.returns) == before:
                return self._top_declarations() + body

    def _top_declarations(self) -> str:
        temporaries = [
            name for name in self.variables if name not in self.locals and name not in self.in_heads
        ]
        names = [self.local(name) for name in self.declarations.at_the_top] + temporaries
        return f"  let {', '.join(names)};\n" if names else ""

    @property
    def source(self) -> tuple[str, int]:
        """The location of the rule in Python: its module and line."""
        return self.function.__module__, self.first_line

    def written(self) -> str:
        """Return the whole function."""
        parameters = [self.local(name) for name in self.parameters]
        about = (inspect.getdoc(self.function) or "").splitlines()
        lines = [f" * {line}".rstrip() for line in about]
        for name, type_ in zip(parameters, self.parameters.values(), strict=True):
            kind, more = documented(type_)
            lines.append(f" * @param {{{kind}}} {name}{' ' + more if more else ''}")
        kind, more = documented(self.returned_type)
        if self.returned_type != NONE:
            lines.append(f" * @returns {{{kind}}}{' ' + more if more else ''}")
        head = f"export function {self.name}({', '.join(parameters)}) {{"
        return "\n".join(["/**", *lines, " */", head, self.body + "}", ""])
