"""`upcard rules`."""

from __future__ import annotations

__all__ = ["rules"]

from upcard.cli.arguments import GameName


def rules(game: GameName, clause: str | None = None, /, *, clauses: bool = False, lang: str = "en") -> None:
    """Print how to play a game, its whole rulebook, or one clause of it.

    Parameters
    ----------
    clause
        Only this clause, by its number.
    clauses
        The exact rules, clause by clause, with the options and the notation.
    lang
        The language of the rulebook.
    """
    from upcard.cli.tables import print_rules

    print_rules(game, clause, lang, clauses)
