"""The games of the terminal on disk: unfinished and finished ones.

Each is a file with one record, so `upcard review` and `upcard verify` read it. A game stays in the folder
`unfinished` until it is over.
"""

from __future__ import annotations

__all__ = ["GameFile", "Saves"]

import contextlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import platformdirs

from upcard.core.entropy import random_bytes
from upcard.core.errors import RecordError, UpcardError
from upcard.core.exclusive import exclusive
from upcard.games import GAMES, find
from upcard.match import Match, replay
from upcard.match.reading import Unreadable, only_record_in
from upcard.tui.phrases import phrase


class Saves:
    """The folder of a user's games."""

    def __init__(self, folder: Path | None = None) -> None:
        self.finished = (folder or Path(platformdirs.user_data_dir("upcard", False))) / "games"
        self.folder = self.finished / "unfinished"

    def unfinished(self, game: str | None = None) -> list[GameFile]:
        """Return the unfinished games, or those of one kind, the last one first."""
        try:
            saved = sorted(self.folder.glob("*.json"), key=lambda path: (-_modified(path), path.name))
        except OSError:
            return []
        return [
            GameFile(path, self.finished) for path in saved if game in (None, path.name.rpartition("-")[0])
        ]

    def new(self, game: str) -> GameFile:
        """Return an unwritten file for a new game."""
        return GameFile(self.folder / f"{game}-{random_bytes('save', 4).hex()}.json", self.finished)


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@dataclass
class GameFile:
    """The file of one game; once it is over, it is moved to the folder of finished games, if there is one."""

    path: Path
    finished: Path | None = None

    def keep(self, match: Match) -> None:
        """Write the current game atomically, so that a crash never leaves half of it."""
        draft = self.path.with_name(f"{self.path.name}.new")
        try:
            if self.finished is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(match.to_json() + "\n", "utf-8")
            draft.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            raise

    def finish(self, match: Match) -> None:
        """Write the finished game to its final place."""
        self.keep(match)
        if self.finished is not None:
            self.path = self.path.replace(self.finished / self.path.name)
            self.finished = None

    def load(self) -> Match:
        """Return the game, which must be one that can be continued; the file is not changed."""
        match = replay_of(self.path)
        if match.over:
            raise UpcardError(f"the game in {self.path} is over: upcard review shows it")
        return match

    def lock(self, opened: contextlib.ExitStack) -> None:
        """Keep other processes from playing this game. A folder that is not writable needs no lock."""
        with contextlib.suppress(OSError):
            if self.finished is not None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            opened.enter_context(exclusive(self.path))

    def summary(self) -> str:
        """Return a line with the game, its length so far and when it was last played."""
        modified = datetime.fromtimestamp(_modified(self.path) / 1e9, UTC).astimezone()
        left = modified.strftime("%Y-%m-%d %H:%M")
        try:
            record = only_record_in(self.path)
            moves = sum("move" in entry for entry in record["log"])
            assert record["game"] in GAMES
            title, players = find(record["game"]).title, len(record["seats"])
            return phrase("terminal.save", game=title, players=players, moves=moves, when=left)
        except (UpcardError, KeyError, TypeError, AssertionError):
            return phrase("terminal.save_damaged", file=self.path.name, when=left)


def replay_of(path: Path) -> Match:
    """Return the game of a file, in which one person plays against bots."""
    try:
        match = replay(only_record_in(path))
    except Unreadable:
        raise
    except RecordError as error:
        raise _damaged(path, str(error)) from None
    if sum(player.bot is None for player in match.players) != 1 or match.seed is None:
        raise _damaged(path, "it should have one person and a seed")
    return match


def _damaged(path: Path, reason: str) -> UpcardError:
    return UpcardError(f"the game in {path} is damaged ({reason}): begin a new one")
