"""A game being played: seats, log, undo, records and replay. No input or output happens here."""

from __future__ import annotations

__all__ = ["Match", "Player", "new_seed", "read_seed", "replay"]

from upcard.match.match import Match, Player
from upcard.match.replay import replay
from upcard.match.seed import new_seed, read_seed
