"""A match: a table with names at its seats, and the log of everything that happened at it."""

from __future__ import annotations

__all__ = ["GameResult", "Match", "Player"]

import contextlib
import copy
import json
import operator
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from upcard.core.chance import Chance, Script, chance_of
from upcard.core.errors import ArgumentError, GameOver, NotationError, OptionError, Refused
from upcard.core.events import Event, EventKind, redact
from upcard.core.game import Game, apply, deal, outcome
from upcard.core.messages import Refusal
from upcard.core.options import Value
from upcard.core.position import read_position, write_position
from upcard.core.seats import SPECTATOR
from upcard.core.table import PLAYING, Reason, Result, View
from upcard.core.text import printable, quoted
from upcard.match.continuation import Continuation
from upcard.match.fairness import Fairness
from upcard.match.format import FORMAT
from upcard.match.log import Moved, Shuffled

# Names may have any length in records.
MAX_SHOWN_NAME = 40
# Moves between two checkpoints.
CHECKPOINT_MOVES = 16


class GameResult(TypedDict):
    """The result of a game: `won`, `stuck`, `scored` or `limit`, the seats that won (from 1), and every
    score."""

    reason: str
    winners: list[int]
    scores: list[int]


@dataclass(frozen=True)
class Player:
    """The player at a seat; `bot` is the name of a bot, None for a person."""

    name: str
    bot: str | None = None


class Match:
    """One game of any kind, from the deal to the result.

    Seats are numbered from 1 here, as in notation and records. `apart` says that the players sit at separate
    screens, and may not learn anything from which seats are asked out of turn. `fairness` contains the parts
    of the seed, and is in the record once the game is over. With `position` (`upcard.position`) the match
    begins there instead of with a deal, so it has no record. With `continues`, it begins where another game
    has come to.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, object],
        seed: bytes | None,
        players: Sequence[Player] | None = None,
        chance: Chance | None = None,
        *,
        apart: bool = False,
        fairness: Fairness | None = None,
        position: str | None = None,
        continues: Continuation | None = None,
    ) -> None:
        self.game = game
        self._position = position
        self.continues = continues
        self.apart = apart
        self.seed = seed
        self.fairness = fairness
        self._chosen = game.complete(options)
        count = int(self._chosen["players"])
        if players is None:
            players = [Player(f"Seat {seat}") for seat in range(1, count + 1)]
        self.players = list(players)
        if len(self.players) != count:
            raise OptionError(f"there are {count} players, but {len(self.players)} names")
        if fairness is not None:
            fairness.check(seed, self.players)
        self.log: list[Shuffled | Moved] = []
        # Positions to which `undo` can return: the numbers of moves, log entries and events, and the table.
        self._checkpoints: list[tuple[int, int, int, Any]] = []
        self.events: list[Event] = []
        if chance is None:
            if seed is None:
                raise ArgumentError("a game without a seed can only be replayed from its record")
            chance = chance_of(seed)
        self._deal(chance)

    def _deal(self, chance: Chance) -> None:
        if self.continues is not None:
            assert self.seed is not None, "hidden cards are dealt by its seed"
            self.table = self.continues.table(self.game, self._chosen, self.seed)
            self.table.chance = chance
            self.table.events = []
            self.table.apart = int(self.apart)
        elif self._position is None:
            self.table = self.game.new_table(self._chosen, chance)
            self.table.events = []
            self.table.apart = int(self.apart)
            deal(self.table)
        else:
            assert self.seed is not None, "cards are drawn from a position by its seed"
            self.table = read_position(self.game, self._position, self._chosen, self.seed)
            self.table.events = []
            self.table.apart = int(self.apart)
        self._collect_events()

    # Queries

    @property
    def names(self) -> list[str]:
        """The names of the players."""
        return [player.name for player in self.players]

    @property
    def options(self) -> dict[str, Value]:
        """All options of this table, `random` seats as the seats they became."""
        return self.game.options_of(self.table)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.table.over != PLAYING)

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.over else self.table.to_move + 1

    @property
    def legal(self) -> list[str]:
        """The legal moves."""
        return [self.game.write_move(self.table, move) for move in self.game.legal_moves(self.table)]

    @property
    def result(self) -> GameResult | None:
        """The winners and the reason; None while the game continues."""
        if not self.over:
            return None
        result = Result()
        outcome(self.table, result)
        seats = range(self.table.players)
        return GameResult(
            reason=Reason(result.reason).name.lower(),
            winners=[seat + 1 for seat in seats if result.winners[seat]],
            scores=[result.scores[seat] for seat in seats],
        )

    @property
    def scores(self) -> list[int]:
        """The score of each seat as the table is now."""
        result = Result()
        outcome(self.table, result)
        return [result.scores[seat] for seat in range(self.table.players)]

    @property
    def position(self) -> str:
        """The table as one line of text, as `upcard.position` reads it: all cards, including hidden ones."""
        return write_position(self.game, self.table)

    @property
    def asked(self) -> list[int]:
        """The seats that are asked something out of turn, in the order in which their answers count.
        If players sit apart, they may answer in any order, and their answers are applied in this one."""
        return [seat + 1 for seat in self.game.seats_asked(self.table)]

    def answers(self, seat: int) -> list[int]:
        """Return the possible answers of a seat that is asked; refuse a seat that is not asked."""
        with self._asking(seat):
            return self.game.legal_moves(self.table)

    def why_no_answer(self, seat: int, move: int) -> Refusal:
        """Return why a seat that is asked cannot answer with a move."""
        with self._asking(seat):
            refusal = self.game.explain(self.table, move)
        assert refusal is not None, "a move that is not legal has a reason"
        return refusal

    @contextlib.contextmanager
    def _asking(self, seat: int) -> Iterator[None]:
        """Ask one of the seats that are asked, out of their order."""
        self._viewer(seat)
        if seat not in self.asked:
            raise ArgumentError(f"seat {seat} is not asked anything now")
        first, self.table.to_move = self.table.to_move, seat - 1
        try:
            yield
        finally:
            self.table.to_move = first

    def view(self, seat: int | None = None) -> View:
        """Return what a seat may know; without a seat, what is public."""
        view: View = self.game.view(self.table, self._viewer(seat))
        if seat is not None and seat in self.asked:
            view.to_move = seat - 1
        return view

    def show(self, seat: int | None = None) -> dict[str, Any]:
        """Return what a seat may know for programs: ready for JSON, in notation, with seats from 1."""
        shown: dict[str, Any] = self.game.show(self.view(seat))
        return shown

    def events_for(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """Return the events from number `since` on, as a seat may know them."""
        seen = (redact(event, self._viewer(seat)) for event in self.events[since:])
        return [event for event in seen if event is not None]

    def events_since_own_move(self, seat: int) -> list[Event]:
        """Return the events that a seat has seen since its last move, beginning with the effects of that
        move. They are derived from the log, so they are right after `undo` too."""
        viewer = self._viewer(seat)
        own = (entry for entry in reversed(self.log) if isinstance(entry, Moved) and entry.seat == viewer)
        last = next(own, None)
        return self.events_for(seat, 0 if last is None else last.began)

    def _viewer(self, seat: int | None) -> int:
        if seat is None:
            return SPECTATOR
        players = self.table.players
        # Whole numbers of NumPy are accepted, but neither true and false nor 1.5.
        whole = hasattr(seat, "__index__") and not isinstance(seat, bool)
        number = operator.index(seat) if whole else 0
        if not 1 <= number <= players:
            raise ArgumentError(f"there is no seat {quoted(seat)}: there are {players} players")
        return number - 1

    def __str__(self) -> str:
        lines = [f"{self.game.title}, {len(self.log_of_moves)} moves played"]
        names = [printable(name, MAX_SHOWN_NAME) for name in self.names]
        lines.append(self.game.render(self.view(self.to_move), names))
        result = self.result
        if result is None:
            lines.append(f"{names[self.table.to_move]} to move: {', '.join(self.legal)}")
        else:
            winners = ", ".join(names[seat - 1] for seat in result["winners"])
            lines.append(f"Over ({result['reason']}): {winners} won. Scores: {result['scores']}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        count = len(self.log_of_moves)
        moves = "1 move" if count == 1 else f"{count} moves"
        return f"<Match of {self.game.id}, {len(self.players)} players, {moves}{', over' * self.over}>"

    # Moves

    def play(self, text: str, seat: int | None = None) -> list[Event]:
        """Make a move in notation, and return the events, as the seat that moved saw them. (`events` has
        everything, hidden cards too.) With `seat`, only on its turn."""
        if not isinstance(text, str):
            raise NotationError(f"a move is text, as in {self.game.title}'s notation, not {quoted(text)}")
        if self.over:
            raise GameOver("the game is over")
        if seat is not None and self._viewer(seat) != self.table.to_move:
            name = self.names[self.table.to_move]
            raise Refused(Refusal("table.not_your_turn", {"name": name}, self.game.turn_clause))
        return self.make(self.game.read_move(self.table, text))

    def make(self, move: int) -> list[Event]:
        """Make a move by its number, and return the events, as the seat that moved saw them; refuse it if it
        is not legal."""
        move = self.game.number_of_move(move)
        if move not in self.game.legal_moves(self.table):
            refusal = self.game.explain(self.table, move)
            assert refusal is not None, "a move that is not legal has a reason"
            raise Refused(refusal)
        seat, known = self.to_move, len(self.events)
        self.make_legal(move)
        return self.events_for(seat, known)

    def make_legal(self, move: int) -> None:
        """Make a move that is known to be legal."""
        seat, text = self.table.to_move, self.game.write_move(self.table, move)
        forced = self.apart and bool(self.asked) and self.game.legal_moves(self.table) == [move]
        apply(self.table, move)
        known = len(self.events)
        secret = bool(self.table.events) and self.table.events[0].secret
        # Interned, since many moves have the same text.
        self._collect_events(Moved(seat, move, sys.intern(text), self._taken_blind(), forced, secret, known))

    def _taken_blind(self) -> int | None:
        return next((event.card for event in self.table.events if event.taken_blind), None)

    def _collect_events(self, moved: Moved | None = None) -> None:
        if moved is not None:
            self.log.append(moved)
        self.log += [Shuffled(event.cards) for event in self.table.events if event.kind == EventKind.SHUFFLED]
        self.events += self.table.events
        self.table.events = []

    @property
    def log_of_moves(self) -> list[Moved]:
        """The log without the shuffles."""
        return [entry for entry in self.log if isinstance(entry, Moved)]

    def undo(self, moves: int = 1) -> None:
        """Take back the last moves, with everything that followed from them. The same cards will come;
        without a seed, only up to the next shuffle."""
        made = self.log_of_moves
        if not 0 <= moves <= len(made):
            raise ArgumentError(f"{len(made)} moves have been made, {moves} cannot be taken back")
        kept = len(made) - moves
        again, done = self._resumed(kept)
        for number, entry in enumerate(made[done:kept], done):
            if kept - number in (CHECKPOINT_MOVES, 2 * CHECKPOINT_MOVES):
                again.keep_checkpoint()
            again.make_legal(entry.move)
        if self.seed is None:
            again.table.chance = self.table.chance
        self.log, self.events, self.table = again.log, again.events, again.table
        self._checkpoints = again._checkpoints

    def keep_checkpoint(self) -> None:
        """Remember this position, so that `undo` need not replay the whole game. The last two are kept."""
        checkpoint = len(self.log_of_moves), len(self.log), len(self.events), self.table.copy()
        self._checkpoints = [*self._checkpoints[-1:], checkpoint]

    def _resumed(self, moves: int) -> tuple[Match, int]:
        """Return this match at the last checkpoint up to a number of moves, and the number of moves there."""
        found = [checkpoint for checkpoint in self._checkpoints if checkpoint[0] <= moves]
        if not found or self.seed is None:
            return self._dealt_again(self.apart), 0
        made, log, events, table = found[-1]
        again = copy.copy(self)
        again.log, again.events, again.table = self.log[:log], self.events[:events], table.copy()
        again.table.events = []
        again._checkpoints = found
        return again, made

    def _dealt_again(self, apart: bool = False) -> Match:
        """Return this match as it was before its first move. The cards come from the seed, or without a seed
        from the log: then it can only be played in the same way."""
        chance = None if self.seed is not None else self._script()
        return Match(
            self.game,
            self.options,
            self.seed,
            self.players,
            chance,
            apart=apart,
            position=self._position,
            continues=self.continues,
        )

    def _script(self) -> Script:
        """Return all random results of this match, in order."""
        script = Script()
        for entry in self.log:
            if isinstance(entry, Shuffled):
                script.wanted.extend(entry.cards)
            elif entry.took is not None:
                script.wanted.append(entry.took)
        return script

    def copy(self) -> Match:
        """Return an independent copy. Moves made in one are not made in the other."""
        twin = copy.copy(self)
        twin.players, twin.log, twin.events = self.players[:], self.log[:], self.events[:]
        twin.table = self.table.copy()
        twin.table.events = []
        return twin

    # Records

    def record(self, legal: bool = False) -> dict[str, Any]:
        """Return the record of the game, ready for JSON; with `legal`, what else could be done."""
        if self._position is not None:
            raise ArgumentError("a match that began in a position has no record, as it was not dealt")
        choices = iter(self._choices()) if legal else None
        return {
            "upcard": FORMAT,
            "game": self.game.id,
            "options": self.options,
            "first": self.table.first + 1,
            "seats": [
                {"name": player.name} | ({"bot": player.bot} if player.bot else {}) for player in self.players
            ],
            "seed": None if self.seed is None else self.seed.hex(),
            **({} if self.continues is None else {"continues": self.continues.to_json()}),
            **({"fairness": self.fairness.to_json()} if self.over and self.fairness is not None else {}),
            "log": [self._written(entry, choices) for entry in self.log if not entry.forced],
            "result": self.result,
        }

    def _written(self, entry: Shuffled | Moved, choices: Iterator[list[str]] | None) -> dict[str, Any]:
        written = entry.to_json(self.game.write_card)
        if isinstance(entry, Moved) and choices is not None:
            written["legal"] = next(choices)
        return written

    def _choices(self) -> list[list[str]]:
        """Return the legal moves before each move of the log."""
        again = self._dealt_again()
        choices = []
        for entry in self.log_of_moves:
            if not entry.forced:
                choices.append(again.legal)
                again.make_legal(entry.move)
        return choices

    def to_json(self, legal: bool = False) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(self.record(legal), ensure_ascii=False)
