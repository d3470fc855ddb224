"""Where compiled code is kept on disk."""

from __future__ import annotations

__all__ = ["KEPT_CACHES", "SPEAKING", "cache_folder", "caching_in"]

import contextlib
import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import config

from upcard.core.game import registered
from upcard.core.rule import RULES

KEPT_CACHES = 6

# Modules that speak of rules and have none: nothing needs to be compiled anew for another word.
SPEAKING = ("draw.py", "rulebook.py", "show.py", "why.py", "words.py")


@functools.cache
def cache_folder(home: str = "upcard") -> Path:
    """Return the folder of compiled code for exactly these sources and this Numba.

    Numba's cache does not see that a called function has changed; a folder named by a hash of all
    sources does. `home` is the package of the entry that is compiled, where it is not ours.
    """
    wanted = os.environ.get("UPCARD_CACHE") or platformdirs.user_cache_dir("upcard", False)
    for root in (Path(wanted), Path(tempfile.gettempdir()) / f"upcard-{_user()}"):
        folder = root / "compiled" / _fingerprint(home)
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


def _fingerprint(home: str) -> str:
    """Hash our own sources, and those of rules that an entry or a game of somebody else brings.

    The layers above the bots have entries, but no rules; and Numba sees by itself when the file of
    an entry has changed.
    """
    package = Path(__file__).parents[1]
    layers = ("core", "games", "bots")
    sources = {
        path for layer in layers for path in (package / layer).rglob("*.py") if path.name not in SPEAKING
    }
    guests = {home, *(_package_of(game.Table) for game in registered())} - {"upcard"}
    rules = [inspect.unwrap(rule.plain) for rule in RULES if _package_of(rule.plain) in guests]
    sources |= {Path(rule.__code__.co_filename) for rule in rules}
    digest = hashlib.sha256()
    for source in sorted(sources):
        digest.update(source.read_bytes())
    digest.update(f"{numba.__version__} {sys.version} bounds={config.BOUNDSCHECK}".encode())
    return digest.hexdigest()[:20]


def _package_of(thing: Any) -> str:
    return str(thing.__module__).partition(".")[0]


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
def caching_in(folder: Path) -> Iterator[None]:
    """Let Numba keep the functions made meanwhile in a folder, and leave its settings alone."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
