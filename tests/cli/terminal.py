"""A person at a keyboard, for tests of the terminal game."""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from upcard.tui.play import play_in_terminal
from upcard.tui.saves import Saves
from upcard.tui.setup import Setting

# An input: a line, a line that depends on the output so far, or an action instead.
Answer = str | Callable[[str], str] | type[BaseException]

PROMPT = "Your move: "


class Terminal:
    """Types answers one after the other, then ends the input; records everything that is printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.saves = Saves(folder)
        self.screen: list[str] = []
        self.review: Callable[[Path, int], None] | None = None
        self.answers: Iterator[Answer] = iter(())
        monkeypatch.setattr("builtins.input", self._input)
        # So that no bot is reported as thinking, however busy the machine is.
        monkeypatch.setattr("upcard.tui.play.THINKING_AFTER", threading.TIMEOUT_MAX)
        # Hints as on a machine without a compiled search, whatever ran before.
        monkeypatch.setattr("upcard.bots.search.is_ready", lambda game: False)
        monkeypatch.setattr("upcard.bots.search.prepare", lambda game: None)

    def _input(self, question: str) -> str:
        self.screen.append(question.rstrip())
        answer = next(self.answers, EOFError)
        if isinstance(answer, type):
            raise answer
        return answer if isinstance(answer, str) else answer("\n".join(self.screen))

    def play(self, answers: Iterable[Answer] = (), **setting: Any) -> str:
        """Play until the game or the input ends, and return the output.

        The cards are the same every time, unless a seed is given.
        """
        self.answers, self.screen = iter(answers), []
        wanted = Setting(**{"game": None, "seed": None if "resume" in setting else "1", **setting})
        assert play_in_terminal(wanted, self.screen.append, self.saves, self.review) == 0
        return "\n".join(self.screen)

    @property
    def kept_in(self) -> Path:
        """The file of the only unfinished game."""
        (file,) = self.saves.unfinished()
        return file.path

    @property
    def kept(self) -> Any:
        """The record of the only unfinished game."""
        return json.loads(self.kept_in.read_text("utf-8"))

    @property
    def finished(self) -> list[Any]:
        """The records of all finished games."""
        return [json.loads(path.read_text("utf-8")) for path in sorted(self.saves.finished.glob("*.json"))]

    def forget(self) -> None:
        """Delete all games."""
        shutil.rmtree(self.saves.finished, ignore_errors=True)


def moves_in(said: str) -> list[str]:
    """Return the moves of the last printed list."""
    listed = said[said.rindex("Moves: ") :]
    return [move.strip() for _, move in re.findall(r"(\d+)\) ([^,\n]+)", listed)]


def scores_in(said: str) -> str:
    """Return the scores at the end of a game; the line after them says where the game is saved."""
    scores, kept = said.splitlines()[-2:]
    assert scores.startswith("Scores: ")
    assert kept.startswith("The game is saved: upcard review ")
    return scores


def table_in(said: str) -> str:
    """Return the last printed table, with the moves below it."""
    start = said.rindex("\n\n", 0, said.rindex("Moves: "))
    return said[start:].partition(PROMPT.rstrip())[0].strip()
