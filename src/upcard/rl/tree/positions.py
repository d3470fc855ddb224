"""Positions: where a game can come to, one after another."""

from __future__ import annotations

__all__ = ["CHANCE_PLAYER", "NOBODY", "Position", "Setup", "setup_of"]

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard.core.chance import Chance
from upcard.core.errors import UpcardError
from upcard.core.memory import dtype_of, load, store
from upcard.core.news import HIDDEN, News, sees
from upcard.core.options import Value
from upcard.core.record import fields
from upcard.rl.encodings import encoding_of
from upcard.rl.tree import dealing
from upcard.rl.tree.dealing import (
    CHANCE,
    COUNT,
    DEAL,
    DECISION,
    KIND,
    LOT,
    NOTE,
    NOTED,
    OVER,
    SEAT,
    WRONG,
    is_secret,
    read_notes,
)

# Who is to move where it is no seat: chance, or nobody, as the game is over.
CHANCE_PLAYER = -1
NOBODY = -4

# So many tables are made at once, as making one takes a while, and so many are kept to be used again.
BLOCK = 16
MOST_EMPTY = 512
# How often each card is tried at another place when a game is resampled, and how often at least.
TRIES_A_CARD = 6
FEWEST_TRIES = 100
# A game that is resampled may have so many more answers in it.
MORE_ANSWERS = 200
NO_OUTCOMES = np.zeros(0, np.int32)


class Room:
    """A table in memory, which is used again when no position needs it any more: fresh memory is slow."""

    __slots__ = ("empty", "table")

    def __init__(self, table: npt.NDArray[Any], empty: list[npt.NDArray[Any]]) -> None:
        self.table = table
        self.empty = empty

    # At the very end this module no longer knows its own names.
    def __del__(self, most: int = MOST_EMPTY) -> None:
        if len(self.empty) < most:
            self.empty.append(self.table)


class Desk:
    """Arrays for one thread at a time to work in."""

    __slots__ = ("notes", "outcomes", "table", "told", "wanted")

    def __init__(self, table: npt.NDArray[Any], most_moves: int) -> None:
        # For what comes next: the table, what can be done, and news.
        self.table = table
        self.told = np.zeros(max(2 * dealing.MOST_KINDS, most_moves), np.int32)
        self.notes = np.zeros(dealing.MOST_NOTES * NOTE, np.int32)
        # What chance said last, and that as an array.
        self.outcomes: tuple[int, ...] = ()
        self.wanted = np.zeros(dealing.MOST_WANTED, np.int32)

    def write(self, outcomes: tuple[int, ...], before: tuple[int, ...]) -> npt.NDArray[np.int32]:
        """Return outcomes of chance as an array; mostly it is one more than those before."""
        count = len(outcomes)
        if self.outcomes is before:
            self.wanted[count - 1] = outcomes[-1]
        else:
            self.wanted[:count] = outcomes
        self.outcomes = outcomes
        return self.wanted[:count]


class Step:
    """How a position was reached from the one before in which a seat was to move; the first, by the deal."""

    __slots__ = ("action", "lots", "notes", "outcomes", "parent", "seat", "texts")

    def __init__(
        self, parent: Step | None, seat: int, action: int, outcomes: tuple[int, ...], lots: int, notes: bytes
    ) -> None:
        self.parent = parent
        self.seat = seat
        self.action = action
        # What chance said to it, lots first, of which there are so many.
        self.outcomes = outcomes
        self.lots = lots
        # What was told, and what that is for each seat in words.
        self.notes = notes
        self.texts: dict[int, str] | None = None


class Setup:
    """A game with its options: where every position begins."""

    def __init__(self, game: str, options: Mapping[str, object]) -> None:
        self.encoding = encoding_of(game)
        self.game = self.encoding.game
        self.options = self.game.complete(options)
        self.players = int(self.options["players"])
        self.record = dealing.open_table(self.game)
        self.layout = dtype_of(self.record)
        # Tables that nobody needs, and desks for a thread to take one.
        self._empty: list[npt.NDArray[Any]] = []
        self._desks: list[Desk] = []
        self.start = Room(self._laid(), [])

    def _laid(self) -> npt.NDArray[Any]:
        plain = self.game.lay(self.options, Chance())
        table = self.record()
        for name in fields(self.game.Table):
            if name not in ("chance", "deck"):
                setattr(table, name, getattr(plain, name))
        start = np.zeros(1, self.layout)
        start[0] = store(table)
        return start

    @functools.cached_property
    def root(self) -> Position:
        """The position in which nothing has been dealt yet."""
        return self.reach(self.start, None, NOBODY, DEAL, (), (), 0)

    def reach(
        self,
        room: Room,
        past: Step | None,
        seat: int,
        action: int,
        outcomes: tuple[int, ...],
        before: tuple[int, ...],
        lots: int,
    ) -> Position:
        """Return the position after an action of a seat, with the outcomes of chance so far, lots first;
        `before` is all of them but the last."""
        if len(outcomes) > dealing.MOST_WANTED:
            raise UpcardError("more cards are drawn between two decisions than can be told")
        desk = self._desks.pop() if self._desks else Desk(self._new_table(), self.game.most_moves)
        wanted = desk.write(outcomes, before) if outcomes else NO_OUTCOMES
        code = dealing.advance.dispatcher(room.table, desk.table, wanted, lots, action, desk.told, desk.notes)
        kind = code >> KIND & 7
        items = desk.told[: code & COUNT].tolist()
        if kind == CHANCE or kind == LOT:
            self._desks.append(desk)
            return Position(self, room, past, kind, CHANCE_PLAYER, items, seat, action, outcomes, lots)
        noted = code >> NOTED
        if kind == WRONG or noted > dealing.MOST_NOTES:
            what = "cannot come out here" if kind == WRONG else "leads to more news than can be told"
            raise UpcardError(f"{outcomes[-1] if outcomes else action} {what}")
        step = Step(past, seat, action, outcomes, lots, desk.notes[: noted * NOTE].tobytes())
        reached = Room(desk.table, self._empty)
        desk.table = self._new_table()
        self._desks.append(desk)
        player = code >> SEAT & 7 if kind == DECISION else NOBODY
        return Position(self, reached, step, kind, player, items, NOBODY, DEAL, (), 0)

    def _new_table(self) -> npt.NDArray[Any]:
        if not self._empty:
            block = np.empty(BLOCK, self.layout)
            self._empty += [block[number : number + 1] for number in range(BLOCK)]
        return self._empty.pop()

    @functools.cached_property
    def most_outcomes(self) -> int:
        """A number that every outcome of chance is below: of cards that can be drawn first, and of seats."""
        position = self.root
        while position.kind == LOT:
            position = position.after(0)
        return max(*position.actions, self.players) + 1

    def follow(self, actions: Iterable[int]) -> Position:
        """Return the position after these actions and outcomes of chance, from the beginning."""
        position = self.root
        for action in actions:
            position = position.after(action)
        return position


@functools.lru_cache(maxsize=64)
def _setup(game: str, options: tuple[tuple[str, Value], ...]) -> Setup:
    return Setup(game, dict(options))


def setup_of(game: str, options: Mapping[str, object]) -> Setup:
    """Return a game with its options, always the same one for the same options."""
    complete = encoding_of(game).game.complete(options)
    return _setup(game, tuple(complete.items()))


class Position:
    """Where a game has come to. It never changes: what is done leads to another position.

    `player` is the seat to move (from 0), CHANCE_PLAYER or NOBODY. `table` is as it was when a seat was last
    to move: what has been chosen since then, and what chance has said to it, is still under way.
    """

    __slots__ = ("_items", "action", "kind", "lots", "outcomes", "past", "player", "room", "seat", "setup")

    def __init__(
        self,
        setup: Setup,
        room: Room,
        past: Step | None,
        kind: int,
        player: int,
        items: list[int],
        seat: int,
        action: int,
        outcomes: tuple[int, ...],
        lots: int,
    ) -> None:
        self.setup = setup
        self.room = room
        self.past = past
        self.kind = kind
        self.player = player
        self._items = items
        # What is under way: who chose what, and what chance has said to it so far.
        self.seat = seat
        self.action = action
        self.outcomes = outcomes
        self.lots = lots

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        options = dict(self.setup.options)
        return _restored, (self.setup.game.id, options, self.history)

    # What one does

    def after(self, action: int) -> Position:
        """Return the position after an action of the seat to move, or an outcome of chance."""
        if self.kind == DECISION:
            if action not in self._items:
                raise UpcardError(f"{action} is not one of the legal actions, which are {self._items}")
            return self.setup.reach(self.room, self.past, self.player, action, (), (), 0)
        if self.kind == OVER:
            raise UpcardError("the game is over")
        lots = self.lots + 1 if self.kind == LOT else self.lots
        before = self.outcomes
        outcomes = (*before, action)
        return self.setup.reach(self.room, self.past, self.seat, self.action, outcomes, before, lots)

    # What one asks

    @property
    def actions(self) -> list[int]:
        """The legal actions of the seat to move, in their order; the possible outcomes of chance."""
        if self.kind == DECISION:
            return self._items
        return [] if self.kind == OVER else self._items[::2]

    @property
    def chances(self) -> list[tuple[int, float]]:
        """What can come out, and how likely it is."""
        counts = self._items[1::2]
        whole = sum(counts)
        return list(zip(self._items[::2], [count / whole for count in counts], strict=True))

    @property
    def is_chance(self) -> bool:
        """Whether chance is to say something."""
        return self.player == CHANCE_PLAYER

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.kind == OVER

    @property
    def rewards(self) -> list[float]:
        """What each seat has won: 1 for a single winner, and the sum is 0."""
        players = self.setup.players
        if self.kind != OVER:
            return [0.0] * players
        winners = sum(self._items)
        return [(players * wins / winners - 1) / (players - 1) for wins in self._items]

    @property
    def steps(self) -> list[Step]:
        """How it came to this, from the deal to where a seat was last to move."""
        steps = []
        step = self.past
        while step is not None:
            steps.append(step)
            step = step.parent
        return steps[::-1]

    @property
    def history(self) -> list[int]:
        """All actions and outcomes of chance so far, in their order."""
        history: list[int] = []
        for step in self.steps:
            history += [*_chosen(step.action), *step.outcomes]
        return [*history, *_chosen(self.action), *self.outcomes]

    @property
    def is_dealt(self) -> bool:
        """Whether there is anything on the table yet."""
        return self.room is not self.setup.start

    @property
    def table(self) -> npt.NDArray[Any]:
        """The table as a compiled record, the only one of an array."""
        return self.room.table

    @property
    def plain(self) -> Any:
        """The table as a plain record."""
        return load(self.setup.record, self.table[0])

    def observe(self, seat: int, out: npt.NDArray[np.uint8]) -> None:
        """Write what a seat knows into an array of the encoding's size."""
        if self.is_dealt:
            dealing.watch(self.table, seat, out)
        else:
            out[:] = 0

    def view(self, seat: int) -> Any:
        """Return what a seat may know, as a view."""
        view = self.setup.game.View()
        self.setup.game.rules["look"](self.plain, seat, view)
        return view

    def drawn(self, seat: int) -> str:
        """Return what a seat sees, as text."""
        if not self.is_dealt:
            return "Nothing has been dealt yet."
        names = [f"Seat {number}" for number in range(1, self.setup.players + 1)]
        return self.setup.game.draw(self.view(seat), names)

    def recall(self, seat: int) -> tuple[int, int]:
        """Return two numbers of 32 bits that stand for all that a seat has been told."""
        known = self.table["recall"][0]
        return int(known[2 * seat]), int(known[2 * seat + 1])

    def told(self, seat: int) -> str:
        """Return all that a seat has been told and has chosen, from the beginning."""
        return "".join([self._text(step, seat) for step in self.steps])

    def _text(self, step: Step, seat: int) -> str:
        if step.texts is None:
            step.texts = {}
        if seat not in step.texts:
            step.texts[seat] = self._say(step, seat)
        return step.texts[seat]

    def _say(self, step: Step, seat: int) -> str:
        """Say in words what a step has told a seat."""
        write = self.setup.game.write_card
        words = []
        for kind, who, card, place, other, audience in read_notes(step.notes):
            heard = sees(seat, audience)
            if kind == dealing.CHOSE:
                if heard:
                    words.append(f"chose {card}\n")
            elif heard or not is_secret(kind):
                seen = "*" if not heard or card == HIDDEN else "-" if card < 0 else write(card)
                words.append(f"{News(kind).name.lower()} {who + 1} {seen} {place} {other}\n")
        return "".join(words)

    # Other positions

    def resampled(self, seat: int, seed: int) -> Position:
        """Return a position at random that a seat cannot tell from this one."""
        if self.kind != DECISION:
            raise UpcardError("a game can be resampled where a seat is to move")
        setup = self.setup
        steps = self.steps
        lots = np.array([lot for step in steps for lot in step.outcomes[: step.lots]], np.int32)
        draws = np.array([card for step in steps for card in step.outcomes[step.lots :]], np.int32)
        tables = np.zeros(3, setup.layout)
        tables[:1] = setup.start.table
        follows = np.zeros((len(steps) + MORE_ANSWERS, 3), np.int32)
        count = dealing.resample(
            tables,
            np.array([step.action for step in steps[1:]], np.int32),
            np.array([step.seat for step in steps[1:]], np.int32),
            lots,
            draws,
            seat,
            max(FEWEST_TRIES, TRIES_A_CARD * len(draws)),
            np.array([seed * 2 + 1], np.uint64),
            np.zeros((len(steps), 4), np.int32),
            follows,
        )
        return setup.follow(_in_order(follows[:count].tolist(), lots.tolist(), draws.tolist()))


def _chosen(action: int) -> tuple[int, ...]:
    """Nobody chose to deal."""
    return () if action == DEAL else (action,)


def _in_order(follows: list[list[int]], lots: list[int], draws: list[int]) -> list[int]:
    """Return actions and outcomes of chance in the order in which they come."""
    order: list[int] = []
    for action, lots_used, draws_used in follows:
        order += [*_chosen(action), *lots[:lots_used], *draws[:draws_used]]
        lots, draws = lots[lots_used:], draws[draws_used:]
    return order


def _restored(game: str, options: dict[str, Value], history: list[int]) -> Position:
    return setup_of(game, options).follow(history)
