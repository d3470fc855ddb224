"""A bot at a seat of a match: the one place where a match becomes what a bot is told."""

from __future__ import annotations

__all__ = ["Seated"]

from dataclasses import replace

from upcard.bots.bot import Turn
from upcard.bots.entrants import Entrant
from upcard.match import Match
from upcard.match.seed import dice_seed


class Seated:
    """A bot that plays one seat (from 1) of one match."""

    def __init__(self, entrant: Entrant, match: Match, seat: int, hurry: bool = False) -> None:
        self.match = match
        self.seat = seat
        self.bot = entrant.make(dice_seed(match.seed, seat))
        self.budget = replace(entrant.budget, hurry=hurry)

    def turn(self) -> Turn:
        """Return what the bot may know now: the view of its seat, and the news since its last move."""
        match = self.match
        news = match.news_since_own_move(self.seat)
        return Turn(match.game, match.view(self.seat), match.game.legal_moves(match.table), news, self.budget)

    def choose(self) -> int:
        """Return the move that the bot chooses."""
        return self.bot.choose(self.turn())
