"""The shelf: where the game that somebody left is kept."""

from __future__ import annotations

__all__ = ["Shelf"]

import json
from pathlib import Path

import platformdirs

from upcard.core.errors import RecordError, UpcardError
from upcard.match import Match, replay


class Shelf:
    """Keeps one unfinished game in the user's data folder: its record, and the person's seat."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or Path(platformdirs.user_data_dir("upcard", False))) / "unfinished.json"

    def has_game(self) -> bool:
        """Tell whether there is one."""
        return self.path.exists()

    def keep(self, match: Match, seat: int) -> None:
        """Keep a game. It replaces the old one in one step, so a crash never leaves half of it."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            draft = self.path.with_suffix(".new")
            draft.write_text(json.dumps({"seat": seat, "record": match.record()}), "utf-8")
            draft.replace(self.path)
        except OSError:
            pass  # A game one cannot keep can still be played.

    def take(self) -> tuple[Match, int]:
        """Return the game and the person's seat."""
        try:
            kept = json.loads(self.path.read_text("utf-8"))
            return replay(kept["record"]), int(kept["seat"])
        except (OSError, ValueError, KeyError, TypeError, RecordError) as error:
            raise UpcardError(f"the game kept in {self.path} cannot be read: {error}") from None

    def clear(self) -> None:
        """Forget it: it was played to its end."""
        self.path.unlink(missing_ok=True)
