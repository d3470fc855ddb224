"""A game being played: seats, log, undo, records and replay. No input or output happens here."""

from __future__ import annotations

__all__ = [
    "Continuation",
    "Fairness",
    "GameResult",
    "Match",
    "Player",
    "commitment_of",
    "new_secret",
    "new_seed",
    "read_seed",
    "replay",
]

from upcard.match.continuation import Continuation
from upcard.match.fairness import Fairness, commitment_of, new_secret
from upcard.match.match import GameResult, Match, Player
from upcard.match.replay import replay
from upcard.match.seed import new_seed, read_seed
