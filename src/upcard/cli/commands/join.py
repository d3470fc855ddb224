"""`upcard join`."""

from __future__ import annotations

__all__ = ["join"]

from upcard.cli.arguments import Whole


def join(url: str, /, *, name: str = "Guest", seat: Whole | None = None) -> int:
    """Take a seat at someone's table, in the terminal.

    Parameters
    ----------
    url
        The link of the table, or the address of the server, which then asks for the table's code.
    name
        Your name.
    seat
        The seat that you would like.
    """
    from upcard.tui.join import join as sit_down

    return sit_down(url, name, seat)
