"""Lines: grow lines of one colour at home, and be forced to feed your neighbours."""

from __future__ import annotations

__all__ = ["GAME"]

from upcard.core.game import Game
from upcard.games.lines.deck import read_card, write_card
from upcard.games.lines.draw import draw
from upcard.games.lines.greedy import greedy
from upcard.games.lines.moves import ALL_MOVES, read_move, write_move
from upcard.games.lines.options import OPTIONS, undealable
from upcard.games.lines.rules import apply, deal, legal, outcome
from upcard.games.lines.table import HAND, LINES, Table
from upcard.games.lines.view import View, look, redeal
from upcard.games.lines.words import describe, explain

GAME = Game(
    id="lines",
    title="Lines",
    summary="Grow lines of one colour at home, and be forced to feed your neighbours.",
    turn_clause="L2.1",
    options=OPTIONS,
    Table=Table,
    View=View,
    rules=[deal, legal, apply, outcome, look, redeal, greedy],
    # Every card on every line, at the top, at the bottom, or discarded.
    most_moves=HAND * (LINES + 3),
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
