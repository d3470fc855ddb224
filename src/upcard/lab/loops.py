"""The inner loops of the lab, written once for all games and always compiled."""

from __future__ import annotations

__all__ = ["play_at_random"]

from typing import Any

from upcard.core.chance import draw, set_key
from upcard.core.compiler import compiled
from upcard.core.game import apply, deal, legal


@compiled
def play_at_random(table: Any, keys: Any, moves: Any, chance: Any) -> int:
    """Play one game for each key with random legal moves; return how many moves were made."""
    made = 0
    for game in range(len(keys)):
        set_key(table.chance, keys[game])
        deal(table)
        count = legal(table, moves)
        while count > 0:
            apply(table, moves[draw(chance, count)])
            made += 1
            count = legal(table, moves)
    return made
