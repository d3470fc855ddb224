"""A table of an environment as text."""

from __future__ import annotations

__all__ = ["RENDER_MODES", "read_render_mode", "rendered"]

from typing import Any

from upcard.core.errors import ArgumentError
from upcard.core.game import Game
from upcard.core.table import PLAYING

RENDER_MODES = ["human", "ansi"]


def read_render_mode(mode: str | None, known: list[str]) -> str | None:
    """Return the render mode if an environment supports it."""
    if mode is not None and mode not in known:
        raise ArgumentError(f"render_mode cannot be {mode!r:.40}: it is {' or '.join(known)}")
    return mode


def rendered(game: Game, table: Any, viewer: int, names: list[str]) -> str:
    """Return a table as a viewer sees it, and the legal moves, if it is the viewer's turn."""
    lines = [game.render(game.view(table, viewer), names)]
    if table.over != PLAYING:
        lines.append("The game is over.")
    elif table.to_move == viewer:
        moves = [game.write_move(table, move) for move in game.legal_moves(table)]
        lines.append(f"{names[viewer]} to move: {', '.join(moves)}")
    return "\n".join(lines)
