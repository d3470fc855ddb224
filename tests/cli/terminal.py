"""Somebody at a keyboard, for tests of the terminal game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from upcard.tui.play import Setting, play_in_terminal
from upcard.tui.shelf import Shelf

# What is typed: a line, a line chosen by what was said so far, or something that happens instead.
Answer = str | Callable[[str], str] | type[BaseException]

PROMPT = "Your move: "


class Terminal:
    """Types answers one after the other, then ends the input; keeps all that is said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.shelf = Shelf(folder)
        self.screen: list[str] = []
        self.answers: Iterator[Answer] = iter(())
        monkeypatch.setattr("builtins.input", self._input)
        # Hints are those of a machine on which the search was never compiled, whoever ran before.
        monkeypatch.setattr("upcard.bots.search.is_ready", lambda game: False)
        monkeypatch.setattr("upcard.bots.search.prepare", lambda game: None)

    def _input(self, question: str) -> str:
        self.screen.append(question.rstrip())
        answer = next(self.answers, EOFError)
        if isinstance(answer, type):
            raise answer
        return answer if isinstance(answer, str) else answer("\n".join(self.screen))

    def play(self, answers: Iterable[Answer] = (), **setting: Any) -> str:
        """Play until the game or the input ends, and return what was said.

        The cards are the same every time, unless a seed says otherwise.
        """
        self.answers, self.screen = iter(answers), []
        wanted = Setting(**{"game": None, "seed": None if "resume" in setting else "1", **setting})
        assert play_in_terminal(wanted, self.screen.append, self.shelf) == 0
        return "\n".join(self.screen)

    @property
    def kept(self) -> Any:
        """What is on the shelf: the person's seat and the record."""
        return json.loads(self.shelf.path.read_text("utf-8"))


def moves_in(said: str) -> list[str]:
    """Return the moves of the last list of moves that was said."""
    listed = said[said.rindex("Moves: ") :]
    return [move.strip() for _, move in re.findall(r"(\d+)\) ([^,\n]+)", listed)]


def table_in(said: str) -> str:
    """Return the last table that was said, with the moves below it."""
    start = said.rindex("\n\n", 0, said.rindex("Moves: "))
    return said[start:].partition(PROMPT.rstrip())[0].strip()
