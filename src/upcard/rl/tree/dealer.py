"""A seed in a tree: who answers for chance as every other table would."""

from __future__ import annotations

__all__ = ["Dealer"]

from upcard.core.options import RANDOM, SeatChoice
from upcard.match.match import Match, Shuffled
from upcard.match.seed import read_seed
from upcard.rl.encodings import move_of
from upcard.rl.tree.dealing import DEAL, LOT
from upcard.rl.tree.positions import Position, Setup


class Dealer:
    """Answers for chance so that a seed deals what it deals at every other table."""

    def __init__(self, setup: Setup, seed: int | str | bytes) -> None:
        self._setup = setup
        self._match = Match(setup.game, setup.options, read_seed(seed))

    def outcome(self, position: Position) -> int:
        """Return what comes out next. Ask for one game only, as it goes on."""
        match, steps = self._match, position.steps
        chosen = [
            *(step.action for step in steps[1:]),
            *([] if position.action == DEAL else [position.action]),
        ]
        for action in chosen[len(match.log_of_moves) :]:
            match.make_legal(move_of(match.table, action))
        lots = sum(step.lots for step in steps) + position.lots
        if position.kind == LOT:
            return self._lots()[lots]
        # All cards of a shuffle are drawn before there is another.
        return self._cards()[sum(len(step.outcomes) for step in steps) + len(position.outcomes) - lots]

    def _lots(self) -> list[int]:
        seats = [option.name for option in self._setup.game.options if isinstance(option, SeatChoice)]
        drawn = [int(self._match.options[name]) - 1 for name in seats if self._setup.options[name] == RANDOM]
        return drawn + [entry.took for entry in self._match.log_of_moves if entry.took is not None]

    def _cards(self) -> list[int]:
        return [card for entry in self._match.log if isinstance(entry, Shuffled) for card in entry.cards]
