"""A game as a tree: positions that never change, in which chance is somebody who moves.

Cards are decided when they are drawn, each with its probability. The rules are those of every other table.
"""

from __future__ import annotations

__all__ = ["CHANCE_PLAYER", "NOBODY", "Dealer", "Position", "Setup", "setup_of"]

from upcard.rl.tree.dealer import Dealer
from upcard.rl.tree.positions import CHANCE_PLAYER, NOBODY, Position, Setup, setup_of
