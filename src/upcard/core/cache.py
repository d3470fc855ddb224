"""The cache of compiled code on disk, and how damage to it is detected.

Nothing here raises because of the state of the disk: if the cache is damaged, full, read-only or untrusted,
code is compiled again.
"""

from __future__ import annotations

__all__ = ["KEPT_CACHES", "SPEAKING", "SavedCode", "cache_folder", "cache_root", "folder_of_game"]

import atexit
import contextlib
import functools
import hashlib
import inspect
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
import platformdirs
from filelock import FileLock
from numba.core import config

from upcard.core.rule import RULES

KEPT_CACHES = 6
OURS = "upcard"

# Modules without rules: changing a sentence there does not require compiling again.
SPEAKING = ("render.py", "rulebook.py", "show.py", "why.py", "words.py")


# Folders


@functools.cache
def cache_folder(home: str = OURS) -> Path | None:
    """Return the folder of compiled code for exactly these sources, this Numba and this processor.

    Numba's cache does not see that a called function has changed; a folder named by a hash of all sources
    does. `home` is the package of the compiled entry, if it is not ours. The result is None if there can be
    no cache: no folder can be written, or a source cannot be read. Code that belongs to a game of another
    distribution has a folder of its own in it (`folder_of_game`).
    """
    root = cache_root()
    try:
        if root is None:
            return None
        return _used(root / "compiled" / _fingerprint(home))
    except OSError:
        return None


def folder_of_game(folder: Path, package: str) -> Path | None:
    """Return the folder in a cache folder for code that contains the rules of a game. For a game of another
    distribution, it is named by a hash of all sources there, which are not part of the hash of the cache
    folder itself.
    """
    top = package.partition(".")[0]
    if top == OURS:
        return folder
    try:
        return _used(folder / top / _hash_of_package(top))
    except OSError:
        return None


def _used(folder: Path) -> Path:
    """Create a folder if necessary, and delete the oldest ones beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "used").touch()
    _forget_old(folder.parent)
    return folder


@functools.cache
def _hash_of_package(package: str) -> str:
    folders = [Path(folder) for folder in sys.modules[package].__path__]
    sources = [path for folder in folders for path in folder.rglob("*.py") if path.name not in SPEAKING]
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


@functools.cache
def cache_root() -> Path | None:
    """Return the root of all of Upcard's caches, or None if no folder can be written."""
    for choice in (_chosen_root, _user_root, _temporary_root):
        with contextlib.suppress(OSError):
            root = choice()
            if root is not None and _is_writable(root):
                return root
    return None


def _chosen_root() -> Path | None:
    """Return the folder that the environment names; it is trusted, regardless of its owner."""
    chosen = os.environ.get("UPCARD_CACHE")
    if not chosen:
        return None
    Path(chosen).mkdir(parents=True, exist_ok=True)
    return Path(chosen)


def _user_root() -> Path | None:
    if os.environ.get("UPCARD_CACHE"):
        return None
    folder = Path(platformdirs.user_cache_dir("upcard", False))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder if _is_ours(folder) else None


def _temporary_root() -> Path:
    """Return a folder for temporary files that only we can write; its name is known in advance, so another
    user may have made it."""
    folder = Path(tempfile.gettempdir()) / f"upcard-{_user()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    if _is_ours(folder) and not folder.lstat().st_mode & _WRITABLE_BY_OTHERS:
        return folder
    private = Path(tempfile.mkdtemp(prefix="upcard-"))
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    return private


_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH if hasattr(os, "getuid") else 0


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _is_ours(folder: Path) -> bool:
    """Tell whether this is a real folder that belongs to us: code from another user's folder would run with
    our rights. On Windows these folders are the user's own, and files have no owner to compare."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and (not hasattr(os, "getuid") or found.st_uid == os.getuid())


def _is_writable(folder: Path) -> bool:
    """Numba refuses even to read from a folder in which it cannot create a file."""
    tempfile.TemporaryFile(dir=folder).close()
    return True


def _fingerprint(home: str) -> str:
    """Hash our own sources, those of the rules in the package of an entry (`home`), and everything else that
    affects their machine code.

    The layers above the bots have entries, but no rules; the file of an entry is checked with its code.
    """
    package = Path(__file__).parents[1]
    layers = ("core", "games", "bots")
    sources = {
        path for layer in layers for path in (package / layer).rglob("*.py") if path.name not in SPEAKING
    }
    if home != OURS:
        rules = [inspect.unwrap(rule.plain) for rule in RULES if _package_of(rule.plain) == home]
        sources |= {Path(rule.__code__.co_filename) for rule in rules}
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.read_bytes())
    # Numba finds its files by the path of the source, so two installations cannot share them.
    settings = (
        *(str(package), sys.version, numba.__version__, np.__version__, config.BOUNDSCHECK, config.OPT),
        *(llvm.get_process_triple(), config.CPU_NAME or llvm.get_host_cpu_name()),
        config.CPU_FEATURES or llvm.get_host_cpu_features().flatten(),
    )
    digest.update(repr(settings).encode())
    return digest.hexdigest()[:20]


def _package_of(thing: Any) -> str:
    return str(thing.__module__).partition(".")[0]


def _forget_old(caches: Path) -> None:
    """Keep only the most recently used folders: each change of the sources creates a new one."""
    newest_first = sorted(caches.iterdir(), key=lambda folder: -_last_use(folder))
    for folder in newest_first[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


def _last_use(folder: Path) -> float:
    try:
        return (folder / "used").stat().st_mtime
    except OSError:
        return 0.0


# The code of one function


class SavedCode:
    """The compiled code of one function for one signature, in a folder of its own.

    Numba writes the folder. Beside it is a seal, written last: a hash of every file and of the function's
    source. Code is loaded only if the seal matches, so files that are missing, truncated, outdated or still
    being written are never read.
    """

    def __init__(self, folder: Path, function: Callable[..., Any], signature: object) -> None:
        self._source = Path(function.__code__.co_filename)
        # Numba finds its files by the path of the source: two environments have two paths and share nothing.
        described = repr((function.__module__, str(self._source.absolute()), signature))
        name = f"{function.__name__}-{hashlib.sha256(described.encode()).hexdigest()[:16]}"
        self.folder = folder / name
        self._seal = folder / f"{name}.sha256"
        self._lock = folder / f"{name}.lock"

    def is_intact(self) -> bool:
        """Whether the files are exactly those that were sealed."""
        try:
            return self._seal.read_text("ascii") == self._digest()
        except (OSError, ValueError):
            return False

    def seal(self) -> None:
        """Declare the files complete."""
        with contextlib.suppress(OSError):
            # If only a part of it can be written, the seal is invalid, as it should be.
            self._seal.write_text(self._digest(), "ascii")

    def discard(self) -> bool:
        """Delete the files, and tell whether they are gone."""
        with contextlib.suppress(OSError):
            self._seal.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        return not self.folder.exists()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from compiling the same at the same time.

        This only saves time, so without a lock the work continues.
        """
        lock = FileLock(self._lock)
        with contextlib.suppress(OSError, NotImplementedError):
            self._lock.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    @contextlib.contextmanager
    def chosen(self) -> Iterator[None]:
        """Make Numba cache the functions decorated in this context here and nowhere else."""
        before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
        # By default, Numba would write into the folder of the source if it cannot write here.
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(self.folder), "UserProvidedCacheLocator"
        try:
            yield
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before

    def _digest(self) -> str:
        digest = hashlib.sha256(self._source.read_bytes())
        for path in sorted(path for path in self.folder.rglob("*") if path.is_file()):
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()
