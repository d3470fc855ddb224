"""Rules as machine code.

Nothing imports this module until something is to be compiled, so a table that runs plain never
waits for NumPy or Numba.
"""

from __future__ import annotations

__all__ = ["Entry", "announce", "compiled"]

import functools
import hashlib
import sys
import threading
from collections.abc import Callable
from multiprocessing import parent_process
from pathlib import Path
from typing import Any

import numba
from filelock import FileLock
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload

from upcard.core import game as games
from upcard.core.cache import cache_folder, caching_in
from upcard.core.memory import dtype_of
from upcard.core.record import assign
from upcard.core.rule import RULES, Rule


def _teach_numba() -> None:
    """Tell Numba about the rules and verbs it has not met yet: all of them, before any thread goes on."""
    with _building:
        for rule in RULES:
            if rule.plain not in _known:
                _known.add(rule.plain)
                overload(rule.plain, strict=False)(_table_or_view(rule))
        for verb in games.VERBS:
            if verb not in _known:
                _known.add(verb)
                overload(verb, strict=False)(_by_first_argument(verb))


_known: set[Callable[..., Any]] = set()
_building = threading.RLock()


@intrinsic
def _copy_memory(context: Any, target: Any, source: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        length = ir.Constant(ir.IntType(64), target.size)
        cgutils.raw_memcpy(builder, *arguments, length, 1)
        return _context.get_dummy_value()

    return types.void(target, source), generate


@overload(assign, strict=False)
def _compiled_assign(target: Any, source: Any) -> Any:
    if not isinstance(target, types.Record) or target != source:
        return None
    return lambda target, source: _copy_memory(target, source)


def _table_or_view(rule: Rule) -> Callable[..., Any]:
    """Return what `overload` wants: a function from argument types to the implementation."""

    @functools.wraps(rule.compiled)
    def choose(*types_: Any) -> Callable[..., Any]:
        if rule.in_view is not None and "viewer" in types_[0].fields:
            return rule.in_view
        return rule.compiled

    return choose


def _by_first_argument(verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb means what the game of its first argument (a table or a view) says it means."""

    @functools.wraps(verb)
    def choose(record: Any, *_types: Any) -> Callable[..., Any] | None:
        game = _game_of(record)
        return None if game is None else game.rules[verb.__name__]

    return choose


def _game_of(memory: Any) -> games.Game | None:
    """Return the game whose tables or views have this type in Numba's eyes."""
    for game in games.registered():
        if any(memory == numba.from_dtype(dtype_of(kind)) for kind in (game.Table, game.View)):
            return game
    return None


class Entry:
    """A function that always runs compiled: built at its first call, or taken from disk.

    Only what Python calls needs to be an entry. Entries are module-level functions, so that the
    next start finds them in the cache, and they release the GIL, so that threads are enough.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    @property
    def folder(self) -> Path:
        """Where its compiled code is kept."""
        return cache_folder(self.function.__module__.partition(".")[0])

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's own object for this function."""
        with _building, caching_in(self.folder):
            dispatcher = numba.njit(cache=True, nogil=True)(self.function)
        build = dispatcher.compile
        dispatcher.compile = functools.partial(self._build, build)
        return dispatcher

    def _build(self, build: Callable[..., Any], signature: tuple[Any, ...]) -> Any:
        """Load what is on disk, or explain the rules to Numba and let it compile them."""
        described = hashlib.sha256(repr(signature).encode()).hexdigest()[:16]
        done = self.folder / f"{self.function.__name__}-{described}.done"
        # Numba reads, extends and writes the index of what it keeps of a function: of two processes that
        # compile it for two games at once, one would be forgotten.
        if not done.exists():
            with FileLock(self.folder / f"{self.function.__name__}.lock"):
                if not done.exists():
                    announce(f"Compiling {_game_among(signature)} for this machine (once, some seconds) ...")
                    _teach_numba()
                    built = build(signature)
                    done.touch()
                    return built
        return self._load(build, signature, done)

    def _load(self, build: Callable[..., Any], signature: tuple[Any, ...], done: Path) -> Any:
        try:
            return build(signature)
        except TypingError:
            # It was not on disk after all, and Numba stumbled over the first rule it met. It never
            # tries again what has failed once, so begin anew.
            done.unlink(missing_ok=True)
            del self.dispatcher
            return self.dispatcher.compile(signature)


def compiled(function: Callable[..., Any]) -> Entry:
    """Mark a function as one that Python calls and that always runs compiled."""
    return Entry(function)


def _game_among(signature: tuple[Any, ...]) -> str:
    """Return the title of the game whose tables these argument types are made of."""
    for argument in signature:
        game = _game_of(argument) or _game_of(getattr(argument, "dtype", None))
        if game is not None:
            return game.title
    return "the rules"


def announce(message: str) -> None:
    """Say once on standard error what takes a while. Nobody waits for other threads, and worker processes
    leave it to the one that started them."""
    in_foreground = threading.current_thread() is threading.main_thread() and parent_process() is None
    if in_foreground and message not in _announced:
        _announced.add(message)
        print(message, file=sys.stderr, flush=True)


# A command may compile several functions, and people wait for all of them at once.
_announced: set[str] = set()
