"""The search bot: it determinizes its view many times, and searches these tables with one tree."""

from __future__ import annotations

__all__ = ["Search", "can_search", "is_ready", "prepare"]

import atexit
import functools
import importlib.util
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from upcard.bots.bot import Budget, Thought, Turn
from upcard.bots.simple import Greedy
from upcard.core.chance import chance_of
from upcard.core.errors import ArgumentError, MissingPackage
from upcard.core.game import Game
from upcard.core.notation import whole
from upcard.core.text import quoted

if TYPE_CHECKING:
    from upcard.bots.tree import Tree

# Default budget.
DEFAULT_SIMULATIONS = 2_000
# Simulations between stopping checks. With a budget of time alone, whose results cannot be repeated anyway, a
# check is made after this number of seconds.
SIMULATIONS_PER_CHECK = 100
SECONDS_PER_CHECK = 0.003
# Maximum value of the counters of a tree.
MAX_SIMULATIONS = 1_000_000
MAX_THREADS = 64


class Search:
    """Information-set Monte Carlo tree search over tables that might be the real one."""

    def __init__(self, seed: bytes, options: str = "") -> None:
        if not can_search():
            raise MissingPackage("normal, hard, expert and search are compiled by Numba: pip install numba")
        self.threads = _read_threads(options)
        self.chance = chance_of(seed)

    def choose(self, turn: Turn) -> int:
        """Return the most visited move."""
        if len(turn.moves) == 1:
            return turn.moves[0]
        if turn.budget.hurry and not is_ready(turn.game):
            prepare(turn.game)
            return Greedy().choose(turn)
        return self.think(turn)[0].move

    def think(self, turn: Turn, truth: Any = None, knows_draws: bool = True) -> list[Thought]:
        """Return the visits and win probability of every move, the best first.

        `truth` is the real table, for the lab's clairvoyant alone: then nothing is determinized, or without
        `knows_draws` only the cards that will be drawn.
        """
        from upcard.core.memory import store

        view = store(turn.view)
        table = None if truth is None else store(truth)
        with _borrowed(turn.game, self.threads) as trees:
            for tree in trees:
                tree.plant(view, table, knows_draws, self.chance)
            if len(trees) == 1:
                _grow(trees[0], turn.budget)
            else:
                _grow_in_threads(trees, _shared(turn.budget, len(trees)))
            return _merged([_thoughts(tree) for tree in trees], turn)


def _read_threads(options: str) -> int:
    if not options:
        return 1
    name, _, value = options.partition("=")
    threads = whole(value) if name == "threads" else None
    if threads is None or not 1 <= threads <= MAX_THREADS:
        raise ArgumentError(f"search takes threads=1 to {MAX_THREADS}, not {quoted(options)}")
    return threads


def _shared(budget: Budget, threads: int) -> Budget:
    """Return the budget of each thread: all have the same time, simulations are divided."""
    if budget.seconds is not None and budget.simulations is None:
        return budget
    return replace(budget, simulations=-(-(budget.simulations or DEFAULT_SIMULATIONS) // threads))


def _grow_in_threads(trees: list[Tree], budget: Budget) -> None:
    with ThreadPoolExecutor(len(trees)) as pool:
        list(pool.map(_grow, trees, [budget] * len(trees)))


def _grow(tree: Tree, budget: Budget) -> None:
    """Search until the budget is used up, or until the rest of it cannot change the choice."""
    tree.grow(0)  # compiles if necessary, before the clock starts
    started = time.perf_counter()
    limit = budget.simulations or (DEFAULT_SIMULATIONS if budget.seconds is None else MAX_SIMULATIONS)
    limit = min(limit, MAX_SIMULATIONS)
    done, step = 0, SIMULATIONS_PER_CHECK
    while done < limit:
        step = min(step, limit - done)
        tree.grow(step)
        done += step
        left: float = limit - done
        if budget.seconds is not None:
            passed = time.perf_counter() - started
            left = min(left, (budget.seconds - passed) * done / passed)
            if budget.simulations is None:
                step = max(SIMULATIONS_PER_CHECK, int(SECONDS_PER_CHECK * done / passed))
        if left <= 0 or (not budget.exhaust and _lead(tree) > left):
            return


def _lead(tree: Tree) -> int:
    """Return the lead of the most visited move over the second, in visits."""
    visits = sorted((int(child["visits"]) for child in tree.children()), reverse=True)
    return visits[0] - visits[1] if len(visits) > 1 else MAX_SIMULATIONS


def _thoughts(tree: Tree) -> list[Thought]:
    """Return the visits and win probability of each move, in no order."""
    from upcard.bots.tree import WIN

    return [
        Thought(
            int(child["move"]),
            int(child["visits"]),
            int(child["won"]) / (WIN * max(1, int(child["visits"]))),
        )
        for child in tree.children()
    ]


def _merged(thoughts: list[list[Thought]], turn: Turn) -> list[Thought]:
    """Add up the results of several trees."""
    merged = []
    for move in turn.moves:
        same = [thought for tree in thoughts for thought in tree if thought.move == move]
        visits = sum(thought.visits for thought in same)
        won = sum(thought.win_probability * thought.visits for thought in same)
        merged.append(Thought(move, visits, won / visits if visits else 0.0))
    return sorted(merged, key=lambda thought: (-thought.visits, -thought.win_probability))


# Trees are large, so they are reused.

_free_trees: dict[str, list[Any]] = {}
_lock = threading.Lock()


@contextmanager
def _borrowed(game: Game, count: int) -> Iterator[list[Any]]:
    from upcard.bots.tree import Tree

    with _lock:
        free = _free_trees.setdefault(game.id, [])
        trees = [free.pop() for _ in range(min(count, len(free)))]
    trees += [Tree(game) for _ in range(count - len(trees))]
    try:
        yield trees
    finally:
        with _lock:
            free += trees


# Compiling takes a while, so a person does not wait for it.

_ready: set[str] = set()
_preparing: set[str] = set()
# The program of a process that compiles in the background: at low priority, since other tables have moves to
# make.
_COMPILING = """
import os, sys
from upcard.bots.search import prepare
from upcard.games import find
if hasattr(os, "nice"):
    os.nice(10)
prepare(find(sys.argv[1]), wait=True)
"""


@functools.cache
def can_search() -> bool:
    """Whether Numba is installed, which a search needs and a plain table does not."""
    try:
        return importlib.util.find_spec("numba") is not None
    except ImportError:
        return False


def is_ready(game: Game) -> bool:
    """Whether the search of a game is compiled."""
    return game.id in _ready


def prepare(game: Game, wait: bool = False) -> None:
    """Compile the search of a game, or load compiled code, in the background unless `wait` is set."""
    if is_ready(game):
        return
    if wait:
        _compile(game)
        return
    with _lock:
        if game.id not in _preparing:
            _preparing.add(game.id)
            threading.Thread(target=_compile_in_background, args=(game,), daemon=True).start()


def _compile_in_background(game: Game) -> None:
    """Compile in another process, which saves the code on disk, and then load it: a compiler in this process
    would slow down everything else."""
    mark = _ready_file(game)
    # Without a cache folder, the code of another process would be lost.
    if mark is not None and not mark.exists():
        _compile_in_process(game)
    _compile(game)


def _compile_in_process(game: Game) -> None:
    from upcard.core.cache import cache_root

    # In its own session Ctrl-C does not reach it.
    process = subprocess.Popen(
        [sys.executable, "-c", _COMPILING, game.id],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "UPCARD_CACHE": str(cache_root())},
    )
    # Kill the child process at interpreter exit.
    atexit.register(process.kill)
    process.wait()
    atexit.unregister(process.kill)


def _compile(game: Game) -> None:
    table = game.deal({}, b"any")
    turn = Turn(game, game.view(table, table.to_move), game.legal_moves(table), budget=Budget(1))
    Search(b"any").think(turn)
    mark = _ready_file(game)
    if mark is not None:
        with suppress(OSError):
            mark.touch()
    _ready.add(game.id)


def _ready_file(game: Game) -> Path | None:
    """Return the file that exists once the search of a game has been compiled on this machine, or None
    without a cache folder."""
    from upcard.core.cache import cache_folder

    folder = cache_folder()
    return None if folder is None else folder / f"search {game.id}"
