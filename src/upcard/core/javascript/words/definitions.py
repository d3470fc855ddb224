"""Functions and classes of words as JavaScript."""

from __future__ import annotations

__all__ = ["Method", "written_function"]

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from upcard.core.javascript.words import hints
from upcard.core.javascript.words.statements import INDENT, Statements

if TYPE_CHECKING:
    from upcard.core.javascript.words.package import WordsModule

TYPES = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "void"}


class Method(Statements):
    """A function, or a method of a class."""

    def __init__(self, module: WordsModule, function: Callable[..., Any], owner: type | None = None) -> None:
        lines, first_line = inspect.getsourcelines(function)
        super().__init__(module, function.__globals__, inspect.getfile(function), first_line)
        (tree,) = ast.parse(textwrap.dedent("".join(lines))).body
        if not isinstance(tree, ast.FunctionDef):
            raise self.refusal(tree, f"{function.__name__} is not an ordinary function")
        self.function = function
        self.owner = owner
        self.tree = tree
        code = function.__code__
        self.locals = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
        # Local imports become imports of the module.
        imported = {alias.asname or alias.name for alias in _imports(tree)}
        if imported:
            self.names = {**self.names, **_imported(tree)}
            self.locals -= imported
        self.is_generator = any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(tree))
        arguments = tree.args
        self.parameters = [*arguments.posonlyargs, *arguments.args]
        first = self.parameters[0].arg if self.parameters else ""
        is_static = (
            isinstance(inspect.getattr_static(owner, tree.name, None), staticmethod) if owner else True
        )
        self.self_name = first if not is_static else None
        if self.self_name is not None:
            self.parameters.pop(0)
            self.hints[self.self_name] = owner if first == "self" else type[owner]
            self.aliases[self.self_name] = "this"
        for argument in [*self.parameters, *arguments.kwonlyargs]:
            if argument.annotation is not None:
                self.hints[argument.arg] = hints.evaluated(ast.unparse(argument.annotation), self.names)
        if arguments.vararg:
            self.hints[arguments.vararg.arg] = list
        if arguments.kwarg:
            self.hints[arguments.kwarg.arg] = dict

    def body(self) -> list[str]:
        """Return the lines of the body, with the declarations first."""
        keeps_self = self.self_name is not None and any(
            isinstance(one, ast.GeneratorExp) and _names(one, self.self_name) for one in ast.walk(self.tree)
        )
        if keeps_self and self.self_name is not None:
            self.aliases[self.self_name] = "self"
        # Twice, since a loop may change the hint of a variable that was read earlier.
        self.block(self.tree.body)
        self.temporaries, self.declared = 0, []
        lines = self.block(self.tree.body)
        arguments = self.tree.args
        given = {one.arg for one in [*self.parameters, *arguments.kwonlyargs]} | {self.self_name}
        given |= {one.arg for one in (arguments.vararg, arguments.kwarg) if one}
        stored = {
            one.id
            for one in ast.walk(self.tree)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        stored |= {
            one.name
            for one in ast.walk(self.tree)
            if isinstance(one, ast.MatchAs | ast.MatchStar) and one.name
        }
        stored |= {one.name for one in ast.walk(self.tree) if isinstance(one, ast.ExceptHandler) and one.name}
        names = sorted((stored & self.locals) - given)
        variables = [*map(self.local, names), *self.declared]
        first = [f"let {', '.join(variables)};"] if variables else []
        return [*(["const self = this;"] if keeps_self else []), *first, *lines]

    def head(self) -> str:
        """Return the parameters, with their defaults."""
        arguments = self.tree.args
        defaults: dict[str, ast.expr | None] = {}
        for one, default in zip(reversed(self.parameters), reversed(arguments.defaults), strict=False):
            defaults[one.arg] = default
        for one, other in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            defaults[one.arg] = other
        written = []
        for one in [*self.parameters, *arguments.kwonlyargs]:
            default_value = defaults.get(one.arg)
            more = f" = {self.expression(default_value)}" if default_value is not None else ""
            written.append(f"{self.local(one.arg)}{more}")
        if arguments.kwarg:
            written.append(f"{arguments.kwarg.arg} = {{}}")
        if arguments.vararg:
            written.append(f"...{arguments.vararg.arg}")
        return ", ".join(written)

    def comment(self) -> list[str]:
        """Return the docstring, and the types of the parameters."""
        about = inspect.cleandoc(self.function.__doc__ or "").splitlines()
        arguments = self.tree.args
        lines = [f" * {line}".rstrip() for line in about]
        named = [*self.parameters, *arguments.kwonlyargs, *filter(None, (arguments.kwarg, arguments.vararg))]
        lines += [
            f" * @param {{{_documented(self.hints.get(one.arg, Any))}}} {self.local(one.arg)}"
            for one in named
        ]
        lines.append(f" * @returns {{{'Generator<any>' if self.is_generator else _result(self.function)}}}")
        return ["/**", *lines, " */"]


def written_function(method: Method, name: str) -> str:
    """Return a whole function."""
    star = "*" if method.is_generator else ""
    lines = [*method.comment(), f"export function{star} {name}({method.head()}) {{"]
    return "\n".join([*lines, *(INDENT + line for line in method.body()), "}", ""])


def _documented(hint: Any) -> str:
    kinds = hints.classes(hint)
    found = {TYPES.get(kind, "any") for kind in kinds}
    return found.pop() if len(found) == 1 else "any"


def _result(function: Callable[..., Any]) -> str:
    hint = hints.returned(function)
    return _documented(hint) if hint is not None else "void"


def _names(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def _imports(tree: ast.AST) -> list[ast.alias]:
    return [alias for one in ast.walk(tree) if isinstance(one, ast.ImportFrom) for alias in one.names]


def _imported(tree: ast.AST) -> dict[str, Any]:
    """Return the imports of a function."""
    found: dict[str, Any] = {}
    for one in ast.walk(tree):
        if isinstance(one, ast.ImportFrom) and one.module:
            module = __import__(one.module, fromlist=["*"])
            found |= {alias.asname or alias.name: getattr(module, alias.name) for alias in one.names}
    return found
