"""Positions: where a game can come to, one after another."""

from __future__ import annotations

__all__ = ["CHANCE_PLAYER", "NOBODY", "Position", "Setup", "setup_of"]

import functools
import struct
from collections.abc import Callable, Iterable, Mapping
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
    DEAL,
    DECISION,
    LOT,
    MOST_NOTES,
    MOST_TOLD,
    MOST_WANTED,
    NOTE_BYTES,
    OVER,
    WRONG,
    is_secret,
    kept_size,
    offset_of,
    read_notes,
    read_share,
)

# Who is to move where it is no seat: chance, or nobody, as the game is over.
CHANCE_PLAYER = -1
NOBODY = -4

# What stands for all that a seat has been told.
RECALL = struct.Struct("=2i")
# Bytes that nobody writes to.
Memory = bytes | bytearray

# How often each card is tried at another place when a game is resampled, and how often at least.
TRIES_A_CARD = 6
FEWEST_TRIES = 100
# A game that is resampled may have so many more answers in it.
MORE_ANSWERS = 200


class Desk:
    """Memory for one thread at a time to make moves in: two tables, the one before a move and the one after.
    Mostly a game goes on from where it came to last, and that lies there already."""

    __slots__ = ("array", "lies", "memory", "notes", "outcomes", "said", "side", "tables")

    def __init__(self, layout: np.dtype[Any]) -> None:
        # Slices of a bytearray are much quicker than those of an array, which is for compiled code.
        self.memory = bytearray(layout.itemsize)
        self.array = np.frombuffer(self.memory, layout)
        # Where both tables are, and the news in them; which table lies there, on which side.
        table = layout["tables"].base
        begins = [offset_of(layout, "tables") + side * table.itemsize for side in range(2)]
        self.tables = [slice(begin, begin + kept_size(table)) for begin in begins]
        self.notes = [begin + offset_of(table, "notes") for begin in begins]
        self.lies: Memory = b""
        self.side = 0
        # What chance has said, and that as an array.
        self.said: tuple[int, ...] = ()
        self.outcomes = self.array[0]["outcomes"]

    def lay(self, table: Memory) -> None:
        """Lay a table there."""
        self.memory[self.tables[self.side]] = self.lies = table

    def hear(self, outcomes: tuple[int, ...]) -> None:
        """Write down what chance has said."""
        self.outcomes[: len(outcomes)] = self.said = outcomes


class Shares(dict[int, list[tuple[int, float]]]):
    """Of how many things one comes -> for each share of them what it is, and how likely: worked out once."""

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self.kinds = kinds

    def __missing__(self, whole: int) -> list[tuple[int, float]]:
        shares = [read_share(number, self.kinds) for number in range(MOST_TOLD)]
        self[whole] = [(kind, count / whole) for kind, count in shares]
        return self[whole]


class Step:
    """How a position was reached from the one before in which a seat was to move; the first, by the deal."""

    __slots__ = ("action", "lots", "notes", "outcomes", "parent", "seat", "texts")

    def __init__(
        self, parent: Step | None, seat: int, action: int, outcomes: tuple[int, ...], lots: int, notes: Memory
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
        self.recall_at = offset_of(self.layout, "recall")
        self.start = self._laid()
        self.shares = Shares(self.encoding.kinds)
        # Desks for a thread to take one.
        self._desks: list[Desk] = []

    def _laid(self) -> bytes:
        plain = self.game.lay(self.options, Chance())
        table = self.record()
        for name in fields(self.game.Table):
            if name not in ("chance", "deck"):
                setattr(table, name, getattr(plain, name))
        return bytes(store(table).tobytes()[: kept_size(self.layout)])

    @functools.cached_property
    def root(self) -> Position:
        """The position in which nothing has been dealt yet."""
        return self.reach(self.start, None, NOBODY, DEAL)

    def reach(
        self,
        table: Memory,
        past: Step | None,
        seat: int,
        action: int,
        outcomes: tuple[int, ...] = (),
        before: tuple[int, ...] = (),
        lots: int = 0,
    ) -> Position:
        """Return the position after an action of a seat, with the outcomes of chance so far, lots first;
        `before` is all of them but the last."""
        desk = self._desk_with(table)
        last = DEAL
        if outcomes:
            if len(outcomes) > MOST_WANTED:
                raise UpcardError("more cards are drawn between two decisions than can be told")
            if before and desk.said is not before:
                desk.hear(before)
            desk.said = outcomes
            last = outcomes[-1]
        side = desk.side
        kind, told, player, noted = self._advance(desk.array, side, action, lots, len(outcomes), last)
        items = desk.memory[:told]
        if kind == CHANCE or kind == LOT:
            self._desks.append(desk)
            return Position(self, table, past, kind, CHANCE_PLAYER, items, seat, action, outcomes, lots)
        if kind == WRONG or noted > MOST_NOTES:
            what = "cannot come out here" if kind == WRONG else "leads to more news than can be told"
            raise UpcardError(f"{outcomes[-1] if outcomes else action} {what}")
        desk.side = side = 1 - side
        desk.lies = reached = desk.memory[desk.tables[side]]
        begins = desk.notes[side]
        step = Step(past, seat, action, outcomes, lots, desk.memory[begins : begins + noted * NOTE_BYTES])
        self._desks.append(desk)
        return Position(self, reached, step, kind, player if kind == DECISION else NOBODY, items)

    @functools.cached_property
    def _advance(self) -> Callable[..., tuple[int, int, int, int]]:
        return dealing.advance.built_for(self._new_desk().array, 0, 0, 0, 0, 0)

    def _desk_with(self, table: Memory) -> Desk:
        """Return a desk that nobody else has, with a table on it."""
        try:
            desk = self._desks.pop()
        except IndexError:
            desk = self._new_desk()
        if desk.lies is not table:
            desk.lay(table)
        return desk

    def _new_desk(self) -> Desk:
        return Desk(dealing.desk_for(self.game))

    def watch(self, table: Memory, seat: int, out: npt.NDArray[np.uint8]) -> None:
        """Write what a seat knows of a table into an array of the encoding's size."""
        desk = self._desk_with(table)
        dealing.watch(desk.array, desk.side, seat, out)
        self._desks.append(desk)

    def laid(self, table: Memory) -> npt.NDArray[Any]:
        """Return a table as a compiled record, the only one of an array."""
        memory = np.zeros(1, self.layout)
        memory.view(np.uint8)[: len(table)] = np.frombuffer(table, np.uint8)
        return memory

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

    __slots__ = ("_items", "_table", "action", "kind", "lots", "outcomes", "past", "player", "seat", "setup")

    def __init__(
        self,
        setup: Setup,
        table: Memory,
        past: Step | None,
        kind: int,
        player: int,
        items: Memory,
        seat: int = NOBODY,
        action: int = DEAL,
        outcomes: tuple[int, ...] = (),
        lots: int = 0,
    ) -> None:
        self.setup = setup
        self._table = table
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
            if not (0 <= action < MOST_TOLD and action in self._items):
                raise UpcardError(f"{action} is not one of the legal actions, which are {self.actions}")
            return self.setup.reach(self._table, self.past, self.player, action)
        if self.kind == OVER:
            raise UpcardError("the game is over")
        lots = self.lots + 1 if self.kind == LOT else self.lots
        before = self.outcomes
        outcomes = (*before, action)
        return self.setup.reach(self._table, self.past, self.seat, self.action, outcomes, before, lots)

    # What one asks

    @property
    def actions(self) -> list[int]:
        """The legal actions of the seat to move, in their order; the possible outcomes of chance."""
        if self.kind == DECISION:
            return list(self._items)
        return [outcome for outcome, _ in self.chances]

    @property
    def chances(self) -> list[tuple[int, float]]:
        """What can come out, and how likely it is."""
        if self.player != CHANCE_PLAYER:
            return []
        shares = self.setup.shares[self._items[0]]
        chances = []
        for number in self._items[1:]:
            chances.append(shares[number])  # noqa: PERF401  # a third quicker than a comprehension
        return chances

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
        return self._table is not self.setup.start

    @property
    def table(self) -> npt.NDArray[Any]:
        """The table as a compiled record, the only one of an array."""
        return self.setup.laid(self._table)

    @property
    def plain(self) -> Any:
        """The table as a plain record."""
        return load(self.setup.record, self.table[0])

    def observe(self, seat: int, out: npt.NDArray[np.uint8]) -> None:
        """Write what a seat knows into an array of the encoding's size."""
        if self.is_dealt:
            self.setup.watch(self._table, seat, out)
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
        first, second = RECALL.unpack_from(self._table, self.setup.recall_at + seat * RECALL.size)
        return first, second

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
        tables[:1] = setup.laid(setup.start)
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
