"""The files that a browser caches to play without a network: the page for tables on its own device, and
everything that it loads.

A server offers these files at the root of its site, and `upcard export` writes them into a folder. Their
names are relative; a name may end with a version (`?v=`), which file servers ignore.
"""

from __future__ import annotations

__all__ = ["PAGE", "SERVICE_WORKER", "book", "books_folder", "files", "manifest", "service_worker"]

import functools
import hashlib
from collections.abc import Callable
from typing import Any

import msgspec

from upcard.core.rulebook import how_to_play, rulebook
from upcard.games import all_games, find
from upcard.i18n import languages
from upcard.server.web import assets, translated, translations
from upcard.server.web.offers import offers_json, offers_version
from upcard.server.web.positions import address_of, figure_of, positions_of
from upcard.server.web.rulebooks import rulebook_html

# The page for tables on the reader's own device, on a server.
PAGE = "/play"
# The service worker. It is beside the pages, because it only works for its own folder.
SERVICE_WORKER = "service-worker.js"
COLOUR = "#38271a"


def files() -> dict[str, Callable[[], bytes]]:
    """Return the contents of all files except the page, by name."""
    found: dict[str, Callable[[], bytes]] = {}
    for name in (*assets.names(), *translated.modules()):
        if not name.endswith(SERVICE_WORKER):
            found[assets.address(name)[1:]] = functools.partial(_asset, name)
    found[f"offers.json?v={offers_version()}"] = offers_json
    for language in languages():
        version = translations.words_version(language)
        found[f"words/{language}.json?v={version}"] = functools.partial(translations.words_json, language)
    for game in all_games():
        for language in languages():
            name = f"{books_folder()}{game.id}.{language}.html"
            found[name] = functools.partial(book, game.id, language)
        for clause in positions_of(game.id):
            found[address_of(game.id, clause)[1:]] = functools.partial(_position, game.id, clause)
    return found


def _asset(name: str) -> bytes:
    found = assets.item(name)
    assert found is not None
    return found.body


def _position(game: str, clause: str) -> bytes:
    return msgspec.json.encode(figure_of(game, clause))


def book(game: str, language: str) -> bytes:
    """Return the text of a rulebook as a part of a page. It names its language if that is not the requested
    one."""
    text, written_in = rulebook_html(game, language)
    return f'<article lang="{written_in}">{text}</article>'.encode()


@functools.cache
def books_folder() -> str:
    """Return the folder of the rulebooks; its name changes with its contents."""
    mixed = hashlib.sha256(assets.version().encode())
    for language in languages():
        mixed.update(translations.words_version(language).encode())
        for name in sorted(game.id for game in all_games()):
            game = find(name)
            mixed.update(f"{how_to_play(game, language)}\0{rulebook(game, language)}\0".encode())
    return f"books/{mixed.hexdigest()[:12]}/"


def service_worker(page: str, text: bytes) -> bytes:
    """Return the script of the service worker, which keeps the page with this address and text."""
    names = sorted(files())
    version = hashlib.sha256(b"\0".join([text, *map(str.encode, names)])).hexdigest()[:12]
    task = msgspec.json.encode({"version": version, "page": page, "files": names})
    return b"const PRECACHE = " + task + b";\n" + _asset(SERVICE_WORKER)


def manifest(language: str, *, start: str, root: str) -> bytes:
    """Return the manifest by which a phone installs Upcard as an app: the address at which it starts, and how
    the addresses of its files begin."""

    def icon(name: str, sizes: str, kind: str, **more: Any) -> dict[str, Any]:
        return {"src": root + assets.address(f"icons/{name}")[1:], "sizes": sizes, "type": kind} | more

    about = {
        "id": start,
        "name": "Upcard",
        "short_name": "Upcard",
        "description": translations.say(language, "web.house_tagline"),
        "lang": language,
        "start_url": start,
        "scope": start,
        "display": "standalone",
        "background_color": COLOUR,
        "theme_color": COLOUR,
        "icons": [
            icon("upcard.svg", "any", "image/svg+xml", purpose="any"),
            icon("maskable.svg", "any", "image/svg+xml", purpose="maskable"),
            icon("upcard-192.png", "192x192", "image/png"),
            icon("upcard-512.png", "512x512", "image/png"),
        ],
    }
    return msgspec.json.encode(about)
