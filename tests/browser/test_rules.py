"""Rules in JavaScript agree with compiled ones, which agree with plain ones."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser.node import run, write_all
from tests.cases import ALL_CASES, CASES
from upcard.bots import Budget, Search, Turn, tree
from upcard.bots.tree import Tree
from upcard.browser.modules import program, words
from upcard.browser.schema import schema
from upcard.core.chance import Chance, chance_of, key_of, rekey, set_key
from upcard.core.game import Game, apply, deal
from upcard.core.javascript import write
from upcard.core.javascript.layout import offset_of, size_of
from upcard.core.javascript.types import Items, Place
from upcard.core.memory import INT, dtype_of, empty, store
from upcard.core.table import Result
from upcard.games import GAMES, find
from upcard.testing.cases import Case
from upcard.testing.compiled import ROOM, trace

HERE = Path(__file__).parent
NUMBERS = Items()
# Enough for everything that `trace` records.
MEMORY = 1 << 25

each_game = pytest.mark.parametrize("game", [find(name) for name in GAMES], ids=lambda game: game.id)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of all games, with checks of every number and index, and `trace` beside them."""
    folder = tmp_path_factory.mktemp("modules")
    games = [find(name) for name in GAMES]
    translated = program(games, checked=True)
    said = words(translated, games).write()
    for game in games:
        table, tables = Place(game.Table), Items(game.Table, ROOM)
        kept = (tables, Items(game.View, ROOM), tables, NUMBERS, NUMBERS, Place(Result))
        translated.add(f"{game.id}/trace", trace, table, NUMBERS, NUMBERS, *kept)
    write_all(write(translated, MEMORY) | said | {"schema.js": schema()}, folder)
    return folder


@pytest.mark.compiled
@each_game
def test_every_game_is_the_same_in_javascript_move_by_move(game: Game, modules: Path) -> None:
    play_all([case for case in CASES if case.game is game], modules)


@each_game
def test_a_game_loads_no_module_of_another_game(game: Game, modules: Path) -> None:
    folders = (modules / game.id, modules / "upcard" / "games" / game.id)
    texts = [path.read_text("utf-8") for folder in folders for path in folder.glob("*.js")]
    assert len(texts) > 4
    imported = {
        part for text in texts for one in re.findall(r' from "(.*)";', text) for part in one.split("/")
    }
    assert imported & set(GAMES) <= {game.id}
    assert "search.js" in imported


@pytest.mark.soak
@pytest.mark.compiled
@each_game
def test_every_combination_of_options_is_the_same_in_javascript(game: Game, modules: Path) -> None:
    cases = [case for case in ALL_CASES if case.game is game]
    for first in range(0, len(cases), 50):
        play_all(cases[first : first + 50], modules)


def play_all(cases: Any, modules: Path) -> None:
    """Play cases of one game compiled, plain and in JavaScript; compare all memory and all events."""
    game = cases[0].game
    compiled = [traced(case) for case in cases]
    sizes = {"table": size_of(game.Table), "view": size_of(game.View), "result": size_of(Result)}
    sizes |= {"moves": game.max_legal, "chance": offset_of(game.Table, "chance")}
    task = {"folder": str(modules), "game": game.id, "room": ROOM, "sizes": sizes}
    games = [{name: one[name] for name in ("start", "keys", "choices")} for one in compiled]
    for case, ours, theirs in zip(
        cases, compiled, run(HERE / "trace.js", task | {"games": games}), strict=True
    ):
        assert theirs["made"] == ours["made"], case
        assert theirs["hash"] == ours["hash"], case
        assert theirs["events"] == events_of(case, ours["choices"]), case


def traced(case: Case) -> dict[str, Any]:
    """Play a game compiled, and return all its results."""
    game = case.game
    keys = np.array([key_of(str(case).encode()), key_of(b"dice")], INT)
    start = store(game.new_table(game.complete(case.options), Chance()))
    tables, imagined = np.zeros(ROOM, dtype_of(game.Table)), np.zeros(ROOM, dtype_of(game.Table))
    views, choices, result = np.zeros(ROOM, dtype_of(game.View)), np.zeros(ROOM, INT), empty(Result)
    before = numbers_of(start)
    made = trace(start, *keys, tables, views, imagined, np.zeros(game.max_legal, INT), choices, result)
    digest = hashlib.sha256()
    for kept in (tables, views, imagined, choices):
        digest.update(kept[: made + 1].tobytes())
    digest.update(result.tobytes())
    return {
        "start": before,
        "keys": keys.tolist(),
        "made": made,
        "hash": digest.hexdigest(),
        "choices": choices[:made].tolist(),
    }


def events_of(case: Case, choices: list[int]) -> list[Any]:
    """Return the events of the same game, played plain: those of the deal, then those of each move."""
    game = case.game
    table = game.new_table(game.complete(case.options), Chance())
    set_key(table.chance, key_of(str(case).encode()))
    heard: list[Any] = []

    def listen(action: Any, *arguments: Any) -> None:
        table.events = []
        action(table, *arguments)
        heard.append(
            [
                [int(one.kind), one.seat, one.card, one.place, one.other, one.audience, [*one.cards]]
                for one in table.events
            ]
        )

    listen(deal)
    for choice in choices:
        listen(apply, game.legal_moves(table)[choice])
    return heard


def numbers_of(memory: Any) -> list[int]:
    """Return the numbers of a compiled struct."""
    return np.frombuffer(memory.tobytes(), INT).tolist()  # type: ignore[no-any-return]  # NumPy says less


@pytest.mark.compiled
@each_game
def test_a_search_visits_every_move_as_often_as_the_compiled_one(game: Game, modules: Path) -> None:
    table = game.deal({"players": 3}, b"search")
    for _ in range(5):
        apply(table, game.legal_moves(table)[0])
    view = game.view(table, table.to_move)
    grown = Tree(game)
    grown.plant(store(view), None, True, chance_of(b"dice"))
    grown.grow(3_000)
    dice = Chance()
    rekey(dice, chance_of(b"dice"))
    structs = {"table": game.Table, "result": Result, "nodes": tree.Node, "growth": tree.Growth}
    task = {
        "folder": str(modules),
        "game": game.id,
        "simulations": 3_000,
        "horizon": game.horizon,
        "view": numbers_of(store(view)),
        "dice": numbers_of(store(dice)),
        "sizes": {name: size_of(struct) for name, struct in structs.items()},
        "room": {"moves": game.max_legal, "all": game.move_count, "nodes": tree.MAX_NODES},
    }
    answer = run(HERE / "search.js", task)
    found = np.array(answer["grown"], INT).view(dtype_of(tree.Node))
    ours = grown.nodes[: len(found)]
    assert len(found) == grown.growth["nodes"] > 100
    for name in ("move", "seat", "visits", "possible", "won"):
        assert found[name].ravel().tolist() == ours[name].tolist(), name
    turn = Turn(game, view, game.legal_moves(table), budget=Budget(500))
    thoughts = Search(b"dice").think(turn)
    assert answer["thoughts"] == [[one.move, one.visits, one.win_probability] for one in thoughts]
