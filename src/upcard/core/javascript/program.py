"""A program: rules for arguments of certain types, in modules that import each other.

Translation begins with the requested functions and follows every call, as the compiler does. A rule whose
arguments are structs is written once for each kind of struct, or only once if nothing differs. Functions that
do not depend on a game are in the module `core`, which all games share.
"""

from __future__ import annotations

__all__ = ["Found", "Program"]

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from upcard.core import chance, events
from upcard.core.game import VERBS, meaning
from upcard.core.javascript.function import Function
from upcard.core.javascript.layout import name_of, offset_of
from upcard.core.javascript.scope import Scope
from upcard.core.javascript.types import NONE, Items, Place, Type, of_annotation
from upcard.core.rule import RULES, Rule
from upcard.core.seats import SPECTATOR
from upcard.core.struct import Struct, fields

RUNTIME = Path(__file__).parent / "runtime"
CORE = "core"


@dataclass(frozen=True)
class Found:
    """A JavaScript function: its name, the module that exports it, and its return type."""

    name: str
    module: str
    returns: Type


@dataclass
class Module:
    """A module while it is being written."""

    functions: list[Function] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)
    imports: dict[str, set[str]] = field(default_factory=dict)
    # The constants that other modules import.
    exported: set[str] = field(default_factory=set)


class Program:
    """Modules of JavaScript. With `checked`, they stop where Python would raise an error, or a number would
    not be exact. This is slow, and meant for tests."""

    def __init__(self, checked: bool = False) -> None:
        self.checked = checked
        self.modules: dict[str, Module] = {CORE: Module()}
        for name, value in _of_runtime().items():
            self.modules[CORE].exported.add(self.constant(CORE, name, str(value)))
        self.rules: dict[Callable[..., Any], Rule] = {}
        # The names of functions, which variables must not use.
        self.taken: set[str] = {verb.__name__ for verb in VERBS}
        self._found: dict[tuple[Callable[..., Any], tuple[Type, ...]], Found] = {}
        self._open: dict[tuple[Callable[..., Any], tuple[Type, ...]], str] = {}

    def add(self, module: str, function: Callable[..., Any], *types: Type) -> Found:
        """Translate a rule or an entry for arguments of these types, and everything that it calls. Functions
        that no other module has yet become part of this one."""
        self.modules.setdefault(module, Module())
        # The rules of a game exist once it is imported.
        self.rules = {rule.plain: rule for rule in RULES}
        self.taken |= {rule.plain.__name__ for rule in RULES}
        return self._find(None, module, None, getattr(function, "function", function), types)

    def find(
        self, scope: Scope, node: ast.AST, function: Callable[..., Any], types: tuple[Type, ...]
    ) -> Found:
        """Return the function that a rule calls."""
        return self._find(scope, scope.module, node, function, types)

    def _find(
        self,
        scope: Scope | None,
        module: str,
        node: ast.AST | None,
        function: Callable[..., Any],
        types: tuple[Type, ...],
    ) -> Found:
        struct = types[0].struct if types and isinstance(types[0], Place) else None
        if function in VERBS:
            chosen = None if struct is None else meaning(function.__name__, struct)
            if chosen is None:
                assert scope is not None, "an entry is not a verb"
                assert node is not None
                raise scope.refusal(node, f"{function.__name__} needs a table or a view of a game")
            function = chosen
        rule = self.rules.get(function)
        if rule is None and scope is not None and node is not None:
            raise scope.refusal(node, f"{function.__name__} is not a rule")
        if rule is not None:
            if rule.javascript is not None:
                return Found(rule.plain.__name__, rule.javascript, of_annotation(rule.plain) or NONE)
            function = rule.body(struct is not None and "viewer" in fields(struct))
        if (function, types) not in self._found:
            home = CORE if _is_common(function, types) else module
            if (function, types) in self._open:
                scope_type = of_annotation(function)
                assert scope is not None, "an entry does not call itself"
                assert node is not None
                if scope_type is None:
                    raise scope.refusal(
                        node, f"{function.__name__} calls itself, and does not say what it returns"
                    )
                return Found(self._open[function, types], home, scope_type)
            self._translate(home, function, types)
        return self._found[function, types]

    def _translate(self, module: str, function: Callable[..., Any], types: tuple[Type, ...]) -> None:
        name = self._free_name(module, function, types)
        self._open[function, types] = name
        translated = Function(self, module, name, function, types)
        del self._open[function, types]
        twin = self._twin(module, translated)
        if twin is None:
            self.modules[module].functions.append(translated)
        self._found[function, types] = Found((twin or translated).name, module, translated.returned_type)

    def _twin(self, module: str, translated: Function) -> Function | None:
        """Return the same function for other structs, if nothing in it differs."""
        for other in self.modules[module].functions:
            if other.function is translated.function and other.body == translated.body:
                return other
        return None

    def _free_name(self, module: str, function: Callable[..., Any], types: tuple[Type, ...]) -> str:
        """Return an unused name: the one in Python, if necessary with the kinds of structs, or with a
        number."""
        name = function.__name__.lstrip("_")
        names = {one.name for one in self.modules[module].functions} | set(self._open.values())
        structs = [one.struct.__name__ for one in types if isinstance(one, Place | Items) and one.struct]
        longer = "_".join([name, *structs])
        numbered = [f"{longer}_{number}" for number in range(2, 100)]
        return next(one for one in (name, longer, *numbered) if one not in names)

    # Names that functions use from their modules

    def constant(self, module: str, name: str, written: str) -> str:
        """Return the name of a constant in a module."""
        constants = self.modules[module].constants
        candidates = (name, *(f"{name}_{number}" for number in range(2, 100)))
        chosen = next(one for one in candidates if constants.get(one, written) == written)
        constants[chosen] = written
        return chosen

    def value_of(self, module: str, text: str) -> str:
        """Return the value of a constant as text; any other text unchanged."""
        return self.modules[module].constants.get(text, text)

    def use(self, module: str, other: str, name: str) -> None:
        """Note that a module imports a name from another."""
        self.modules[module].imports.setdefault(other, set()).add(name)


def _is_common(function: Callable[..., Any], types: tuple[Type, ...]) -> bool:
    """Whether a rule is independent of any game."""
    structs: list[type[Struct]] = [
        one.struct for one in types if isinstance(one, Place | Items) and one.struct is not None
    ]
    ours = [function.__module__, *(struct.__module__ for struct in structs)]
    return all(module.startswith("upcard.core.") for module in ours)


def _of_runtime() -> dict[str, int]:
    """Return the Python constants that modules written by hand import from `core`."""
    found = {name: int(getattr(chance, name)) for name in ("C0", "C1", "C2", "C3")}
    found |= {
        name_of(chance.Chance, field): offset_of(chance.Chance, field) for field in fields(chance.Chance)
    }
    found |= {"EventKind_SHUFFLED": events.EventKind.SHUFFLED.value, "SPECTATOR": SPECTATOR}
    return found | {"NOBODY": events.NOBODY, "HIDDEN": events.HIDDEN}
