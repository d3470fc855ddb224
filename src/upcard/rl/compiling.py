"""Entries of this layer: they know its verbs, and are kept apart by its sources."""

from __future__ import annotations

__all__ = ["RlEntry", "compiled"]

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.extending import overload

from upcard.core.compiler import Entry
from upcard.core.memory import dtype_of
from upcard.rl import encodings


class RlEntry(Entry):
    """An entry that may use rules of this layer too, of which the folder of the others knows nothing."""

    @property
    def folder(self) -> Path | None:
        """Where its compiled code is kept: another place for any other sources of this layer."""
        folder = super().folder
        return None if folder is None else folder / f"rl-{_fingerprint()}"

    def built_for(self, *arguments: Any) -> Callable[..., Any]:
        """Return the machine code for arguments of these types, for a caller that calls it often and never
        with other types: they are not checked any more, which takes longer than a short call."""
        return self.code_for(*arguments).unchecked


def compiled(function: Callable[..., Any]) -> RlEntry:
    """Mark a function as one that Python calls and that always runs compiled."""
    _teach_verbs()
    return RlEntry(function)


@functools.cache
def _fingerprint() -> str:
    """Hash the sources of this layer that have rules in them, or numbers that rules use."""
    digest = hashlib.sha256()
    here = Path(__file__).parent
    named = [here / name for name in ("hashing.py", "kernels.py", "layout.py")]
    for source in [*named, *sorted((here / "encodings").glob("*.py"))]:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


@functools.cache
def _teach_verbs() -> None:
    """Tell Numba what the verbs of this layer mean."""
    for verb in encodings.VERBS:
        overload(verb, strict=False)(_by_first_argument(verb))


def _by_first_argument(verb: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(verb)
    def choose(record: Any, *_types: Any) -> Callable[..., Any] | None:
        for encoding in encodings.all_encodings():
            game = encoding.game
            if any(record == numba.from_dtype(dtype_of(kind)) for kind in (game.Table, game.View)):
                return encoding.rules[verb.__name__]
        return None

    return choose
