"""The files of the pages, ready to be sent: those of the server, and the `web` folder of each game.

The address of every file contains one version, a hash of all of them. A browser caches them forever, and
since modules import each other by relative addresses, a page never mixes files of two versions. The files of
a game are served under `games/<game>/`, so its modules reach the shared ones as `../../kit.js`, whatever
package the game comes from.
"""

from __future__ import annotations

__all__ = [
    "FOLDER",
    "SHEETS",
    "Item",
    "address",
    "files",
    "folders",
    "item",
    "modules_of",
    "names",
    "part_of",
    "version",
]

import functools
import gzip
import hashlib
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from upcard.games import all_games
from upcard.server.web import translated

FOLDER = Path(__file__).parent / "static"

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
PACKED = (".css", ".js", ".json", ".svg", ".txt")

# Replacements for the files that a game does not bring: the generic drawing, and our own icon.
GENERIC = {
    "table.js": "js/table/generic.js",
    "table.css": "css/generic.css",
    "picture.svg": "icons/upcard.svg",
}

# Styles that pages always need together are sent as one file, in this order: each file has headers of its own
# and is compressed alone.
SHEETS = {
    "css/page.css": ("base", "house", "forms", "sheets"),
    "css/at-a-table.css": (
        "cards",
        "table",
        "spots",
        "middle",
        "seats",
        "hand",
        "asking",
        "table-page",
        "invitation",
        "result",
        "book",
    ),
}

IMPORT = re.compile(r"""^(?:import|export)\s+(?:[\w$*{},\s]+\sfrom\s+)?["'](\.[^"'\n]+)["']""", re.MULTILINE)


# Comments at the beginning of a line, and indentation, are removed: they would be over a quarter of the data.
# Third-party files keep theirs, which contain the licence.
_BLOCK = rb"/\*(?:[^*]|\*(?!/))*\*/[ \t]*\n?"
COMMENTS = {
    ".css": re.compile(rb"^[ \t]*" + _BLOCK, re.MULTILINE),
    ".js": re.compile(rb"^[ \t]*(?://[^\n]*\n|" + _BLOCK + rb")", re.MULTILINE),
}
INDENTATION = re.compile(rb"\n\s+")
OTHERS = "vendor/"


@dataclass(frozen=True)
class Item:
    """A file as it is sent: plain, and compressed by gzip if that helps."""

    kind: str
    body: bytes
    packed: bytes | None
    tag: str


def _suffix(name: str) -> str:
    return posixpath.splitext(name)[1]


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    """Return all files of known types in a folder, by name."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        elif _suffix(entry.name) in KINDS:
            yield f"{prefix}{entry.name}", entry


def folders() -> Iterator[tuple[str, Traversable]]:
    """Return every folder with files for browsers, and the prefix of its files' names."""
    yield "", FOLDER
    for game in all_games():
        if (web := resources.files(game.package) / "web").is_dir():
            yield f"games/{game.id}/", web


@functools.cache
def files() -> dict[str, Traversable]:
    """Return all files by name. No other file is ever read, whatever a request asks for."""
    return dict(sorted(pair for prefix, folder in folders() for pair in _below(folder, prefix)))


def names() -> list[str]:
    """Return the names of the files that pages ask for: those in SHEETS are sent together."""
    parts = {f"css/{part}.css" for sheet in SHEETS.values() for part in sheet}
    return sorted({*files(), *SHEETS} - parts)


@functools.cache
def version() -> str:
    """Return a hash of all files, and of the sources of the translated ones."""
    mixed = hashlib.sha256()
    for name, file in files().items():
        body = file.read_bytes()
        mixed.update(f"{name}\0{len(body)}\0".encode() + body)
    mixed.update(translated.sources_hash())
    return mixed.hexdigest()[:12]


@functools.cache
def item(name: str) -> Item | None:
    """Return a file by its name."""
    if name in SHEETS:
        found: bytes | None = b"\n".join(files()[f"css/{part}.css"].read_bytes() for part in SHEETS[name])
    else:
        found = files()[name].read_bytes() if name in files() else translated.module(name)
    if found is None:
        return None
    body, suffix = found, _suffix(name)
    if suffix in COMMENTS and not name.startswith(OTHERS):
        body = INDENTATION.sub(b"\n", COMMENTS[suffix].sub(b"", body))
    packed = gzip.compress(body, 9, mtime=0) if suffix in PACKED else None
    tag = hashlib.sha256(body).hexdigest()[:16]
    return Item(KINDS[suffix], body, packed if packed and len(packed) < len(body) else None, f'"{tag}"')


def address(name: str) -> str:
    """Return the address of a file."""
    return f"/static/{version()}/{name}"


def part_of(game: str, name: str) -> str | None:
    """Return a file of a game's `web` folder, or its replacement; None if there is neither."""
    own = f"games/{game}/{name}"
    return own if own in files() else GENERIC.get(name)


@functools.cache
def modules_of(*names: str) -> tuple[str, ...]:
    """Return some modules and all that they import, so that a page requests them in parallel."""
    found = list(names)
    for module in found:
        text = files()[module].read_text("utf-8") if module in files() else ""
        for other in IMPORT.findall(text):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(module), other))
            if path in files() and path not in found:
                found.append(path)
    return tuple(found)
