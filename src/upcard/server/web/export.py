"""A static site on which Upcard can be played without a server, for any web host or file server."""

from __future__ import annotations

__all__ = ["write_site"]

import shutil
from pathlib import Path

import msgspec

from upcard.core.errors import UpcardError, message_of
from upcard.core.text import quoted
from upcard.games import all_games
from upcard.i18n import DEFAULT, languages
from upcard.server.web import assets, translated, translations
from upcard.server.web.offers import offers_json
from upcard.server.web.pages import exported_page
from upcard.server.web.positions import figure_of, positions_of
from upcard.server.web.rulebooks import rulebook_html


def write_site(folder: Path) -> int:
    """Write the site into a new or empty folder, and return its size in bytes."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UpcardError(f"{quoted(str(folder))} is not an empty folder, so choose another one")
        created = not folder.exists()
        try:
            return _write(folder, _site())
        except OSError:
            # An incomplete site could be mistaken for a complete one.
            if created:
                shutil.rmtree(folder, ignore_errors=True)
            raise
    except OSError as error:
        raise UpcardError(
            f"the site cannot be written to {quoted(str(folder))}: {message_of(error)}"
        ) from error


def _site() -> dict[str, bytes]:
    """Return the contents of all files by path. All addresses in them are relative to the page."""
    site = {"index.html": exported_page(DEFAULT).encode()}
    for name in (*assets.files(), *translated.modules()):
        found = assets.item(name)
        assert found is not None
        site[_relative(assets.address(name))] = found.body
    site["offers.json"] = offers_json().replace(b'"/static/', b'"static/')
    for language in languages():
        site[f"words/{language}.json"] = translations.words_json(language)
    for game in all_games():
        for language in languages():
            book, written_in = rulebook_html(game.id, language)
            text = book.replace('src="/positions/', 'src="positions/')
            site[f"books/{game.id}.{language}.html"] = (
                f'<article lang="{written_in}">{text}</article>'.encode()
            )
        for clause in positions_of(game.id):
            site[f"positions/{game.id}/{clause}.json"] = msgspec.json.encode(figure_of(game.id, clause))
    return site


def _relative(address: str) -> str:
    return address.removeprefix("/")


def _write(folder: Path, site: dict[str, bytes]) -> int:
    for name, body in site.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return sum(map(len, site.values()))
