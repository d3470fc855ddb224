"""Rules as words call them: with objects instead of addresses.

The type hints of a rule's parameters say which structs it can be called with: a table or a view, or any
struct of the game of such a kind. If the translations differ, the kinds of the objects decide.
"""

from __future__ import annotations

__all__ = ["Bridge"]

import inspect
import itertools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from upcard.core.chance import Chance
from upcard.core.game import Game
from upcard.core.javascript.program import CORE, Found
from upcard.core.javascript.types import FLAG, NUMBER, Items, Place, Type
from upcard.core.javascript.writer import path_between
from upcard.core.rule import RULES, Rule
from upcard.core.struct import Struct, fields
from upcard.core.table import Result

if TYPE_CHECKING:
    from upcard.core.javascript.words.package import Words


class Bridge:
    """The modules `calls`, one for each game and one shared by all games."""

    def __init__(self, words: Words) -> None:
        self.words = words
        # The lines of each module, by the names that it exports.
        self.modules: dict[str, dict[str, str]] = {}
        self.rules = {rule.plain: rule for rule in RULES}
        # The imports of each module: functions by their modules, and structs by their local names.
        self._imports: dict[str, dict[str, set[str]]] = {}
        self._structs: dict[str, dict[str, tuple[str, str]]] = {}
        # The rules that shared words call with tables or views, by name: each game has its own version.
        self.shared: dict[str, Callable[..., Any]] = {}

    @staticmethod
    def _needs_game(function: Callable[..., Any]) -> bool:
        """Whether a rule works on tables or views of any game."""
        return "Any" in inspect.unwrap(function).__annotations__.values()

    def rule_of(self, function: Any) -> Rule | None:
        """Return the rule of a function, if it is one."""
        if len(self.rules) != len(RULES):
            self.rules = {rule.plain: rule for rule in RULES}
        try:
            return self.rules.get(function)
        except TypeError:
            return None

    def called(self, function: Callable[..., Any], path: str) -> tuple[str, str]:
        """Return the module and the name of a rule for the words of a module."""
        game = self._game_of(path)
        if game is None and self._needs_game(function):
            name = inspect.unwrap(function).__name__
            self.shared[name] = function
            self.modules.setdefault("shared", {})[name] = f'export const {name} = shared("{name}");'
            return "shared", name
        combinations = self._combinations(function, game)
        home = CORE if game is None else f"{game.id}/rules"
        found = {types_: self.words.program.add(home, function, *types_) for types_ in combinations}
        if not any(isinstance(type_, Place | Items) for types_ in combinations for type_ in types_):
            (only,) = set(found.values())
            return only.module, only.name
        module = "calls" if game is None else f"{game.id}/calls"
        lines = self.modules.setdefault(module, {})
        name = inspect.unwrap(function).__name__
        lines[name] = self._line(module, name, function, found)
        return module, name

    def _line(
        self, module: str, name: str, function: Callable[..., Any], found: dict[tuple[Type, ...], Found]
    ) -> str:
        returns = {one.returns for one in found.values()}
        struct = next(iter(returns)) if len(returns) == 1 else None
        result = self._struct(module, struct.struct) if isinstance(struct, Place) else ""

        def lent(one: Found) -> str:
            rule = self._use(module, one)
            if result:
                return f"((lend) => (...values) => found({result}, lend(...values)))(lent({rule}, {result}))"
            return f"lent({rule})"

        if len(set(found.values())) == 1:
            return f"export const {name} = {lent(next(iter(found.values())))};"
        cases = []
        for types_, one in found.items():
            kinds = [self._struct(module, type_.struct) for type_ in types_ if isinstance(type_, Place)]
            cases.append(f"[[{', '.join(kinds)}], {lent(one)}]")
        return f"export const {name} = byKind([{', '.join(cases)}]);"

    def _use(self, module: str, found: Found) -> str:
        self._imports.setdefault(module, {}).setdefault(found.module, set()).add(found.name)
        return f"{_alias(found.module)}.{found.name}"

    def _struct(self, module: str, struct: type[Struct]) -> str:
        self.words.need(struct)
        path = self.words.path_of(struct.__module__)
        local = f"{struct.__name__}_{_alias(path)}"
        self._structs.setdefault(module, {})[local] = (path, struct.__name__)
        return local

    def _game_of(self, path: str) -> Game | None:
        """Return the game whose words are in a module."""
        for game in self.words.games:
            if path.startswith((f"{self.words.path_of(game.package)}/", f"{game.id}/")):
                return game
        return None

    def _combinations(self, function: Callable[..., Any], game: Game | None) -> list[tuple[Type, ...]]:
        """Return the types of arguments that a rule can be called with."""
        plain = inspect.unwrap(function)
        written = inspect.signature(plain, eval_str=False).parameters.values()
        each = [self._types(parameter.annotation, plain, game) for parameter in written]
        return list(itertools.product(*each))

    def _types(self, annotation: Any, function: Callable[..., Any], game: Game | None) -> list[Type]:
        names = {**function.__globals__, "Table": _table_of(function, game)}
        hint = eval(annotation, names) if isinstance(annotation, str) else annotation
        if get_origin(hint) in (Union, types.UnionType):
            return [type_ for one in get_args(hint) for type_ in self._of_hint(one, game)]
        return self._of_hint(hint, game)

    def _of_hint(self, hint: Any, game: Game | None) -> list[Type]:
        if isinstance(hint, type) and issubclass(hint, Struct):
            known = _structs_of(game)
            return [Place(struct) for struct in known if issubclass(struct, hint)] or [Place(hint)]
        if hint is bool:
            return [FLAG]
        if isinstance(hint, type) and issubclass(hint, int):
            return [NUMBER]
        if hint is Any and game is not None:
            return [Place(game.Table), Place(game.View)]
        return [Items()]

    def write(self) -> dict[str, str]:
        """Return the text of the modules."""
        return {f"{module}.js": self._text(module, lines) for module, lines in self.modules.items()}

    def _text(self, module: str, lines: dict[str, str]) -> str:
        text = "\n".join(lines.values())
        if module == "shared":
            return f'import {{ shared }} from "./verbs.js";\n\n{text}\n'
        runtime = [name for name in ("byKind", "found", "lent") if f"{name}(" in text]
        imports = [f'import {{ {", ".join(runtime)} }} from "{path_between(module, "structs")}";']
        imports += [
            f'import * as {_alias(other)} from "{path_between(module, other)}";'
            for other in sorted(self._imports.get(module, {}))
        ]
        for local, (path, name) in sorted(self._structs.get(module, {}).items()):
            if local in text:
                imports.append(f'import {{ {name} as {local} }} from "{path_between(module, path)}";')
        head = "/** Rules as words call them: with objects instead of addresses. */\n"
        return "\n".join([head, *imports, "", text, ""])


def _alias(module: str) -> str:
    return module.replace("/", "_").replace("-", "_")


def _table_of(function: Callable[..., Any], game: Game | None) -> Any:
    """Return the value of `Table` in a module; core/events.py imports it for type checking only."""
    return function.__globals__.get("Table", None if game is None else game.Table)


def _structs_of(game: Game | None) -> list[type[Struct]]:
    """Return all structs of a game's tables and views."""
    found: list[type[Struct]] = []
    waiting: list[type[Struct]] = (
        [Chance, Result] if game is None else [game.Table, game.View, Chance, Result]
    )
    while waiting:
        struct = waiting.pop(0)
        if struct not in found:
            found.append(struct)
            waiting += [field.struct for field in fields(struct).values() if field.struct is not None]
    return found
