"""The compiled side: records as NumPy memory, rules as machine code, and the cache on disk.

Nothing imports this module until something is to be compiled, so a table that runs plain never
waits for NumPy or Numba.
"""

from __future__ import annotations

__all__ = ["Entry", "announce", "cache_folder", "compiled", "dtype_of", "empty", "load", "store"]

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba.core import cgutils, config, types
from numba.extending import intrinsic, overload

from upcard.core import game as games
from upcard.core.errors import FieldError
from upcard.core.record import WIDTH, Field, Record, assign, fields
from upcard.core.rule import RULES

AnyRecord = TypeVar("AnyRecord", bound=Record)

INT = np.dtype(f"i{WIDTH // 8}")
KEPT_CACHES = 6


# Records as memory


def dtype_of(record: type[Record]) -> np.dtype[Any]:
    """Return the memory layout of a record."""
    if record not in _layouts:
        _layouts[record] = np.dtype([_layout(record, name, field) for name, field in fields(record).items()])
    return _layouts[record]


_layouts: dict[type[Record], np.dtype[Any]] = {}


def _layout(owner: type[Record], name: str, field: Field) -> tuple[Any, ...]:
    if hasattr(np.ndarray, name) or hasattr(np.record, name):
        raise FieldError(f"{owner.__name__}.{name}: NumPy owns that name, choose another")
    inner = INT if field.record is None else dtype_of(field.record)
    return (name, inner) if field.length is None else (name, inner, (field.length,))


def empty(record: type[Record]) -> Any:
    """Return a compiled record with all numbers zero."""
    return np.zeros(1, dtype_of(record))[0]


def store(record: Record) -> Any:
    """Return a compiled copy of a plain record; a number that does not fit is an error."""
    memory = empty(type(record))
    _store(record, memory)
    return memory


def _store(record: Record, memory: Any) -> None:
    for name, field in fields(record).items():
        value = getattr(record, name)
        if field.record is None:
            memory[name] = np.array(value, INT)
        elif field.length is None:
            _store(value, memory[name])
        else:
            for item, place in zip(value, memory[name], strict=True):
                _store(item, place)


def load(kind: type[AnyRecord], memory: Any) -> AnyRecord:
    """Return a plain copy of a compiled record."""
    record = kind()
    for name, field in fields(kind).items():
        value = memory[name]
        if field.record is None:
            setattr(record, name, value.tolist())
        elif field.length is None:
            setattr(record, name, load(field.record, value))
        else:
            setattr(record, name, [load(field.record, item) for item in value])
    return record


# Rules as machine code


def _teach_numba() -> None:
    """Tell Numba about the rules and verbs it has not met yet."""
    for rule in RULES:
        if rule.plain not in _known:
            _known.add(rule.plain)
            overload(rule.plain, strict=False)(_always(rule.compiled))
    for verb in games.VERBS:
        if verb not in _known:
            _known.add(verb)
            overload(verb, strict=False)(_by_first_argument(verb))


_known: set[Callable[..., Any]] = set()


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


def _always(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what `overload` wants: a function from argument types to the implementation."""

    @functools.wraps(function)
    def choose(*_types: Any) -> Callable[..., Any]:
        return function

    return choose


def _by_first_argument(verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb means what the game of its first argument (a table or a view) says it means."""

    @functools.wraps(verb)
    def choose(record: Any, *_types: Any) -> Callable[..., Any] | None:
        for game in games.registered():
            for kind in (game.Table, game.View):
                if record == numba.from_dtype(dtype_of(kind)):
                    return game.rules[verb.__name__]
        return None

    return choose


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

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's own object for this function."""
        with _building, _cache_in(cache_folder()):
            dispatcher = numba.njit(cache=True, nogil=True)(self.function)
        build = dispatcher.compile
        dispatcher.compile = functools.partial(self._build, build)
        return dispatcher

    def _build(self, build: Callable[..., Any], signature: tuple[Any, ...]) -> Any:
        """Load what is on disk, or explain the rules to Numba and let it compile them."""
        done = self._mark_of(signature)
        if not (done.exists() and any(done.parent.rglob(f"*{self.function.__name__}*.nbi"))):
            announce(f"Compiling {_game_among(signature)} for this machine (once, some seconds) ...")
            _teach_numba()
        built = build(signature)
        done.touch()
        return built

    def _mark_of(self, signature: tuple[Any, ...]) -> Path:
        """Return the file whose being there says that Numba has this on disk.

        Like Numba itself, it holds what was compiled from a file with another date for stale.
        """
        source = Path(self.function.__code__.co_filename).stat()
        described = f"{signature} {source.st_mtime_ns} {source.st_size}"
        mark = hashlib.sha256(described.encode()).hexdigest()[:16]
        return cache_folder() / f"{self.function.__name__}-{mark}.done"


_building = threading.RLock()


def compiled(function: Callable[..., Any]) -> Entry:
    """Mark a function as one that Python calls and that always runs compiled."""
    return Entry(function)


def _game_among(signature: tuple[Any, ...]) -> str:
    """Return the title of the game whose tables these argument types are made of."""
    for game in games.registered():
        for kind in (game.Table, game.View):
            memory = numba.from_dtype(dtype_of(kind))
            if any(memory in (argument, getattr(argument, "dtype", None)) for argument in signature):
                return game.title
    return "the rules"


def announce(message: str) -> None:
    """Say on standard error what takes a while."""
    print(message, file=sys.stderr, flush=True)


# The cache on disk


@functools.cache
def cache_folder() -> Path:
    """Return the folder of compiled code for exactly these sources and this Numba.

    Numba's cache does not see that a called function has changed; a folder named by a hash of all
    sources does.
    """
    wanted = os.environ.get("UPCARD_CACHE") or platformdirs.user_cache_dir("upcard", False)
    for root in (Path(wanted), Path(tempfile.gettempdir()) / f"upcard-{_user()}"):
        folder = root / "compiled" / _fingerprint()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "used").write_text(str(time.time()))
        except OSError:
            continue
        _forget_old(folder.parent)
        return folder
    raise OSError("neither the cache folder nor the temporary folder can be written")


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _fingerprint() -> str:
    package = Path(__file__).parents[1]
    sources = {path for layer in ("core", "games", "bots", "lab") for path in _sources(package / layer)}
    sources |= {Path(rule.plain.__code__.co_filename) for rule in RULES}
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.read_bytes())
    digest.update(f"{numba.__version__} {sys.version} bounds={config.BOUNDSCHECK}".encode())
    return digest.hexdigest()[:20]


def _sources(folder: Path) -> Iterator[Path]:
    return folder.rglob("*.py")


def _forget_old(caches: Path) -> None:
    """Keep the folders used last: each change of the sources makes a new one."""
    newest_first = sorted(caches.iterdir(), key=lambda folder: -_last_use(folder))
    for folder in newest_first[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def _last_use(folder: Path) -> float:
    try:
        return (folder / "used").stat().st_mtime
    except OSError:
        return 0.0


@contextlib.contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Let Numba choose `folder` for the functions made meanwhile, and leave its settings alone."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
