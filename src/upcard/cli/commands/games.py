"""`upcard games`."""

from __future__ import annotations

__all__ = ["games"]


def games(*, json: bool = False) -> None:
    """List the games and their options.

    Parameters
    ----------
    json
        Print them as JSON.
    """
    from upcard.cli.tables import print_games

    print_games(json)
