"""The shelf: where the game that somebody left is kept."""

from __future__ import annotations

__all__ = ["Shelf"]

import contextlib
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
        try:
            return self.path.exists()
        except OSError:
            return False

    def keep(self, match: Match, seat: int) -> None:
        """Keep a game. It replaces the old one in one step, so a crash never leaves half of it."""
        # A game one cannot keep can still be played.
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            draft = self.path.with_suffix(".new")
            draft.write_text(json.dumps({"seat": seat, "record": match.record()}), "utf-8")
            draft.replace(self.path)

    def take(self) -> tuple[Match, int]:
        """Return the game and the person's seat; it stays on the shelf."""
        try:
            kept = json.loads(self.path.read_text("utf-8"))
        except OSError as error:
            raise UpcardError(f"{self.path} cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise self._damaged("it is not JSON") from None
        if not isinstance(kept, dict):
            raise self._damaged("it should be a JSON object")
        try:
            match = replay(kept.get("record"))
        except RecordError as error:
            raise self._damaged(str(error)) from None
        people = [seat for seat, player in enumerate(match.players, 1) if player.bot is None]
        if people != [kept.get("seat")] or match.seed is None:
            raise self._damaged("it should have one person, at 'seat', and a seed")
        return match, people[0]

    def _damaged(self, reason: str) -> UpcardError:
        return UpcardError(f"the game kept in {self.path} is damaged ({reason}): begin a new one")

    def clear(self) -> None:
        """Forget it: it was played to its end."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)
