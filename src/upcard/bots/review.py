"""Reviewing a game: what a search bot would have done at every decision, knowing only what the player
knew."""

from __future__ import annotations

__all__ = ["Decision", "Review", "review"]

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from upcard.bots.bot import Budget, Turn
from upcard.bots.search import Search
from upcard.core.errors import ArgumentError
from upcard.match import Match, replay

# Number of visits after which the win probability of a move is roughly known.
WELL_TRIED = 20


@dataclass(frozen=True)
class Decision:
    """A move that was made, and the one that seems best, with their win probabilities and the reason."""

    number: int
    seat: int
    move: str
    chance: float
    best: str
    best_chance: float
    why: str

    @property
    def cost(self) -> float:
        """The win probability that the move gave away."""
        return 0.0 if self.move == self.best else max(0.0, self.best_chance - self.chance)


@dataclass
class Review:
    """A game and all decisions of the reviewed seats."""

    game: str
    names: list[str]
    decisions: list[Decision] = field(default_factory=list)

    def of(self, seat: int) -> list[Decision]:
        """Return the decisions of a seat."""
        return [decision for decision in self.decisions if decision.seat == seat]


def review(
    record: Any, budget: Budget, seats: list[int] | None = None, done: Callable[[int], None] = lambda _: None
) -> Review:
    """Analyse every decision in a record, of all seats or of some; an invalid record is a RecordError.

    The same budget of simulations gives the same result.
    """
    # Check the whole record before spending time on it.
    whole = replay(record)
    for seat in seats or ():
        if not 1 <= seat <= len(whole.players):
            raise ArgumentError(f"there is no seat {seat}: there are {len(whole.players)} players")
    found = Review(whole.game.id, whole.names)
    thinking = Search(b"review")

    def look(match: Match, text: str) -> None:
        seat = match.to_move
        assert seat is not None
        moves = match.game.legal_moves(match.table)
        if len(moves) > 1 and (seats is None or seat in seats):
            found.decisions.append(_decision(match, seat, moves, text, thinking, budget))
        done(1)

    replay(record, look)
    return found


def _decision(
    match: Match, seat: int, moves: list[int], text: str, thinking: Search, budget: Budget
) -> Decision:
    game, view = match.game, match.view(seat)
    thoughts = thinking.think(Turn(game, view, moves, match.events_for(seat), budget))
    tried = [thought.win_probability for thought in thoughts if thought.visits >= WELL_TRIED]
    # A move that looked so bad that it was hardly tried counts as the worst of those that were tried, because
    # its real value is unknown.
    worst = min(tried, default=thoughts[0].win_probability)
    chances = {
        game.write_move(match.table, thought.move): thought.win_probability
        if thought.visits >= WELL_TRIED
        else worst
        for thought in thoughts
    }
    best = thoughts[0]
    why = game.why(view, best.move, match.names).to(seat - 1).text()
    number = len(match.log_of_moves) + 1
    move = game.write_move(match.table, game.read_move(match.table, text))
    return Decision(
        number, seat, move, chances[move], game.write_move(match.table, best.move), best.win_probability, why
    )
