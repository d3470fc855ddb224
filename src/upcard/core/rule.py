"""`@rule`: one function, run plain by Python or compiled by Numba.

A rule stays an ordinary Python function: calling it runs it plain, at once, with no compiler near.
It is also noted here, so that compiled code that mentions it gets a compiled version of it (see
`upcard.core.compiler`). Write rules with whole numbers, records, lists of fixed length, loops and
calls of other rules; nothing else compiles, and nothing else is needed.
"""

from __future__ import annotations

__all__ = ["RULES", "Rule", "rule"]

import importlib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, overload

Plain = TypeVar("Plain", bound=Callable[..., Any])

CLAUSE = re.compile(r"\b[SLK]\d+\.\d+\b")


@dataclass(frozen=True)
class Rule:
    """A rule as Python runs it, and where compiled code finds it: nearly always the same function,
    else another one, or the one of the same name in a module that only the compiler imports."""

    plain: Callable[..., Any]
    elsewhere: Callable[..., Any] | str | None = None

    @property
    def compiled(self) -> Callable[..., Any]:
        """The function that Numba is to compile."""
        if isinstance(self.elsewhere, str):
            function: Callable[..., Any] = getattr(
                importlib.import_module(self.elsewhere), self.plain.__name__
            )
            return function
        return self.elsewhere or self.plain

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
def rule(*, compiled: Callable[..., Any] | str) -> Callable[[Plain], Plain]: ...
def rule(
    plain: Plain | None = None, *, compiled: Callable[..., Any] | str | None = None
) -> Plain | Callable[[Plain], Plain]:
    """Mark a function as a rule. `compiled` gives compiled code another body: for the few places
    (chance and news) where plain Python can do more than compiled code, or must do it otherwise."""

    def note(function: Plain) -> Plain:
        RULES.append(Rule(function, compiled))
        return function

    return note if plain is None else note(plain)
