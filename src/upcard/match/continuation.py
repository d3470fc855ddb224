"""A game that continues another one: what one seat knew of it stays, and all other cards are dealt again."""

from __future__ import annotations

__all__ = ["Continuation"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from upcard.core.chance import chance_of
from upcard.core.errors import RecordError, UpcardError
from upcard.core.game import Game, apply, deal, determinize
from upcard.core.options import RANDOM
from upcard.core.table import PLAYING
from upcard.core.text import quoted
from upcard.match.seed import SEED_BYTES

if TYPE_CHECKING:
    from upcard.match.format import ContinuationFields

# The hidden cards follow from the hash of this prefix and the seed, and are independent of later shuffles.
TITLE = b"upcard continuation 1"


@dataclass(frozen=True)
class Continuation:
    """A seat (from 1), and the first moves of a game that was dealt from a seed: seats and moves, in the
    order in which they were made.

    Someone may know this seed, for example because the game was played on their own device. So the cards
    that the seat does not know after these moves are dealt again, by the seed of the match that continues.
    """

    seed: bytes
    seat: int
    moves: Sequence[tuple[int, str]]

    def table(self, game: Game, options: dict[str, Any], seed: bytes) -> Any:
        """Return the table at which the match with this seed begins, or raise a RecordError."""
        if RANDOM in options.values():
            raise RecordError("a game that continues has no random seats")
        known = self._known(game, options)
        if not 1 <= self.seat <= known.players:
            raise RecordError(f"there is no seat {quoted(self.seat)}: {known.players} play")
        if known.over != PLAYING:
            raise RecordError("the game that should continue is over")
        if game.seats_asked(known):
            raise RecordError("a game cannot continue while players are asked out of turn")
        chance = chance_of(TITLE + seed)
        table = game.new_table(options, chance_of(seed))
        determinize(game.view(known, self.seat - 1), table, chance)
        return table

    def _known(self, game: Game, options: dict[str, Any]) -> Any:
        """Return the table of the other game, after its moves."""
        table = game.new_table(options, chance_of(self.seed))
        # As on a device: everyone is asked who might have a choice.
        table.apart = 1
        deal(table)
        for number, (seat, text) in enumerate(self.moves, 1):
            try:
                self._move(game, table, seat, text)
            except UpcardError as error:
                raise RecordError(f"move {number} of the game that continues: {error}") from None
        return table

    def _move(self, game: Game, table: Any, seat: int, text: str) -> None:
        # Those who had no choice when they were asked may be left out.
        while game.seats_asked(table) and table.to_move != seat - 1:
            apply(table, game.legal_moves(table)[-1])
        move = game.read_move(table, text)
        if table.over != PLAYING or table.to_move != seat - 1 or move not in game.legal_moves(table):
            raise RecordError(f"{quoted(text)} by seat {quoted(seat)} is not legal")
        apply(table, move)

    def to_json(self) -> dict[str, Any]:
        """Return the field `continues` of a record."""
        log = [{"seat": seat, "move": move} for seat, move in self.moves]
        return {"seed": self.seed.hex(), "seat": self.seat, "log": log}

    @classmethod
    def of(cls, fields: ContinuationFields) -> Continuation:
        """Return the continuation of a record, or raise a RecordError with the problem."""
        try:
            seed = bytes.fromhex(fields.seed)
        except ValueError:
            seed = b""
        if len(seed) != SEED_BYTES or len(fields.seed) != 2 * SEED_BYTES:
            raise RecordError(f"'seed' in 'continues' should be {2 * SEED_BYTES} hexadecimal digits")
        return cls(seed, fields.seat, [(entry.seat, entry.move) for entry in fields.log])
