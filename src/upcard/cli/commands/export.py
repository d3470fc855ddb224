"""`upcard export`."""

from __future__ import annotations

__all__ = ["export"]

from pathlib import Path


def export(folder: Path, /) -> None:
    """Write a static site to play on one device without a server, for any web host.

    Parameters
    ----------
    folder
        A new or empty folder for its files.
    """
    from upcard.server.web.export import write_site

    size = write_site(folder)
    print(f"The site is in {folder} ({size / 1_000_000:.1f} MB). Copy it to any web host.")
    print(f"Try it: python -m http.server --directory {folder}")
