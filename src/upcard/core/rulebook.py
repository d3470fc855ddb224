"""The rulebooks: Markdown, a list item for each clause that begins with its id in bold."""

from __future__ import annotations

__all__ = ["clauses", "rulebook", "rulebook_languages"]

import functools
import re
from importlib import resources
from pathlib import Path

from upcard.core.errors import UpcardError
from upcard.core.text import quoted
from upcard.core.words import DEFAULT

CLAUSE = re.compile(r"^- \*\*(?P<id>[A-Z]\d+\.\d+)\*\* (?P<text>.*?)(?=^- |^#|\Z)", re.MULTILINE | re.DOTALL)


@functools.cache
def rulebook(game: str, language: str = DEFAULT) -> str:
    """Return the whole rulebook of a game."""
    if language not in rulebook_languages():
        known = ", ".join(rulebook_languages())
        raise UpcardError(f"there is no rulebook in {quoted(language)}, only in {known}")
    return (_folder() / language / f"{game}.md").read_text("utf-8")


@functools.cache
def rulebook_languages() -> list[str]:
    """Return the languages in which there are rulebooks."""
    return sorted(path.name for path in _folder().iterdir() if path.is_dir())


def _folder() -> Path:
    """In an installed package they lie inside it, in a checkout in its docs."""
    installed = Path(str(resources.files("upcard"))) / "rulebooks"
    checkout = Path(__file__).parents[3] / "docs" / "rulebooks"
    for folder in (installed, checkout):
        if folder.is_dir():
            return folder
    raise UpcardError("the rulebooks are missing from this installation")


@functools.cache
def clauses(game: str, language: str = DEFAULT) -> dict[str, str]:
    """Return the text of each clause by its id, on one line."""
    found = CLAUSE.finditer(rulebook(game, language))
    return {clause["id"]: " ".join(clause["text"].split()) for clause in found}
