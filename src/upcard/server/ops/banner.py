"""Starting at home: the banner with the address to join, and opening a browser."""

from __future__ import annotations

__all__ = ["open_browser", "print_banner"]

import io
import os
import sys
import webbrowser

import segno


def print_banner(url: str) -> None:
    """Print the address at which phones and other machines in the same network find the server."""
    picture = io.StringIO()
    segno.make(url, micro=False).terminal(picture, compact=True, border=2)
    print(f"\nEveryone at home can join at {url}, or point a phone at this:\n")
    try:
        print(picture.getvalue())
    except UnicodeEncodeError:
        print("(this terminal cannot draw the picture)\n")
    sys.stdout.flush()


def open_browser(url: str) -> None:
    """Open a page in a browser, if there is a graphical one; some start slowly."""
    if _has_screen():
        webbrowser.open(url)


def _has_screen() -> bool:
    """Whether a browser would open outside this terminal, which the server writes to."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
