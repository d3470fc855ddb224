"""`upcard` alone: tables in the browser."""

from __future__ import annotations

__all__ = ["home"]

from upcard.cli.arguments import Whole


def home(*, port: Whole | None = None, no_browser: bool = False, only_me: bool = False) -> int:
    """Play in the browser: tables for everyone on this network. Ctrl-C ends it.

    Parameters
    ----------
    port
        The port; by default 8000, if it is free.
    no_browser
        Do not open a browser.
    only_me
        Only this machine can join.
    """
    from upcard.cli.serve import run_at_home

    return run_at_home(port, not no_browser, only_me)
