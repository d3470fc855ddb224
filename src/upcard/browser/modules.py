"""The JavaScript modules with which a browser plays the games, translated from the same Python code.

GAME/rules.js    the eight verbs of the game, and what the simple bots need
GAME/search.js   the tree of the search bot
core.js, search.js, memory.js    what all games share
"""

from __future__ import annotations

__all__ = ["modules", "program", "words", "write_modules"]

from collections.abc import Iterable
from pathlib import Path

from upcard.bots import tree
from upcard.bots.bot import Budget, Turn
from upcard.bots.levels import LEVELS
from upcard.bots.search import Search
from upcard.bots.simple import Easy, Greedy, Random, best_place
from upcard.browser.schema import schema
from upcard.core import game as verbs
from upcard.core.chance import Chance, next_nonce, randint, set_key
from upcard.core.events import Event
from upcard.core.game import Game
from upcard.core.javascript import Program, write
from upcard.core.javascript.layout import offset_of, size_of
from upcard.core.javascript.types import FLAG, NONE, NUMBER, Items, Place
from upcard.core.javascript.words import Words
from upcard.core.table import MAX_SEATS, Result
from upcard.match import Match, Player, replay

NUMBERS = Items()


def program(games: Iterable[Game], checked: bool = False) -> Program:
    """Return the rules and the search of some games as a program of JavaScript."""
    translated = Program(checked)
    for rule, types in ((set_key, (Place(Chance), NUMBERS)), (next_nonce, (Place(Chance),))):
        translated.add("core", rule, *types)
    translated.add("core", randint, Place(Chance), NUMBER)
    _add_shared_search(translated)
    for game in games:
        _add_rules(translated, game)
        _add_search(translated, game)
    return translated


def _add_shared_search(translated: Program) -> None:
    """Add what the searches of all games share, so that no game loads the modules of another."""
    nodes, growth = Items(tree.Node, tree.MAX_NODES), Place(tree.Growth)
    translated.add("search", tree.mark_possible, NUMBER, NUMBER, NUMBERS, nodes, NUMBER)
    translated.add("search", tree.best_child, NUMBER, NUMBER, NUMBERS, nodes, NUMBER)
    translated.add("search", tree.node_of, NUMBER, NUMBER, NUMBER, NUMBER, nodes, growth)


def _add_rules(translated: Program, game: Game) -> None:
    module = f"{game.id}/rules"
    table, view = Place(game.Table), Place(game.View)
    translated.add(module, verbs.deal, table)
    translated.add(module, verbs.legal, table, NUMBERS)
    translated.add(module, verbs.apply, table, NUMBER)
    translated.add(module, verbs.outcome, table, Place(Result))
    translated.add(module, verbs.observe, table, NUMBER, view)
    translated.add(module, verbs.determinize, view, table, Place(Chance))
    translated.add(module, verbs.heuristic, table, NUMBER)
    translated.add(module, verbs.heuristic, view, NUMBER)
    translated.add(module, verbs.evaluate, table, NUMBER)
    translated.add(module, best_place, view, NUMBERS, NUMBER)


def _add_search(translated: Program, game: Game) -> None:
    """Add the entry function that grows a tree, with the arguments of `Tree.grow` but without the true
    table."""
    translated.add(
        f"{game.id}/search",
        tree.grow,
        *(NUMBER, NUMBER, Place(game.View), NONE, FLAG, Place(Chance), Place(game.Table), Place(Result)),
        *(NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS),
        *(Items(tree.Node, tree.MAX_NODES), Place(tree.Growth)),
    )


def words(translated: Program, games: list[Game]) -> Words:
    """Return the words of some games, and those that all games share: matches, records, simple bots."""
    found = Words(translated, games)
    for value in (Match, Player, replay, Random, Greedy, Easy, Search, Budget, Turn):
        found.need(value)
    found.translate()
    for game in games:
        module = found.module(f"{game.id}/game")
        event = module.refer(Event, "Event")
        register = module.imported("verbs", "register")
        module.constant("GAME", module.literal(game))
        shared = [module.refer(rule, name) for name, rule in found.bridge.shared.items()]
        module.units["game"] = (
            0,
            f"{register}(GAME, {event}, {{ {', '.join(shared)} }});\n\nexport {{ GAME }};\n",
        )
        _add_bots(found, game)
    return found


def _add_bots(found: Words, game: Game) -> None:
    """Add the module for searching a game, and the levels."""
    module = found.module(f"{game.id}/bots")
    grow, enable = module.imported(f"{game.id}/search", "grow"), module.imported("tree", "enable")
    structs = {"table": game.Table, "view": game.View, "result": Result, "chance": Chance}
    structs |= {"growth": tree.Growth, "node": tree.Node}
    sizes = {name: size_of(struct) for name, struct in structs.items()}
    node = {name: offset_of(tree.Node, name) for name in ("move", "visits", "won", "first", "beside")}
    room = {"nodes": tree.MAX_NODES, "depth": tree.MAX_DEPTH, "seats": MAX_SEATS}
    about = {"sizes": sizes, "node": node, "room": room}
    how = ", ".join([grow, *(f"{name}: {module.literal(value)}" for name, value in about.items())])
    module.constant("LEVELS", module.literal(LEVELS))
    module.units["bots"] = (0, f'{enable}("{game.id}", {{ {how} }});\n\nexport {{ LEVELS }};\n')


def modules(games: list[Game], checked: bool = False) -> dict[str, str]:
    """Return the text of all modules by their paths."""
    translated = program(games, checked)
    written = words(translated, games).write()
    return write(translated) | written | {"schema.js": schema()}


def write_modules(games: list[Game], folder: Path) -> None:
    """Write the modules of some games into a folder."""
    for name, text in modules(games).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
