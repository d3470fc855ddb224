"""`@rule`: one function, run plain by Python or compiled by Numba.

A rule stays an ordinary Python function: calling it runs it plain, immediately and without a compiler.
It is also registered here, so that compiled code that calls it gets a compiled version of it (see
`upcard.core.compiler`). Write rules with whole numbers, structs, lists of fixed length, loops and
calls of other rules; nothing else compiles, and nothing else is needed.
"""

from __future__ import annotations

__all__ = ["RULES", "Rule", "rule"]

import functools
import importlib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast, overload

Plain = TypeVar("Plain", bound=Callable[..., Any])

# A letter for the game, then the section of the rulebook and the number in it.
CLAUSE = re.compile(r"\b[A-Z]\d+\.\d+\b")


@dataclass(frozen=True)
class Rule:
    """A rule as Python runs it, and as compiled code does: nearly always the same function, otherwise another
    function, or the function of the same name in a module that only the compiler imports. `in_view` is what
    the rule does with a view, where that differs."""

    plain: Callable[..., Any]
    elsewhere: Callable[..., Any] | str
    in_view: Callable[..., Any] | None = None
    # The module of JavaScript that has the function of this name, if that is written by hand.
    javascript: str | None = None

    @property
    def compiled(self) -> Callable[..., Any]:
        """The function that Numba is to compile."""
        if isinstance(self.elsewhere, str):
            function: Callable[..., Any] = getattr(
                importlib.import_module(self.elsewhere), self.plain.__name__
            )
            return function
        return self.elsewhere

    def body(self, in_view: bool) -> Callable[..., Any]:
        """The function that runs, compiled or as JavaScript, for a view or for anything else."""
        return self.in_view if in_view and self.in_view is not None else self.compiled

    def __str__(self) -> str:
        return f"{self.plain.__module__.removeprefix('upcard.')}.{self.plain.__name__}"

    @property
    def clauses(self) -> list[str]:
        """The clauses of the rulebook that the first line of the docstring cites."""
        first_line = (inspect.getdoc(self.plain) or "").partition("\n")[0]
        return CLAUSE.findall(first_line)


RULES: list[Rule] = []


@overload
def rule(plain: Plain) -> Plain: ...
@overload
def rule(
    *,
    compiled: Callable[..., Any] | str | None = None,
    in_view: Callable[..., Any] | None = None,
    javascript: str | None = None,
) -> Callable[[Plain], Plain]: ...
def rule(
    plain: Plain | None = None,
    *,
    compiled: Callable[..., Any] | str | None = None,
    in_view: Callable[..., Any] | None = None,
    javascript: str | None = None,
) -> Plain | Callable[[Plain], Plain]:
    """Mark a function as a rule.

    `compiled` gives compiled code another body: for the few places (chance and events) where plain Python can
    do more than compiled code, or must do it differently. `javascript` names the module of
    `core/javascript/runtime` that does the same in JavaScript; otherwise the rule is translated. `in_view` is
    for facts that are in different places at a table and in a view, so that the code that needs them works
    with both.
    """

    def note(function: Plain) -> Plain:
        plainly = function if in_view is None else cast(Plain, _by_position(function, in_view))
        RULES.append(Rule(plainly, compiled or function, in_view, javascript))
        return plainly

    return note if plain is None else note(plain)


def _by_position(at_table: Callable[..., Any], in_view: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(at_table)
    def either(position: Any, *rest: Any) -> Any:
        return (in_view if hasattr(position, "viewer") else at_table)(position, *rest)

    return either
