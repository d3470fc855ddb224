"""Rulebooks as pages: how to play, then the clauses, each with an address and some with a picture."""

from __future__ import annotations

__all__ = ["rulebook_html"]

import functools
import html
import re

from markdown_it import MarkdownIt

from upcard.core.rulebook import MARK, how_to_play, rulebook, rulebook_language
from upcard.games import find
from upcard.server.web import translations
from upcard.server.web.positions import address_of, caption_of, positions_of

MARKDOWN = MarkdownIt("commonmark", {"html": False})
STEP = re.compile(r"\s\(([A-Z]\d+\.\d+)\)</li>")
CHAPTER = re.compile(r"<h2>([A-Z]\d) (.*?)</h2>")
CLAUSE = re.compile(r"<li>\s*<strong>([A-Z]\d+\.\d+)</strong>(.*?)</li>", re.DOTALL)
OPTION = re.compile(r"\n(?=\w+ <code>\w+</code>[\u00a0\u202f ]?:)")
NAMED = re.compile(r"(?<![\w>#\"])([A-Z]\d+\.\d+)(?![\w<\"])")


@functools.cache
def rulebook_html(game: str, language: str) -> tuple[str, str]:
    """Return how to play and the rulebook as HTML, and the language they are in."""
    found = find(game)
    language = rulebook_language(found, language)
    clauses = _clauses(game, language, MARKDOWN.render(rulebook(found, language)))
    page = how_to_play(found, language)
    if page is None:
        return clauses, language
    steps = STEP.sub(functools.partial(_step, game, language), MARKDOWN.render(page))
    # The page that comes first has the title already.
    return steps + clauses.partition("</h1>\n")[2], language


def _step(game: str, language: str, found: re.Match[str]) -> str:
    """Add a link to its clause, and the picture of that clause, to a step of how to play."""
    link = f'<a class="number" href="#{found[1]}">{found[1]}</a>'
    return f" {link}{_figure(game, found[1], language)}</li>"


def _clauses(game: str, language: str, page: str) -> str:
    """Return the clauses of a rulebook with their numbers, links and pictures."""
    # The mark must not be separated from its word by a line break.
    page = re.sub(rf"{MARK}\s", f"{MARK}\u00a0", page)
    page = NAMED.sub(r'<a href="#\1">\1</a>', page)
    page = CHAPTER.sub(r'<h2 id="\1"><span class="number">\1</span> \2</h2>', page)
    return CLAUSE.sub(functools.partial(_clause, game, language), page)


def _clause(game: str, language: str, found: re.Match[str]) -> str:
    """Write a clause, with its options on lines of their own and its picture, if it has one."""
    name, text = found.groups()
    said, *options = OPTION.split(text)
    lines = "".join(f'<span class="option">{option}</span>' for option in options)
    number = f'<a class="number" href="#{name}">{name}</a>'
    return f'<li id="{name}" class="clause">{number}{said}{lines}{_figure(game, name, language)}</li>'


def _figure(game: str, clause: str, language: str) -> str:
    """Return the picture of a position, with a caption that tells blind readers what it shows."""
    if clause not in positions_of(game):
        return ""
    picture = f'<upcard-position inert src="{address_of(game, clause)}"></upcard-position>'
    caption = html.escape(translations.say(language, *caption_of(game, clause)), quote=False)
    return f'<figure class="position">{picture}<figcaption>{caption}</figcaption></figure>'
