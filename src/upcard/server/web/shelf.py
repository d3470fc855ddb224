"""The shelf: the files that pages are made of, ready to be sent.

All of them stand under one name, a hash of everything on the shelf. A browser keeps them for ever, and since
modules import each other by relative addresses, a page never mixes files of two versions.
"""

from __future__ import annotations

__all__ = ["FOLDER", "Item", "address", "item", "modules_of", "version"]

import functools
import gzip
import hashlib
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "static"

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
PACKED = (".css", ".js", ".json", ".svg", ".txt")

IMPORT = re.compile(r"""^(?:import|export)\s+(?:[\w$*{},\s]+\sfrom\s+)?["'](\.[^"'\n]+)["']""", re.MULTILINE)


@dataclass(frozen=True)
class Item:
    """A file as it is sent: as it is, and packed by gzip if that helps."""

    kind: str
    body: bytes
    packed: bytes | None
    tag: str


def _names() -> list[str]:
    found = (path for path in FOLDER.rglob("*") if path.is_file() and path.suffix in KINDS)
    return sorted(path.relative_to(FOLDER).as_posix() for path in found)


@functools.cache
def version() -> str:
    """Return a hash of the whole shelf."""
    mixed = hashlib.sha256()
    for name in _names():
        body = (FOLDER / name).read_bytes()
        mixed.update(f"{name}\0{len(body)}\0".encode() + body)
    return mixed.hexdigest()[:12]


@functools.cache
def _known() -> frozenset[str]:
    return frozenset(_names())


@functools.cache
def item(name: str) -> Item | None:
    """Return a file by its name; only what is on the shelf, whatever the name looks like."""
    if name not in _known():
        return None
    path = FOLDER / name
    body = path.read_bytes()
    packed = gzip.compress(body, 9, mtime=0) if path.suffix in PACKED else None
    tag = hashlib.sha256(body).hexdigest()[:16]
    return Item(KINDS[path.suffix], body, packed if packed and len(packed) < len(body) else None, f'"{tag}"')


def address(name: str) -> str:
    """Return where a browser finds a file."""
    return f"/static/{version()}/{name}"


@functools.cache
def modules_of(name: str) -> tuple[str, ...]:
    """Return a module and all that it imports: a page asks for them at once, not one after another."""
    found = [name]
    for module in found:
        text = (FOLDER / module).read_text("utf-8") if module in _known() else ""
        for other in IMPORT.findall(text):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(module), other))
            if path in _known() and path not in found:
                found.append(path)
    return tuple(found)
