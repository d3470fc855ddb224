"""Rulebooks: Markdown, a list item for each clause that begins with its id in bold.

They are in the folder `rulebooks` of a game's package, one file for each language. The folder `how-to-play`
has a page of about ten sentences in the same languages, to be read first; its steps name their clauses.
"""

from __future__ import annotations

__all__ = ["MARK", "clauses", "how_to_play", "legend", "rulebook", "rulebook_language", "rulebook_languages"]

import functools
import re
from importlib import resources
from importlib.resources.abc import Traversable

from upcard.core.errors import NotFound
from upcard.core.game import Game
from upcard.core.text import quoted
from upcard.i18n import DEFAULT, fallbacks, find_language

# Marks a ruling of ours, where the original rulebook is silent or unclear.
MARK = "†"
LEGEND = re.compile(rf"^{MARK} .*?(?=\n\n)", re.MULTILINE | re.DOTALL)
CLAUSE = re.compile(r"^- \*\*(?P<id>[A-Z]\d+\.\d+)\*\* (?P<text>.*?)(?=^- |^#|\Z)", re.MULTILINE | re.DOTALL)


@functools.cache
def rulebook(game: Game, language: str = DEFAULT) -> str:
    """Return the whole rulebook of a game, in English if it does not exist in a language."""
    return _folder(game).joinpath(f"{rulebook_language(game, language)}.md").read_text("utf-8")


@functools.cache
def how_to_play(game: Game, language: str = DEFAULT) -> str | None:
    """Return the page to read first, in the language of the rulebook; None if a game has no such page."""
    name = f"{rulebook_language(game, language)}.md"
    page = resources.files(game.package) / "how-to-play" / name
    return page.read_text("utf-8") if page.is_file() else None


def legend(game: Game, language: str = DEFAULT) -> str:
    """Return the rulebook's explanation of its mark, on one line; an empty text if it has no mark."""
    found = LEGEND.search(rulebook(game, language))
    return " ".join(found[0].split()) if found else ""


def rulebook_language(game: Game, language: str) -> str:
    """Return the language in which a rulebook is shown to readers of a language."""
    known = rulebook_languages(game)
    found = language if language in known else find_language(language)
    if found is None:
        raise NotFound(f"there is no rulebook in {quoted(language)}, only in {', '.join(known)}")
    return next(each for each in fallbacks(found) if each in known)


@functools.cache
def rulebook_languages(game: Game) -> list[str]:
    """Return the languages in which a game has a rulebook."""
    names = [path.name for path in _folder(game).iterdir()]
    return sorted(name.removesuffix(".md") for name in names if name.endswith(".md"))


def _folder(game: Game) -> Traversable:
    return resources.files(game.package) / "rulebooks"


@functools.cache
def clauses(game: Game, language: str = DEFAULT) -> dict[str, str]:
    """Return the text of each clause by its id, on one line."""
    found = CLAUSE.finditer(rulebook(game, language))
    return {clause["id"]: " ".join(clause["text"].split()) for clause in found}
