"""Stockpile: empty your stockpile onto four shared piles that run from 1 to 10."""

from __future__ import annotations

__all__ = ["GAME"]

from upcard.core.game import Game
from upcard.games.stockpile.deck import read_card, write_card
from upcard.games.stockpile.draw import draw
from upcard.games.stockpile.greedy import greedy
from upcard.games.stockpile.moves import ALL_MOVES, read_move, write_move
from upcard.games.stockpile.options import OPTIONS, undealable
from upcard.games.stockpile.rules import apply, deal, legal, outcome
from upcard.games.stockpile.table import Table
from upcard.games.stockpile.view import View, look, redeal
from upcard.games.stockpile.words import describe, explain

GAME = Game(
    id="stockpile",
    title="Stockpile",
    summary="Empty your stockpile onto four shared piles that run from 1 to 10.",
    turn_clause="S3.9",
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
