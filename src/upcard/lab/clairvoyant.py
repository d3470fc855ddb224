"""The clairvoyant: the search bot, shown every card and every shuffle to come.

It says how much there is to win by knowing everything, so it bounds what an honest bot can reach.
No table but the lab's has a seat for it: it is not a `Bot`, since a bot is never shown a table.
"""

from __future__ import annotations

__all__ = ["NAME", "Clairvoyant", "budget_of"]

from upcard.bots import Budget, Search, Turn
from upcard.match import Match
from upcard.match.seed import dice_seed

NAME = "clairvoyant"


def budget_of(text: str) -> Budget | None:
    """Return what a clairvoyant written `clairvoyant` or `clairvoyant@200ms` may think; None where
    somebody else is meant."""
    name, at, budget = text.partition("@")
    if name != NAME:
        return None
    return Budget.read(budget) if at else Budget()


class Clairvoyant:
    """The clairvoyant at a seat (from 1) of a match."""

    def __init__(self, budget: Budget, match: Match, seat: int) -> None:
        self.budget = budget
        self.match = match
        self.seat = seat
        self.search = Search(dice_seed(match.seed, seat))

    def choose(self) -> int:
        """Return the move that it chooses."""
        table, game = self.match.table, self.match.game
        turn = Turn(game, game.view(table, self.seat - 1), game.legal_moves(table), budget=self.budget)
        if len(turn.moves) == 1:
            return turn.moves[0]
        return self.search.think(turn, table)[0].move
