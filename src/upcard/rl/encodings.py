"""The encodings of the installed games, by name."""

from __future__ import annotations

__all__ = ["Encoding", "action_of", "all_encodings", "encoding_of", "move_of"]

from upcard.core import encoding
from upcard.core.encoding import Encoding, action_of, has_encoding, move_of
from upcard.games import all_games, find


def encoding_of(game: str) -> Encoding:
    """Return the encoding of a game, or raise an UpcardError if it has none."""
    return encoding.encoding_of(find(game))


def all_encodings() -> list[Encoding]:
    """Return the encodings of all games that have one."""
    return [encoding.encoding_of(game) for game in all_games() if has_encoding(game)]
