"""The search bot: it imagines many tables that look like what it sees, and plays them to the end."""

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
from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.core.notation import whole
from upcard.core.text import quoted

if TYPE_CHECKING:
    from upcard.bots.tree import Tree

# Where a budget says nothing at all.
SIMULATIONS = 2_000
# So many simulations are made between two looks at what came of them. Where only time counts, and
# not that the same comes of it every time, there are as many more as fit into some thousandths of a second.
BETWEEN_LOOKS = 100
SECONDS_BETWEEN_LOOKS = 0.003
# More than this a tree cannot count, and nobody needs it.
MOST_SIMULATIONS = 1_000_000
MOST_THREADS = 64


class Search:
    """Information-set Monte Carlo tree search over tables that might be the real one."""

    def __init__(self, seed: bytes, options: str = "") -> None:
        if not can_search():
            raise UpcardError("normal, hard, expert and search are compiled by Numba: pip install numba")
        self.threads = _read_threads(options)
        self.chance = chance_of(seed)

    def choose(self, turn: Turn) -> int:
        if len(turn.moves) == 1:
            return turn.moves[0]
        if turn.budget.hurry and not is_ready(turn.game):
            prepare(turn.game)
            return Greedy().choose(turn)
        return self.think(turn)[0].move

    def think(self, turn: Turn, truth: Any = None, knows_draws: bool = True) -> list[Thought]:
        """Return what it thinks of every move, the best first.

        `truth` is the table as it is, for the lab's clairvoyant alone: it is then not imagined, or only
        what is yet to be drawn.
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
                with ThreadPoolExecutor(len(trees)) as crew:
                    list(crew.map(_grow, trees, [_shared(turn.budget, len(trees))] * len(trees)))
            return _merged([tree.thoughts() for tree in trees], turn)


def _read_threads(options: str) -> int:
    if not options:
        return 1
    name, _, value = options.partition("=")
    threads = whole(value) if name == "threads" else None
    if threads is None or not 1 <= threads <= MOST_THREADS:
        raise UpcardError(f"search takes threads=1 to {MOST_THREADS}, not {quoted(options)}")
    return threads


def _shared(budget: Budget, threads: int) -> Budget:
    """Return the part of a budget that each thread has: time is everybody's, simulations are divided."""
    if budget.seconds is not None and budget.simulations is None:
        return budget
    return replace(budget, simulations=-(-(budget.simulations or SIMULATIONS) // threads))


def _grow(tree: Tree, budget: Budget) -> None:
    """Let a tree grow until the budget is used up, or what is left of it can change nothing."""
    tree.grow(0)  # where this was never compiled, now it is, and the clock does not count that
    started = time.perf_counter()
    most = budget.simulations or (SIMULATIONS if budget.seconds is None else MOST_SIMULATIONS)
    most = min(most, MOST_SIMULATIONS)
    done, step = 0, BETWEEN_LOOKS
    while done < most:
        step = min(step, most - done)
        tree.grow(step)
        done += step
        left: float = most - done
        if budget.seconds is not None:
            passed = time.perf_counter() - started
            left = min(left, (budget.seconds - passed) * done / passed)
            if budget.simulations is None:
                step = max(BETWEEN_LOOKS, int(SECONDS_BETWEEN_LOOKS * done / passed))
        if left <= 0 or (not budget.exhaust and tree.lead() > left):
            return


def _merged(thoughts: list[list[Thought]], turn: Turn) -> list[Thought]:
    """Put together what several trees think of the same moves."""
    merged = []
    for move in turn.moves:
        same = [thought for tree in thoughts for thought in tree if thought.move == move]
        visits = sum(thought.visits for thought in same)
        won = sum(thought.chance * thought.visits for thought in same)
        merged.append(Thought(move, visits, won / visits if visits else 0.0))
    return sorted(merged, key=lambda thought: (-thought.visits, -thought.chance))


# Trees are large, so they are kept and used again.

_shelf: dict[str, list[Any]] = {}
_guard = threading.Lock()


@contextmanager
def _borrowed(game: Game, count: int) -> Iterator[list[Any]]:
    from upcard.bots.tree import Tree

    with _guard:
        free = _shelf.setdefault(game.id, [])
        trees = [free.pop() for _ in range(min(count, len(free)))]
    trees += [Tree(game) for _ in range(count - len(trees))]
    try:
        yield trees
    finally:
        with _guard:
            free += trees


# Compiling takes a while, and nobody should have to wait for it.

_ready: set[str] = set()
_preparing: set[str] = set()
# What is run to compile a game where nobody waits: with patience, as others have moves to make.
_ASIDE = """
import os, sys
from upcard.bots.search import prepare
from upcard.games import find
if hasattr(os, "nice"):
    os.nice(10)
prepare(find(sys.argv[1]), wait=True)
"""


@functools.cache
def can_search() -> bool:
    """Tell whether what a search needs is installed; a plain table does without."""
    try:
        return importlib.util.find_spec("numba") is not None
    except ImportError:
        return False


def is_ready(game: Game) -> bool:
    """Tell whether the search of a game is compiled."""
    return game.id in _ready


def prepare(game: Game, wait: bool = False) -> None:
    """Compile the search of a game in the background (or here and now), or load what was compiled before."""
    if is_ready(game):
        return
    if wait:
        _compile(game)
        return
    with _guard:
        if game.id not in _preparing:
            _preparing.add(game.id)
            threading.Thread(target=_compile_aside, args=(game,), daemon=True).start()


def _compile_aside(game: Game) -> None:
    """Compile in a process of its own, which leaves it on disk, since a compiler in this one would be in the
    way of all that happens here; then load it."""
    mark = _mark(game)
    # Where nothing can be kept, another process would compile it for nobody.
    if mark is not None and not mark.exists():
        _run_aside(game)
    _compile(game)


def _run_aside(game: Game) -> None:
    from upcard.core.cache import cache_root

    # In a session of its own, Ctrl-C does not reach it.
    process = subprocess.Popen(
        [sys.executable, "-c", _ASIDE, game.id],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "UPCARD_CACHE": str(cache_root())},
    )
    # Who leaves does not leave it behind.
    atexit.register(process.kill)
    process.wait()
    atexit.unregister(process.kill)


def _compile(game: Game) -> None:
    table = game.deal({}, b"any")
    turn = Turn(game, game.view(table, table.to_move), game.legal_moves(table), budget=Budget(1))
    Search(b"any").think(turn)
    mark = _mark(game)
    if mark is not None:
        with suppress(OSError):
            mark.touch()
    _ready.add(game.id)


def _mark(game: Game) -> Path | None:
    """Return the file that exists once the search of a game has been compiled on this machine, or None if
    nothing can be kept."""
    from upcard.core.cache import cache_folder

    folder = cache_folder()
    return None if folder is None else folder / f"search {game.id}"
