"""All words that are needed, in JavaScript modules named after the Python modules."""

from __future__ import annotations

__all__ = ["Words", "WordsModule"]

import ast
import inspect
from collections.abc import Iterator
from enum import Enum
from typing import Any

from msgspec import UNSET

from upcard.core.game import VERBS, Game
from upcard.core.javascript.errors import TranslationError
from upcard.core.javascript.program import Program
from upcard.core.javascript.scope import javascript_name
from upcard.core.javascript.words.bridge import Bridge
from upcard.core.javascript.words.classes import written_class
from upcard.core.javascript.words.definitions import Method, written_function
from upcard.core.javascript.words.natives import BUILTINS, EXCEPTIONS, NATIVE
from upcard.core.javascript.words.scope import Scope
from upcard.core.javascript.words.values import literal
from upcard.core.javascript.writer import path_between


class WordsModule:
    """A JavaScript module while it is being written."""

    def __init__(self, words: Words, path: str) -> None:
        self.words = words
        self.path = path
        self.units: dict[str, tuple[int, str]] = {}
        self.constants: dict[str, str] = {}
        self.imports: dict[tuple[str, str], str] = {}
        self.namespaces: dict[str, str] = {}

    # Names

    def namespace(self, module: str, name: str) -> str:
        """Import a whole module."""
        self.namespaces[module] = name
        return name

    def imported(self, module: str, name: str) -> str:
        """Import a name, and return its local name."""
        if module == self.path:
            return name
        key = (module, name)
        if key not in self.imports:
            taken = {*self.imports.values(), *self.units, *self.constants, *self.words.defined_in(self.path)}
            chosen = next(one for one in (name, *(f"{name}_{n}" for n in range(2, 99))) if one not in taken)
            self.imports[key] = chosen
        return self.imports[key]

    def reference(self, scope: Scope, node: ast.AST, value: Any, name: str) -> str:
        """Return the JavaScript for a value of a Python module; refuse one without a translation."""
        try:
            return self.refer(value, name)
        except TranslationError:
            raise
        except TypeError as error:
            raise scope.refusal(node, f"{name}: {error}") from None

    def refer(self, value: Any, name: str) -> str:
        """Return the JavaScript for a value of a Python module."""
        if value is UNSET:
            return self.imported("records", "UNSET")
        if isinstance(value, Enum):
            return f"{self.refer(type(value), '')}.{value.name}"
        if isinstance(value, type) and value in EXCEPTIONS:
            return EXCEPTIONS[value]
        if (inspect.isbuiltin(value) or isinstance(value, type)) and value in BUILTINS:
            return f"{self.namespace('python', 'py')}.{BUILTINS[value][0]}"
        if inspect.isroutine(value) or isinstance(value, type) or hasattr(value, "__wrapped__"):
            return self._defined(value)
        return self.constant(name.rpartition(".")[2], self.literal(value))

    def _defined(self, value: Any) -> str:
        rule = self.words.bridge.rule_of(value)
        plain = inspect.unwrap(value)
        full_name = f"{plain.__module__}.{plain.__qualname__}"
        if full_name in NATIVE:
            return self.imported(NATIVE[full_name], plain.__name__)
        if value in VERBS:
            return self.imported("verbs", plain.__name__)
        if rule:
            return self.imported(*self.words.bridge.called(value, self.path))
        if plain.__module__ == "builtins" or not hasattr(plain, "__module__"):
            raise TypeError("it has no translation")
        self.words.need(plain)
        return self.imported(self.words.path_of(plain.__module__), javascript_name(plain.__name__))

    def literal(self, value: Any) -> str:
        """Return a value that a module defines."""
        return literal(value, lambda one: self.refer(one, getattr(one, "__name__", "")))

    def constant(self, name: str, written: str) -> str:
        """Return the name of a constant, of which every module that uses it has a copy."""
        taken = {*self.imports.values(), *self.units, *self.words.defined_in(self.path)}
        for chosen in (name, *(f"{name}_{number}" for number in range(2, 99))):
            if chosen not in taken and self.constants.get(chosen, written) == written:
                self.constants[chosen] = written
                return chosen
        raise AssertionError(name)

    def inherited(self, scope: Any, name: str) -> inspect.Signature:
        """Return the signature of a method that a class inherits."""
        for owner in scope.owner.__mro__[1:]:
            if name in vars(owner):
                if not inspect.isfunction(vars(owner)[name]):
                    break
                signature = inspect.signature(vars(owner)[name])
                return signature.replace(parameters=list(signature.parameters.values())[1:])
        return inspect.Signature()

    # Text

    def written(self) -> str:
        """Return the whole module."""
        return "\n".join(self._parts())

    def _parts(self) -> Iterator[str]:
        yield "// Translated from Python. Change the words there.\n"
        lines = [
            f'import * as {name} from "{path_between(self.path, other)}";'
            for other, name in self.namespaces.items()
        ]
        grouped: dict[str, list[str]] = {}
        for (other, name), local in sorted(self.imports.items()):
            grouped.setdefault(other, []).append(name if name == local else f"{name} as {local}")
        for other, names in grouped.items():
            lines.append(f'import {{ {", ".join(names)} }} from "{path_between(self.path, other)}";')
        if lines:
            yield "\n".join(lines) + "\n"
        classes = [unit for unit in self.units.values() if "\nexport class " in unit[1]]
        others = [unit for unit in self.units.values() if unit not in classes]
        # Constants may contain classes, which have to be defined before them, and functions.
        yield from (text for _, text in sorted(classes))
        if self.constants:
            yield "".join(f"const {name} = {value};\n" for name, value in self.constants.items())
        yield from (text for _, text in sorted(others))


class Words:
    """The words that some roots need, besides a program with the rules that they call."""

    def __init__(self, program: Program, games: list[Game]) -> None:
        self.program = program
        self.games = games
        self.modules: dict[str, WordsModule] = {}
        self.bridge = Bridge(self)
        self._needed: list[Any] = []
        self._known: set[Any] = set()
        self._names: dict[str, set[str]] = {}

    def path_of(self, python: str) -> str:
        """Return the JavaScript module of a Python module."""
        return python.replace(".", "/")

    def module(self, path: str) -> WordsModule:
        """Return a module, creating it if necessary."""
        return self.modules.setdefault(path, WordsModule(self, path))

    def defined_in(self, path: str) -> set[str]:
        """Return the names of the functions and classes that a module defines so far."""
        return self._names.setdefault(path, set())

    def need(self, value: Any) -> None:
        """Record that a function or a class is needed."""
        if value not in self._known:
            self._known.add(value)
            self._needed.append(value)
            self.defined_in(self.path_of(value.__module__)).add(javascript_name(value.__name__))

    def translate(self) -> None:
        """Translate everything that is needed, including dependencies."""
        while self._needed:
            value = self._needed.pop()
            module = self.module(self.path_of(value.__module__))
            line = inspect.getsourcelines(value)[1]
            if isinstance(value, type):
                text = written_class(module, value)
            else:
                text = written_function(Method(module, value), javascript_name(value.__name__))
            module.units[value.__name__] = (line, text)

    def write(self) -> dict[str, str]:
        """Return the text of all modules by their paths."""
        self.translate()
        return {f"{path}.js": module.written() for path, module in self.modules.items()} | self.bridge.write()
