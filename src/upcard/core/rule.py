"""`@rule`: one function, run plain by Python or compiled by Numba.

A rule stays an ordinary Python function: calling it runs it plain, at once, with no compiler near.
It is also noted here, so that compiled code that mentions it gets a compiled version of it (see
`upcard.core.compiler`). Write rules with whole numbers, records, lists of fixed length, loops and
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

CLAUSE = re.compile(r"\b[SLK]\d+\.\d+\b")


@dataclass(frozen=True)
class Rule:
    """A rule as Python runs it, and where compiled code finds it: nearly always the same function,
    else another one, or the one of the same name in a module that only the compiler imports. What
    it means for a view, if that is something else than for a table, is `in_view`."""

    plain: Callable[..., Any]
    elsewhere: Callable[..., Any] | str
    in_view: Callable[..., Any] | None = None

    @property
    def compiled(self) -> Callable[..., Any]:
        """The function that Numba is to compile."""
        if isinstance(self.elsewhere, str):
            function: Callable[..., Any] = getattr(
                importlib.import_module(self.elsewhere), self.plain.__name__
            )
            return function
        return self.elsewhere

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
    *, compiled: Callable[..., Any] | str | None = None, in_view: Callable[..., Any] | None = None
) -> Callable[[Plain], Plain]: ...
def rule(
    plain: Plain | None = None,
    *,
    compiled: Callable[..., Any] | str | None = None,
    in_view: Callable[..., Any] | None = None,
) -> Plain | Callable[[Plain], Plain]:
    """Mark a function as a rule.

    `compiled` gives compiled code another body: for the few places (chance and news) where plain
    Python can do more than compiled code, or must do it otherwise. `in_view` is for what is found in
    one place at a table and in another in a view, so that one piece of reasoning does for both.
    """

    def note(function: Plain) -> Plain:
        plainly = function if in_view is None else cast(Plain, _by_position(function, in_view))
        RULES.append(Rule(plainly, compiled or function, in_view))
        return plainly

    return note if plain is None else note(plain)


def _by_position(at_table: Callable[..., Any], in_view: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(at_table)
    def either(position: Any, *rest: Any) -> Any:
        return (in_view if hasattr(position, "viewer") else at_table)(position, *rest)

    return either
