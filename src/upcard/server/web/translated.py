"""The games as JavaScript, translated from Python when the first module is requested."""

from __future__ import annotations

__all__ = ["PREFIX", "module", "modules", "sources_hash"]

import functools
import hashlib
import sys
import threading
from pathlib import Path

from upcard.games import all_games

# How the names of these modules begin.
PREFIX = "rules/"
_lock = threading.Lock()
_found: dict[str, bytes] = {}


def modules() -> dict[str, bytes]:
    """Return all modules by name. Translating takes about two seconds, and happens once in a process."""
    # Imported here because it imports NumPy, which most servers need later or never.
    from upcard.browser.modules import modules as translate

    with _lock:
        if not _found:
            texts = translate(list(all_games()))
            _found.update({PREFIX + name: text.encode() for name, text in sorted(texts.items())})
    return _found


def module(name: str) -> bytes | None:
    """Return a module by its name; None if there is no such module."""
    return modules().get(name) if name.startswith(PREFIX) else None


@functools.cache
def sources_hash() -> bytes:
    """Return a hash of everything that the modules are translated from. It is available before they are
    translated."""
    packages = {"upcard", *(game.package.partition(".")[0] for game in all_games())}
    folders = [Path(folder) for package in sorted(packages) for folder in sys.modules[package].__path__]
    mixed = hashlib.sha256()
    for folder in folders:
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("javascript/runtime/*.js")]):
            mixed.update(path.read_bytes())
    return mixed.digest()
