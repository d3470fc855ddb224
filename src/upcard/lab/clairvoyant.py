"""The clairvoyant: the search bot, shown every card and every shuffle to come.

It shows how much can be won by knowing everything, which is an upper bound for honest bots. Shown everything
except the draws (`clairvoyant:hands`), it shows how much of that comes from knowing the other hands. It can
sit only at tables of the lab: it is not a `Bot`, since a bot is never shown a table.
"""

from __future__ import annotations

__all__ = ["NAME", "Clairvoyant", "Sight", "sight_of"]

from dataclasses import dataclass

from upcard.bots import Budget, Search, Turn, ask
from upcard.bots.entrants import take_apart
from upcard.core.errors import ArgumentError
from upcard.match import Match
from upcard.match.seed import dice_seed

NAME = "clairvoyant"
# The option for seeing the cards on the table and in all hands, but not the cards to be drawn.
HANDS = "hands"


@dataclass(frozen=True)
class Sight:
    """The knowledge and the budget of a clairvoyant."""

    budget: Budget
    draws: bool


def sight_of(text: str) -> Sight | None:
    """Parse a clairvoyant such as `clairvoyant`, `clairvoyant@200ms` or `clairvoyant:hands@500`; None for
    other bots."""
    name, options, budget = take_apart(text)
    if name != NAME:
        return None
    if options not in ("", HANDS):
        raise ArgumentError(f"{NAME} has no option but {HANDS}, so leave out {options!r:.40}")
    return Sight(Budget() if budget is None else Budget.read(budget), draws=options != HANDS)


class Clairvoyant:
    """The clairvoyant at a seat (from 1) of a match."""

    def __init__(self, name: str, sight: Sight, match: Match, seat: int, limit: float | None = None) -> None:
        self.name = name
        self.sight = sight
        self.match = match
        self.seat = seat
        self.limit = limit
        self.search = Search(dice_seed(match.seed, seat))

    def choose(self) -> int:
        """Return the legal move that it chooses, or raise a BotError."""
        table, game = self.match.table, self.match.game
        turn = Turn(game, game.view(table, self.seat - 1), game.legal_moves(table), budget=self.sight.budget)
        return ask(self.name, self._best, turn, self.limit, self.match)

    def _best(self, turn: Turn) -> int:
        if len(turn.moves) == 1:
            return turn.moves[0]
        return self.search.think(turn, self.match.table, self.sight.draws)[0].move
