"""Replaying records by plain rules. Nothing in a record is trusted."""

from __future__ import annotations

__all__ = ["replay"]

import json
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import msgspec
from msgspec import UNSET

from upcard.core.chance import Script, chance_of, key_of
from upcard.core.errors import NotationError, OptionError, RecordError, Refused, UpcardError
from upcard.core.game import Game
from upcard.core.options import RANDOM, Option
from upcard.core.text import quoted
from upcard.games import find, names
from upcard.match.continuation import Continuation
from upcard.match.fairness import Fairness
from upcard.match.format import GameRecord, MoveEntry, ShuffleEntry
from upcard.match.log import Moved
from upcard.match.match import Match, Player
from upcard.match.seed import SEED_BYTES, new_seed


def replay(record: Any, before: Callable[[Match, str], None] | None = None) -> Match:
    """Return the match of a record, or raise a RecordError with the problem. Before every move, `before` is
    called with the current match and the next move.

    The shuffles are taken from the log, so that any program can write records. If there is a seed, they must
    also follow from it, and the seed must follow from the shares if the record has them. The match can be
    continued: further shuffles follow from the seed, or are random without one.
    """
    return _Replay(record).run(before)


class _Replay:
    def __init__(self, record: Any) -> None:
        self.record = GameRecord.of(record)
        if self.record.game not in names():
            raise RecordError(f"'game' should be one of {', '.join(names())}, not {quoted(self.record.game)}")
        self.game: Game = find(self.record.game)
        self.log = self.record.log
        self.seed = _seed(self.record.seed)
        self.script = Script(None if self.seed is None else key_of(self.seed))

    def run(self, before: Callable[[Match, str], None] | None) -> Match:
        shuffles, place = self._shuffles_from(0)
        match = self._deal(shuffles)
        while place < len(self.log):
            shuffles, next_place = self._shuffles_from(place + 1)
            entry = self.log[place]
            assert isinstance(entry, MoveEntry), "shuffles are gathered with the move before them"
            if before is not None:
                before(match, entry.move)
            self._move(match, place, entry, shuffles)
            place = next_place
        self._check_result(match)
        match.table.chance = chance_of(new_seed()) if self.seed is None else self.script.chance()
        return match

    def _deal(self, shuffles: list[list[int]]) -> Match:
        options = self.record.options
        for option in self.game.options:
            if option.name in options:
                _check_written(option, options[option.name])
        missing = [option.name for option in self.game.options if option.name not in options]
        if missing:
            raise RecordError(f"'options' has no {', '.join(missing)}")
        self._expect(shuffles)
        try:
            continues = self._continues()
            match = Match(self.game, options, self.seed, self._players(), self.script, continues=continues)
        except UpcardError as error:
            self._blame(0, error)
        self._compare(match, 0, shuffles)
        if self.record.first != match.table.first + 1:
            raise RecordError(f"'first' should be {match.table.first + 1}, not {quoted(self.record.first)}")
        match.fairness = self._fairness(match.players)
        return match

    def _players(self) -> list[Player]:
        return [Player(seat.name, seat.bot) for seat in self.record.seats]

    def _continues(self) -> Continuation | None:
        if self.record.continues is None:
            return None
        if self.seed is None:
            raise RecordError("'continues' needs a seed, by which the hidden cards are dealt")
        return Continuation.of(self.record.continues)

    def _fairness(self, players: list[Player]) -> Fairness | None:
        if self.record.fairness is None:
            return None
        fairness = Fairness.of(self.record.fairness)
        fairness.check(self.seed, players)
        return fairness

    def _shuffles_from(self, place: int) -> tuple[list[list[int]], int]:
        """Return the shuffles in the log from an index on, and the index after them."""
        shuffles = []
        while place < len(self.log) and isinstance(entry := self.log[place], ShuffleEntry):
            shuffles.append([self._card(card, place) for card in entry.shuffle])
            place += 1
        return shuffles, place

    def _card(self, text: str, place: int) -> int:
        try:
            return self.game.read_card(text)
        except NotationError as error:
            self._blame(place, error)

    def _move(self, match: Match, place: int, entry: MoveEntry, shuffles: list[list[int]]) -> None:
        text = entry.move
        if match.over:
            self._blame(place, "the game was over before this")
        if entry.seat != match.to_move:
            self._blame(place, f"seat {match.to_move} is to move, not {quoted(entry.seat)}")
        if entry.legal is not UNSET and sorted(entry.legal) != sorted(match.legal):
            self._blame(place, f"the legal moves are {', '.join(match.legal)}")
        self._expect([] if entry.took is UNSET else [[self._card(entry.took, place)]], shuffles)
        try:
            match.play(text)
        except Refused as error:
            self._blame(place, f"{quoted(text)} is refused: {error}")
        except UpcardError as error:
            self._blame(place, error)
        made = next(entry for entry in reversed(match.log) if isinstance(entry, Moved))
        if made.text != text:
            self._blame(place, f"the move should be written {made.text!r}, not {quoted(text)}")
        if made.took is None and entry.took is not UNSET:
            self._blame(place, "'took' belongs to a card stolen from a hand")
        self._compare(match, place, shuffles)

    def _expect(self, *orders: Iterable[list[int]]) -> None:
        """Set the cards that come out next."""
        for lists in orders:
            for cards in lists:
                self.script.wanted.extend(cards)

    def _compare(self, match: Match, place: int, shuffles: list[list[int]]) -> None:
        """Check that exactly the shuffles of the record happened."""
        happened: list[list[int]] = []
        for entry in reversed(match.log):
            if isinstance(entry, Moved):
                break
            happened.insert(0, list(entry.cards))
        if self.script.wanted or happened != shuffles:
            self._blame(place, "the record has a shuffle here that did not happen")

    def _check_result(self, match: Match) -> None:
        result = None if self.record.result is None else msgspec.structs.asdict(self.record.result)
        if match.result is None and result is not None:
            raise RecordError("the record has a result, but its log ends before the game does")
        if result != match.result:
            raise RecordError(f"'result' should be {match.result}, not {quoted(result, 200)}")

    def _blame(self, place: int, reason: object) -> NoReturn:
        text = reason.reason if isinstance(reason, RecordError) else str(reason)
        raise RecordError(text, place + 1) from None


def _seed(digits: str | None) -> bytes | None:
    if digits is None:
        return None
    try:
        seed = bytes.fromhex(digits)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES or len(digits) != 2 * SEED_BYTES:
        raise RecordError(f"'seed' should be {2 * SEED_BYTES} hexadecimal digits")
    return seed


def _check_written(option: Option, value: Any) -> None:
    """Check that an option has one of its values, written as records write it: `false` and not "no"."""
    if value == RANDOM:
        raise RecordError(f"'options' should name the seat that was drawn as {option.name}, not 'random'")
    try:
        read = option.read(value)
    except OptionError as error:
        raise RecordError(str(error)) from None
    if type(read) is not type(value):
        raise RecordError(f"{option.name} should be {json.dumps(read)} in 'options', not {quoted(value)}")
