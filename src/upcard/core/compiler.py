"""Rules as machine code.

Nothing imports this module until something is to be compiled, so a table that runs plain never
waits for NumPy or Numba.
"""

from __future__ import annotations

__all__ = ["CompiledFunction", "announce", "compiled"]

import contextlib
import functools
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from types import FrameType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.event import Listener, install_listener
from numba.extending import intrinsic, overload

from upcard.core import encoding
from upcard.core import game as games
from upcard.core.cache import SavedCode, cache_folder, folder_of_game
from upcard.core.memory import dtype_of
from upcard.core.rule import RULES, Rule
from upcard.core.struct import assign


def _teach_numba() -> None:
    """Register all rules and verbs that Numba does not know yet, before any thread continues."""
    with _teaching:
        for rule in RULES:
            if rule.plain not in _known:
                _known.add(rule.plain)
                overload(rule.plain, strict=False)(_table_or_view(rule))
        for verb in (*games.VERBS, *encoding.VERBS):
            if verb not in _known:
                _known.add(verb)
                overload(verb, strict=False)(_by_first_argument(verb))


_known: set[Callable[..., Any]] = set()
_teaching = threading.Lock()
# Numba's settings are global to all threads.
_numba_settings = threading.Lock()


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
        return rule.body(rule.in_view is not None and "viewer" in types_[0].fields)

    return choose


def _by_first_argument(verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb means what the game of its first argument (a table or a view) says it means."""

    @functools.wraps(verb)
    def choose(record: Any, *_types: Any) -> Callable[..., Any] | None:
        game = _game_of(record)
        if game is None:
            return None
        rules = game.rules if verb in games.VERBS else encoding.encoding_of(game).rules
        return rules[verb.__name__]

    return choose


def _game_of(memory: Any) -> games.Game | None:
    """Return the game whose tables or views have this type in Numba's eyes."""
    for game in games.registered():
        if any(memory == numba.from_dtype(dtype_of(kind)) for kind in (game.Table, game.View)):
            return game
    return None


class CompiledFunction:
    """A function that always runs compiled: built at its first call, or taken from disk.

    Only functions that Python calls need this. They are module-level functions, so that the next start finds
    them in the cache, and they release the GIL, so that threads are enough.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self._by_kinds: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self._by_signature: dict[tuple[Any, ...], Code] = {}
        self._building = threading.Lock()

    def __call__(self, *arguments: Any) -> Any:
        kinds = tuple(map(_kind, arguments))
        call = self._by_kinds.get(kinds)
        if call is None:
            call = self._by_kinds[kinds] = self.code_for(*arguments).dispatcher
        return call(*arguments)

    @property
    def folder(self) -> Path | None:
        """Where its compiled code is kept, or None if it cannot be kept."""
        return cache_folder(self.function.__module__.partition(".")[0])

    def code_for(self, *arguments: Any) -> Code:
        """Return the compiled code for arguments of these types; it is compiled at most once."""
        signature = tuple(map(numba.typeof, arguments))
        with self._building:
            if signature not in self._by_signature:
                self._by_signature[signature] = self._load_or_compile(signature)
            return self._by_signature[signature]

    def _load_or_compile(self, signature: tuple[Any, ...]) -> Code:
        folder, game = self.folder, _game_among(signature)
        if folder is not None and game is not None:
            folder = folder_of_game(folder, game.package)
        if folder is None:
            return self._compile(signature, None)
        saved = SavedCode(folder, self.function, signature)
        code = self._load(signature, saved)
        if code is not None:
            return code
        with saved.locked():
            # Another process may have compiled it in the meantime.
            return self._load(signature, saved) or self._compile(signature, saved)

    def _load(self, signature: tuple[Any, ...], saved: SavedCode) -> Code | None:
        if not saved.is_intact():
            return None
        try:
            return _build(self._decorated(saved), signature)
        except Exception:
            # We wrote it completely, and yet Numba cannot use it. Whatever the reason, it can be compiled
            # again.
            return None

    def _compile(self, signature: tuple[Any, ...], saved: SavedCode | None) -> Code:
        game = _game_among(signature)
        title = "the rules" if game is None else game.title
        announce(f"Compiling {title} for this machine (once, some seconds) ...")
        _teach_numba()
        if saved is not None and saved.discard():
            # Numba raises a RuntimeError if it cannot write at all.
            with contextlib.suppress(OSError, RuntimeError):
                return self._compile_and_save(signature, saved)
        return _build(self._decorated(None), signature)

    def _compile_and_save(self, signature: tuple[Any, ...], saved: SavedCode) -> Code:
        dispatcher = self._decorated(saved)
        try:
            code = _build(dispatcher, signature)
        except OSError:
            # Numba compiles first and then writes, so on a full disk the code exists anyway.
            if signature in dispatcher.signatures:
                return _build(dispatcher, signature)
            raise
        saved.seal()
        return code

    def _decorated(self, saved: SavedCode | None) -> Any:
        if saved is None:
            return numba.njit(nogil=True)(self.function)
        with _numba_settings, saved.chosen():
            return numba.njit(cache=True, nogil=True)(self.function)


@dataclass(frozen=True)
class Code:
    """A function compiled for one signature: Numba's dispatcher, which checks the types of arguments, and the
    bare function, which trusts its caller."""

    dispatcher: Any
    unchecked: Callable[..., Any]


def _build(dispatcher: Any, signature: tuple[Any, ...]) -> Code:
    """Have Numba load the code from disk or, if there is none, compile it."""
    with _interrupts_between_passes():
        unchecked = dispatcher.compile(signature)
    dispatcher.disable_compile()
    return Code(dispatcher, unchecked)


def _kind(argument: Any) -> Any:
    """Return a key that decides an argument's type in Numba; `numba.typeof` takes far longer."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    if isinstance(argument, np.generic):
        return argument.dtype
    return type(argument) if isinstance(argument, int | float) else numba.typeof(argument)


@contextlib.contextmanager
def _interrupts_between_passes() -> Iterator[None]:
    """Handle Ctrl-C only between two passes of the compiler.

    LLVM calls back into Python, and an exception raised in such a call is printed and forgotten.
    """
    handle = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handle):
        yield
        return
    waiting = _WaitingInterrupts(handle)
    signal.signal(signal.SIGINT, waiting.add)
    try:
        with install_listener("numba:run_pass", waiting):
            yield
    finally:
        signal.signal(signal.SIGINT, handle)
        waiting.handle()


class _WaitingInterrupts(Listener):  # type: ignore[misc]  # Numba has no types
    """Signals that have arrived and are not handled yet."""

    def __init__(self, handler: Callable[[int, FrameType | None], Any]) -> None:
        self._handler = handler
        self._waiting: list[int] = []

    def add(self, number: int, _frame: FrameType | None) -> None:
        self._waiting.append(number)

    def handle(self) -> None:
        if self._waiting and threading.current_thread() is threading.main_thread():
            self._handler(self._waiting.pop(), None)

    def on_start(self, _event: Any) -> None:
        self.handle()

    def on_end(self, _event: Any) -> None:
        pass


def compiled(function: Callable[..., Any]) -> CompiledFunction:
    """Decorate a function that Python calls and that always runs compiled."""
    return CompiledFunction(function)


def _game_among(signature: tuple[Any, ...]) -> games.Game | None:
    """Return the game whose tables or views are among these argument types, also within tuples."""
    inside = [one for argument in signature for one in getattr(argument, "types", (argument,))]
    for argument in inside:
        game = _game_of(argument) or _game_of(getattr(argument, "dtype", None))
        if game is not None:
            return game
    return None


def announce(message: str) -> None:
    """Report once on standard error that something takes a while. Threads in the background do not report it,
    since no one waits for them, and worker processes leave it to their parent."""
    in_foreground = threading.current_thread() is threading.main_thread() and parent_process() is None
    if in_foreground and message not in _announced:
        _announced.add(message)
        print(message, file=sys.stderr, flush=True)


# Messages that were shown: a command may compile several functions.
_announced: set[str] = set()
