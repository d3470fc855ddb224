"""`upcard new-game`."""

from __future__ import annotations

__all__ = ["new_game"]


def new_game(name: str, /) -> None:
    """Create the package of a new game, ready to run, in a folder here.

    Parameters
    ----------
    name
        The name of the game, such as my_game: its id, its folder and its Python package.
    """
    from upcard.cli.new_game import write_game

    write_game(name)
