"""Rulebooks as pages: every clause can be pointed at, and some have a picture."""

from __future__ import annotations

__all__ = ["written_book"]

import functools
import html
import re

from markdown_it import MarkdownIt

from upcard.core.errors import UpcardError
from upcard.core.rulebook import rulebook
from upcard.core.words import DEFAULT
from upcard.server.web import tongues
from upcard.server.web.positions import POSITIONS, address_of, caption_of

CHAPTER = re.compile(r"<h2>([A-Z]\d) (.*?)</h2>")
CLAUSE = re.compile(r"<li>\s*<strong>([A-Z]\d+\.\d+)</strong>(.*?)</li>", re.DOTALL)
OPTION = re.compile(r"\n(?=\w+ <code>\w+</code>[\u00a0\u202f ]?:)")
NAMED = re.compile(r"(?<![\w>#\"])([A-Z]\d+\.\d+)(?![\w<\"])")


def _book(game: str, language: str) -> tuple[str, str]:
    """Return a rulebook and the language it is in: English where there is no other."""
    try:
        return rulebook(game, language), language
    except UpcardError:
        return rulebook(game), DEFAULT


@functools.cache
def written_book(game: str, language: str) -> tuple[str, str]:
    """Return a rulebook as HTML, and the language it is in."""
    text, language = _book(game, language)
    page = MarkdownIt("commonmark", {"html": False}).render(text)
    page = NAMED.sub(r'<a href="#\1">\1</a>', page)
    page = CHAPTER.sub(r'<h2 id="\1"><span class="number">\1</span> \2</h2>', page)
    return CLAUSE.sub(functools.partial(_clause, language), page), language


def _clause(language: str, found: re.Match[str]) -> str:
    """Write a clause, with its options on lines of their own and its picture, if it has one."""
    name, text = found.groups()
    said, *options = OPTION.split(text)
    lines = "".join(f'<span class="option">{option}</span>' for option in options)
    number = f'<a class="number" href="#{name}">{name}</a>'
    return f'<li id="{name}" class="clause">{number}{said}{lines}{_figure(name, language)}</li>'


def _figure(clause: str, language: str) -> str:
    """Return the picture of a position. Whoever does not see it has the caption, which says it all."""
    if clause not in POSITIONS:
        return ""
    picture = f'<upcard-position inert src="{address_of(clause)}"></upcard-position>'
    caption = html.escape(tongues.say(language, *caption_of(clause)), quote=False)
    return f'<figure class="position">{picture}<figcaption>{caption}</figcaption></figure>'
