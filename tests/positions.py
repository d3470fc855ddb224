"""Small positions for the tests of clauses: a table set up by hand, played and asked in notation."""

from __future__ import annotations

from typing import Any

from upcard.core.chance import chance_of
from upcard.core.events import Event, Kind
from upcard.core.game import Game, apply, outcome
from upcard.core.messages import Refusal
from upcard.core.piles import Pile
from upcard.core.table import PLAYING, Reason, Result


class Position:
    """A table somewhere in a game. Seats are numbered from 1, moves and cards are notation."""

    def __init__(self, game: Game, **options: Any) -> None:
        chance = chance_of(b"a position")
        self.game = game
        self.table = game.new_table(game.complete(options), chance)
        self.events: list[Event] = []

    @property
    def legal(self) -> list[str]:
        """The legal moves."""
        return [self.game.write_move(self.table, move) for move in self.game.legal_moves(self.table)]

    @property
    def to_move(self) -> int:
        """The seat that is to move."""
        return int(self.table.to_move) + 1

    def play(self, *moves: str) -> Position:
        """Make some moves, each of which must be legal; `news` contains the events of the last one."""
        for text in moves:
            assert text in self.legal, f"{text} is not among {self.legal}"
            self.table.events = self.events = []
            apply(self.table, self.game.read_move(self.table, text))
        return self

    def refused(self, text: str) -> Refusal:
        """Return why a move is refused; it must not be legal, and asking must change nothing."""
        assert text not in self.legal
        before = self.table.copy()
        refusal = self.game.explain(self.table, self.game.read_move(self.table, text))
        assert self.table == before
        assert refusal is not None
        assert refusal.text()
        return refusal

    def happened(self, kind: Kind) -> list[Event]:
        """Return the events of a kind from the last move."""
        return [event for event in self.events if event.kind == kind]

    @property
    def result(self) -> tuple[str, list[int], list[int]] | None:
        """The reason for the end, the winners and the scores; None while the game continues."""
        if self.table.over == PLAYING:
            return None
        result = Result()
        outcome(self.table, result)
        seats = range(self.table.players)
        winners = [seat + 1 for seat in seats if result.winners[seat]]
        return Reason(result.reason).name.lower(), winners, [result.scores[seat] for seat in seats]

    def fill(self, pile: Pile, cards: str) -> None:
        """Put cards (notation, the top one last) on a pile."""
        pile.count = 0
        for text in cards.split():
            pile.cards[pile.count] = self.game.read_card(text)
            pile.count += 1

    def written(self, pile: Pile) -> str:
        """Return the cards of a pile, the top one last."""
        return " ".join(self.game.write_card(card) for card in pile.cards[: pile.count])
