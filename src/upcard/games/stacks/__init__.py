"""Stacks: finish red and blue runs of 1 to 5 for chips, with skips, thefts and blocks."""

from __future__ import annotations

__all__ = ["GAME"]

from upcard.core.game import Game
from upcard.games.stacks.deck import read_card, write_card
from upcard.games.stacks.draw import draw
from upcard.games.stacks.greedy import greedy
from upcard.games.stacks.moves import ALL_MOVES, read_move, write_move
from upcard.games.stacks.options import OPTIONS, undealable
from upcard.games.stacks.rules import apply, deal, legal, outcome
from upcard.games.stacks.table import Table
from upcard.games.stacks.view import View, look, redeal
from upcard.games.stacks.words import describe, explain

GAME = Game(
    id="stacks",
    title="Stacks",
    summary="Finish red and blue runs of 1 to 5 for chips, with skips, thefts and blocks.",
    turn_clause="K2.1",
    options=OPTIONS,
    Table=Table,
    View=View,
    rules=[deal, legal, apply, outcome, look, redeal, greedy],
    most_moves=ALL_MOVES,
    all_moves=ALL_MOVES,
    write_move=write_move,
    read_move=read_move,
    write_card=write_card,
    read_card=read_card,
    explain=explain,
    describe=describe,
    draw=draw,
    undealable=undealable,
)
