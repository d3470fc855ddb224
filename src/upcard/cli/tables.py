"""The games, their options and their rulebooks, for printing."""

from __future__ import annotations

__all__ = ["print_games", "print_rules"]

import json as json_format
import sys

from upcard.core.errors import UpcardError
from upcard.core.game import Game
from upcard.core.rulebook import MARK, clauses, how_to_play, legend, rulebook
from upcard.core.text import quoted
from upcard.games import all_games, find


def print_games(json: bool) -> None:
    """Print the games with their options."""
    if json:
        print(json_format.dumps([_as_json(game) for game in all_games()], indent=2))
        return
    for game in all_games():
        print(f"{game.id}: {game.summary}")
        for option in game.options:
            print(f"    {option.name} ({option.clause}): {option.values}; default {_word(option.default)}")


def _as_json(game: Game) -> dict[str, object]:
    options = [
        {"name": option.name, "clause": option.clause, "values": option.values, "default": option.default}
        for option in game.options
    ]
    return {"game": game.id, "title": game.title, "summary": game.summary, "options": options}


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def print_rules(game: str, clause: str | None, language: str, whole: bool) -> None:
    """Print how to play, the whole rulebook, or one clause."""
    found = find(game)
    if clause is None:
        page = None if whole else how_to_play(found, language)
        pointer = f"\n    upcard rules {game} --clauses\n"
        _print_markdown((rulebook(found, language) if page is None else page + pointer).rstrip())
        return
    texts = clauses(found, language)
    if clause.upper() not in texts:
        raise UpcardError(
            f"{found.title} has no clause {quoted(clause)}: they run from {min(texts)} to {max(texts)}"
        )
    print(f"{clause.upper()} {texts[clause.upper()]}")
    if MARK in texts[clause.upper()]:
        print(f"\n{legend(found, language)}")


def _print_markdown(text: str) -> None:
    """Format text for a terminal of any width; in a pipe it stays unchanged."""
    if not sys.stdout.isatty():
        print(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))
