"""Starting at home: who may join, the banner with the address, and opening a browser."""

from __future__ import annotations

__all__ = ["open_browser", "print_banner", "serves_everyone"]

import io
import os
import sys
import webbrowser

import segno

from upcard.server.http.addresses import public_address

ONLY_HERE = """Only this machine can join. For other machines:
  upcard serve --host ADDRESS   those that reach this address of the machine, such as the one at home
  upcard serve --host 0.0.0.0   everyone who can reach the machine
"""


def serves_everyone() -> bool:
    """Whether to listen on all addresses. If one of them is public, ask first; where nobody can be asked, the
    answer is no."""
    public = public_address()
    if public is None:
        return True
    print(f"This machine has the public address {public}: everyone on the internet could join.", flush=True)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        try:
            answer = input("Shall everyone be able to join? [y/N] ")
        except EOFError:
            answer = ""
        if answer.strip().lower() in ("y", "yes"):
            return True
    print(ONLY_HERE, flush=True)
    return False


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
