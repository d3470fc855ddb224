"""Replaying records, plainly, and trusting nothing in them: whoever wrote them, and however."""

from __future__ import annotations

__all__ = ["replay"]

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from upcard.core.chance import Script, chance_of, key_of
from upcard.core.errors import NotationError, RecordError, Refused, UpcardError
from upcard.core.game import Game
from upcard.core.options import RANDOM
from upcard.games import GAMES, find
from upcard.match.fairness import Fairness
from upcard.match.match import FORMAT, Match, Moved, Player
from upcard.match.seed import SEED_BYTES, new_seed


def replay(record: Any, before: Callable[[Match, str], None] | None = None) -> Match:
    """Return the match that a record tells of, or raise a RecordError that says what is wrong. Before every
    move, `before` is called with the match as it is then and the move that comes.

    The shuffles are taken from the log, so that any program can write records; where there is a
    seed they must also follow from it, and the seed from the shares where those are told. The match can be
    played on: further shuffles follow from the seed, and are random where there is none.
    """
    return _Replay(record).run(before)


class _Replay:
    def __init__(self, record: Any) -> None:
        self.record = _mapping(record, "the record")
        if self.record.get("upcard") != FORMAT:
            raise RecordError(f"'upcard' should be {FORMAT}, not {self.record.get('upcard')!r}")
        if self.record.get("game") not in list(GAMES):
            raise RecordError(f"'game' should be one of {', '.join(GAMES)}, not {self.record.get('game')!r}")
        self.game: Game = find(self.record["game"])
        self.log = _list(self.record.get("log"), "'log'")
        self.script = Script(None if self.seed is None else key_of(self.seed))

    @property
    def seed(self) -> bytes | None:
        seed = self.record.get("seed")
        if seed is None:
            return None
        try:
            data = bytes.fromhex(seed)
        except (TypeError, ValueError):
            data = b""
        if len(data) != SEED_BYTES:
            raise RecordError(f"'seed' should be {2 * SEED_BYTES} hexadecimal digits")
        return data

    def run(self, before: Callable[[Match, str], None] | None) -> Match:
        shuffles, place = self._shuffles_from(0)
        match = self._deal(shuffles)
        while place < len(self.log):
            shuffles, next_place = self._shuffles_from(place + 1)
            if before is not None:
                before(match, self.log[place].get("move"))
            self._move(match, place, shuffles)
            place = next_place
        self._check_result(match)
        match.table.chance = chance_of(new_seed()) if self.seed is None else self.script.chance()
        return match

    def _deal(self, shuffles: list[list[int]]) -> Match:
        options = _mapping(self.record.get("options"), "'options'")
        missing = [option.name for option in self.game.options if option.name not in options]
        if missing:
            raise RecordError(f"'options' has no {', '.join(missing)}")
        if RANDOM in list(options.values()):
            raise RecordError("'options' should name the seat that chance chose, not 'random'")
        self._expect(shuffles)
        try:
            match = Match(self.game, options, self.seed, self._players(), self.script)
        except UpcardError as error:
            self._blame(0, error)
        self._compare(match, 0, shuffles)
        if self.record.get("first") != match.table.first + 1:
            raise RecordError(f"'first' should be {match.table.first + 1}, not {self.record.get('first')!r}")
        match.fairness = self._fairness(match.players)
        return match

    def _players(self) -> list[Player]:
        players = []
        for seat in _list(self.record.get("seats"), "'seats'"):
            name, bot = _mapping(seat, "a seat").get("name"), seat.get("bot")
            if not isinstance(name, str) or not isinstance(bot, str | None):
                raise RecordError("every seat should have a 'name', and may have a 'bot'")
            players.append(Player(name, bot))
        return players

    def _fairness(self, players: list[Player]) -> Fairness | None:
        if self.record.get("fairness") is None:
            return None
        fairness = Fairness.from_json(self.record["fairness"])
        fairness.check(self.seed, players)
        return fairness

    def _shuffles_from(self, place: int) -> tuple[list[list[int]], int]:
        """Return the shuffles that stand in the log from a place on, and the place after them."""
        shuffles = []
        while place < len(self.log) and "shuffle" in _mapping(self.log[place], "a log entry", place):
            cards = _list(self.log[place]["shuffle"], "'shuffle'", place)
            shuffles.append([self._card(card, place) for card in cards])
            place += 1
        return shuffles, place

    def _card(self, text: Any, place: int) -> int:
        try:
            return self.game.read_card(text)
        except NotationError as error:
            self._blame(place, error)

    def _move(self, match: Match, place: int, shuffles: list[list[int]]) -> None:
        entry = self.log[place]
        seat, text = entry.get("seat"), entry.get("move")
        if match.over:
            self._blame(place, "the game was over before this")
        if seat != match.to_move:
            self._blame(place, f"seat {match.to_move} is to move, not {seat!r}")
        if not isinstance(text, str):
            self._blame(place, "an entry should have a 'move' or a 'shuffle'")
        if "legal" in entry:
            self._check_legal(match, place, _list(entry["legal"], "'legal'", place))
        self._expect([[self._card(entry["took"], place)]] if "took" in entry else [], shuffles)
        try:
            match.play(text)
        except Refused as error:
            self._blame(place, f"{text!r} is refused: {error}")
        except UpcardError as error:
            self._blame(place, error)
        made = next(entry for entry in reversed(match.log) if isinstance(entry, Moved))
        if made.text != text:
            self._blame(place, f"the move should be written {made.text!r}, not {text!r}")
        if made.took is None and "took" in entry:
            self._blame(place, "'took' belongs to a card stolen from a hand")
        self._compare(match, place, shuffles)

    def _check_legal(self, match: Match, place: int, listed: list[Any]) -> None:
        if sorted(listed, key=str) != sorted(match.legal):
            self._blame(place, f"the legal moves are {', '.join(match.legal)}")

    def _expect(self, *orders: Iterable[list[int]]) -> None:
        """Say which cards come out next."""
        for lists in orders:
            for cards in lists:
                self.script.wanted.extend(cards)

    def _compare(self, match: Match, place: int, shuffles: list[list[int]]) -> None:
        """Check that just those shuffles happened that the record has here."""
        happened: list[list[int]] = []
        for entry in reversed(match.log):
            if isinstance(entry, Moved):
                break
            happened.insert(0, list(entry.cards))
        if self.script.wanted or happened != shuffles:
            self._blame(place, "the record has a shuffle here that did not happen")

    def _check_result(self, match: Match) -> None:
        result = self.record.get("result")
        if "result" not in self.record:
            raise RecordError("there is no 'result' (null while a game goes on)")
        if match.result is None and result is not None:
            raise RecordError("the record has a result, but its log ends before the game does")
        if result != match.result:
            raise RecordError(f"'result' should be {match.result}, not {result}")

    def _blame(self, place: int, reason: object) -> NoReturn:
        text = reason.reason if isinstance(reason, RecordError) else str(reason)
        raise RecordError(text, place + 1) from None


def _mapping(value: Any, what: str, place: int | None = None) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(f"{what} should be a JSON object", None if place is None else place + 1)
    return value


def _list(value: Any, what: str, place: int | None = None) -> list[Any]:
    if not isinstance(value, list):
        raise RecordError(f"{what} should be a list", None if place is None else place + 1)
    return value
