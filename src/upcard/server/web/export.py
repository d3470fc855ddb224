"""A static site on which Upcard can be played without a server, for any web host or file server."""

from __future__ import annotations

__all__ = ["write_site"]

import shutil
from pathlib import Path

from upcard.core.errors import UpcardError, message_of
from upcard.core.text import quoted
from upcard.i18n import DEFAULT
from upcard.server.web import offline
from upcard.server.web.pages import device_page


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
    page = device_page("")
    site = {name.partition("?")[0]: text() for name, text in offline.files().items()}
    site["offers.json"] = site["offers.json"].replace(b'"/static/', b'"static/')
    for name, text in site.items():
        if name.startswith("books/"):
            site[name] = text.replace(b'src="/positions/', b'src="positions/')
    site["index.html"] = page
    site["manifest.webmanifest"] = offline.manifest(DEFAULT, start="./", root="")
    site[offline.SERVICE_WORKER] = offline.service_worker("./", page)
    return site


def _write(folder: Path, site: dict[str, bytes]) -> int:
    for name, body in site.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return sum(map(len, site.values()))
