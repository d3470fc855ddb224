"""Bots: given what a seat may know, they choose a move. They never see a table."""

from __future__ import annotations

__all__ = [
    "Bot",
    "Budget",
    "Easy",
    "Entrant",
    "Greedy",
    "Random",
    "Search",
    "Seated",
    "Thought",
    "Turn",
    "ask",
    "find",
    "known",
    "parse",
]

from upcard.bots.bot import Bot, Budget, Thought, Turn
from upcard.bots.entrants import Entrant, find, known, parse
from upcard.bots.search import Search
from upcard.bots.seated import Seated, ask
from upcard.bots.simple import Easy, Greedy, Random
