"""The documentation, parsed: blocks of code, commands, and code in running text."""

from __future__ import annotations

__all__ = [
    "BOOKS",
    "COMMENTED",
    "PAGES",
    "ROOT",
    "Block",
    "Command",
    "blocks",
    "commands",
    "commands_in",
    "commands_in_text",
    "is_shell",
    "prose",
    "spans",
]

import ast
import functools
import itertools
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]


def _names(*patterns: str) -> list[str]:
    found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern)) if path.is_file()]
    return [path.relative_to(ROOT).as_posix() for path in found]


# Pages in Markdown, and files whose comments tell a reader what to type.
PAGES = _names("*.md", "docs/*.md")
COMMENTED = _names("examples/*", "deploy/*", "deploy/*/*")
# Rules and words of the games, which do not contain commands.
BOOKS = _names("src/upcard/games/*/rulebooks/*.md", "src/upcard/games/*/how-to-play/*.md", "docs/words/*.md")

# A span of code is a command if it begins with one of these and has more words.
PROGRAMS = {"curl", "docker", "make", "pip", "pytest", "python", "python3", "ray", "systemctl", "upcard"}
# Words between two commands of one line, or after the last.
CONNECTORS = {"&", "&&", ";", "|", "||"}


@dataclass(frozen=True)
class Block:
    """A block of code."""

    page: str
    language: str
    text: str


@dataclass(frozen=True)
class Command:
    """One line that a reader is told to type."""

    page: str
    words: tuple[str, ...]
    # Whether it is in running text, where a bare name only mentions the command.
    inline: bool = False

    @property
    def program(self) -> str:
        return Path(self.words[0]).name

    def __str__(self) -> str:
        return " ".join(self.words)


@functools.cache
def _tokens(page: str) -> list[Token]:
    text = (ROOT / page).read_text("utf-8")
    if page in COMMENTED:
        text = _docstring(text) if page.endswith(".py") else _comments(text)
    return MarkdownIt("commonmark").enable("table").parse(text)


def _docstring(text: str) -> str:
    return ast.get_docstring(ast.parse(text)) or ""


def _comments(text: str) -> str:
    """Return the comments of a file: each group of lines is a paragraph, and indented lines are code."""
    lines = (re.match(r"\s*# ?(.*)", line) for line in text.splitlines())
    return "\n".join(line[1] if line else "" for line in lines)


def blocks(page: str) -> list[Block]:
    """Return the blocks of code on a page. In comments, indented lines are for a shell."""
    found = []
    for token in _tokens(page):
        if token.type == "fence" or token.type == "code_block":
            language = "sh" if page in COMMENTED else token.info.strip()
            found.append(Block(page, language, token.content))
    return found


def spans(page: str) -> list[str]:
    """Return the code in the running text of a page."""
    return [part.content for part in _parts(page) if part.type == "code_inline"]


def prose(page: str) -> str:
    """Return the running text of a page, without code."""
    return "\n".join(part.content for part in _parts(page) if part.type == "text")


def _parts(page: str) -> Iterator[Token]:
    for token in _tokens(page):
        yield from token.children or ()


def commands_in(block: Block) -> list[Command]:
    """Return the commands of a shell block."""
    lines = block.text.replace("\\\n", " ").splitlines()
    if block.language == "console":
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [Command(block.page, words) for line in lines for words in _typed(line)]


def _typed(line: str) -> Iterator[tuple[str, ...]]:
    """Return the commands of a line, without assignments and redirections."""
    words = shlex.split(line, comments=True)
    if words and re.match(r"\w+=", words[0]):
        return
    for connects, part in itertools.groupby(words, CONNECTORS.__contains__):
        if not connects:
            command = itertools.takewhile(lambda word: word != ">", part)
            yield _unwrapped(tuple(command))


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that a wrapper starts elsewhere."""
    if words[0] != "srun":
        return words
    return words[next(place for place, word in enumerate(words) if word in PROGRAMS) :]


def commands_in_text(page: str) -> list[Command]:
    """Return the commands in the running text of a page."""
    found = [span for span in spans(page) if " " in span and span.split()[0] in PROGRAMS]
    return [Command(page, words, inline=True) for span in found for words in _typed(span)]


def is_shell(block: Block) -> bool:
    """Whether a block is for a shell."""
    return block.language in ("sh", "console")


def commands(page: str) -> list[Command]:
    """Return all commands on a page, each line once."""
    found = [command for block in blocks(page) if is_shell(block) for command in commands_in(block)]
    return list(dict.fromkeys(found + commands_in_text(page)))
