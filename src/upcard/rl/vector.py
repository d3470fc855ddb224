"""Thousands of tables in one call: observations, masks and rewards in arrays that are reused."""

from __future__ import annotations

__all__ = ["Step", "VectorEnv"]

import functools
import operator
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.core.chance import Chance
from upcard.core.errors import ArgumentError, GameOver, Refused, UpcardError
from upcard.core.memory import INT, dtype_of, load, store
from upcard.core.table import Result
from upcard.match.seed import dice_seed, hashes, new_seed, numbered_seed, read_seed
from upcard.rl import kernels
from upcard.rl.encodings import encoding_of, move_of
from upcard.rl.threads import default_threads, parts

DISABLED = "disabled"
# Without autoreset, tables are reset by their owner before the next step: the kernel sees no difference.
AUTORESETS = {"same_step": kernels.SAME_STEP, "next_step": kernels.NEXT_STEP, DISABLED: kernels.NEXT_STEP}
ILLEGAL = {"lose": kernels.LOSE, "refuse": kernels.REFUSE}
NO_LEARNER = -1
NO_ACTION = -1
# Length of a key, in integers of 32 bits.
KEY = 8
# Attributes that a copy creates itself.
_NOT_COPIED = ("state", "refused", "began", "final_observations", "_pool", "_kernel")


class Step(NamedTuple):
    """The results of a step. The arrays are the environment's own: the next step changes them."""

    # The observation and the legal actions of the seat to move, at each table.
    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.int8]
    # Rewards of every seat for the step; not zero if a game has ended.
    rewards: npt.NDArray[np.float32]
    # Whether a game has ended, by its rules or because of `max_moves`.
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    # The seat to move now (from 0).
    seats: npt.NDArray[np.int8]


class VectorEnv:
    """Many tables of one game, for learners that play some or all seats.

    `opponents` names compiled bots that play at all seats except `seat` (from 1): one name for all, or
    one for each seat to the left. Without them every seat is a learner's, and `seats` says whose turn it is.

    `illegal` decides the effect of an illegal action: with `"lose"` its seat loses the game, with `"refuse"`
    nothing happens, and `refused` shows where. `max_moves` ends a game with more actions of learners. When a
    game is over, its table deals the next one in the same step. With `autoreset="next_step"` it does so in
    the next step, whatever the action; with `"disabled"` it has to be reset before the next step. While a
    table waits for its next game, no action is legal in its mask.

    `threads` is the number of threads, at most one for each table; by default one for every 2,048 tables, up
    to the number of cores. The results depend on the seed and the actions, and not on the number of threads.
    """

    def __init__(
        self,
        game: str,
        tables: int,
        *,
        opponents: str | Sequence[str] | None = None,
        seat: int = 1,
        illegal: str = "lose",
        autoreset: str = "same_step",
        final_observations: bool = False,
        max_moves: int | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.encoding = encoding_of(game)
        self.game = self.encoding.game
        self.options = self.game.complete(options)
        self.players = int(self.options["players"])
        self.tables = _at_least_one("tables", tables)
        self.max_moves = 0 if max_moves is None else _at_least_one("max_moves", max_moves)
        self._resets_itself = autoreset != DISABLED
        self._policy = kernels.Policy(
            _choice("autoreset", autoreset, AUTORESETS), _choice("illegal", illegal, ILLEGAL), self.max_moves
        )
        bots = _bots(opponents, seat, self.players)
        self.learner = NO_LEARNER if opponents is None else seat - 1
        wanted = default_threads(tables) if threads is None else _at_least_one("threads", threads)
        self.threads = min(wanted, tables)
        self._parts = parts(tables, self.threads)
        self.seed = b""
        # The seats of bots, from 1.
        self._bot_seats = [place for place, bot in enumerate(bots, 1) if bot != kernels.LEARNER]
        self._allocate(bots, tables if final_observations else 0)
        self._show()

    def _allocate(self, bots: Sequence[int], finals: int) -> None:
        """Create all arrays; `finals` is the number of tables whose last observations are kept."""
        tables, size = self.tables, self.encoding.size
        self._shown = kernels.Shown(
            observations=np.zeros((tables, size), np.uint8),
            masks=np.zeros((tables, self.encoding.action_count), np.int8),
            rewards=np.zeros((tables, self.players), np.float32),
            terminated=np.zeros(tables, np.bool_),
            truncated=np.zeros(tables, np.bool_),
            seats=np.zeros(tables, np.int8),
            refused=np.zeros(tables, np.bool_),
            finals=np.zeros((finals, size), np.uint8),
        )
        self._games = kernels.Games(
            start=np.array([store(self.game.new_table(self.options, Chance()))]),
            tables=np.zeros(tables, dtype_of(self.game.Table)),
            keys=np.zeros((tables, 1 + len(self._bot_seats), KEY), INT),
            dealt=np.zeros(tables, np.bool_),
            moved=np.zeros(tables, INT),
            waiting=np.zeros(tables, np.int8),
        )
        dice = np.zeros((tables, self.players), dtype_of(Chance))
        self._bots = kernels.Bots(np.array(bots, INT), dice) if self._bot_seats else None
        self._rooms = [
            kernels.Room(
                moves=np.zeros(self.game.max_legal, INT),
                noticed=np.zeros(self.game.max_legal, INT),
                results=np.zeros(1, dtype_of(Result)),
            )
            for _ in self._parts
        ]
        # The number of the game at each table, among those of the seed.
        self._numbers = np.zeros(tables, np.int64)
        self._began = np.zeros(tables, np.bool_)
        self._all = np.ones(tables, np.bool_)
        self._lots = np.zeros(tables)
        self._actions = np.zeros(tables, np.int64)
        self._picked = np.zeros(tables, np.int64)

    def _show(self) -> None:
        """Give callers read-only arrays, since the kernel trusts its masks."""
        self.state = Step(*(_read_only(getattr(self._shown, name)) for name in Step._fields))
        self.refused = _read_only(self._shown.refused)
        # Where the last step started a waiting game, and therefore ignored the action.
        self.began = _read_only(self._began)
        self.final_observations = _read_only(self._shown.finals)
        self._pool = ThreadPoolExecutor(len(self._parts) - 1) if len(self._parts) > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        """A copy has its own tables, which continue from here."""
        return {name: value for name, value in vars(self).items() if name not in _NOT_COPIED}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._show()

    # Steps

    def reset(
        self,
        seed: int | str | bytes | None = None,
        tables: npt.NDArray[np.bool_] | None = None,
        *,
        alone: bool = False,
    ) -> Step:
        """Deal a new game at all tables, or where `tables` is true.

        A seed has numbered games (`seed_of`), of which table 0 has the first, table 1 the second, and so on
        round. Without a seed the tables continue with their next games. With `alone`, for an environment with
        one table, the first game is that of the seed itself, which `upcard.new` deals.
        """
        chosen = self._all if tables is None else self._chosen(seed, tables)
        if seed is not None or not self.seed:
            self.seed = new_seed() if seed is None else read_seed(seed)
            self._dice = np.random.Generator(np.random.PCG64(int.from_bytes(self.seed, "little")))
            # Pretend that games have been dealt: hashing the next ones advances all numbers, as dealing does.
            self._numbers[:] = np.arange(self.tables) - (2 + int(alone)) * self.tables
            self._games.dealt[:] = True
            self._hash_next()
        self._games.waiting[chosen] = kernels.WAITING
        self._do(chosen)
        return self.state

    def _chosen(self, seed: Any, tables: Any) -> npt.NDArray[np.bool_]:
        """Return which tables to reset, if some can be reset while the others stay unchanged."""
        chosen = np.asarray(tables)
        if chosen.dtype != np.bool_ or chosen.shape != (self.tables,) or not chosen.any():
            raise ArgumentError(
                f"the tables to reset must be a boolean array of shape ({self.tables},) "
                f"with at least one True, not {_kind_of(chosen)}"
            )
        if not self.seed:
            raise ArgumentError("nothing is dealt yet, so the first reset must be of all tables")
        if seed is not None:
            raise ArgumentError("a seed is for all tables, so reset some of them without a seed")
        return chosen

    def step(self, actions: npt.ArrayLike) -> Step:
        """Take one action at each table."""
        self._check_dealt()
        waiting = self._games.waiting
        if not self._resets_itself and waiting.any():
            raise _reset_first(int(waiting.argmax()))
        self._actions[:] = self._read_actions(actions)
        self._began[:] = waiting
        self._do(self._all)
        return self.state

    def _read_actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
        wanted = f"actions must be an integer array of shape ({self.tables},)"
        try:
            given = np.asarray(actions)
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"{wanted}, not {type(actions).__name__}: {error}") from error
        if given.dtype.kind not in "iu" or given.shape != (self.tables,):
            raise ArgumentError(f"{wanted}, not {_kind_of(given)}")
        return given

    def act(self, action: Any) -> None:
        """Take one action at the only table, without the cost of an array."""
        self._check_dealt()
        if self._games.waiting[0] and not self._resets_itself:
            raise _reset_first(0)
        try:
            chosen = operator.index(action)
        except TypeError:
            raise ArgumentError(f"an action must be an integer, not {action!r:.40}") from None
        # An invalid action may not even fit into the array.
        self._actions[0] = chosen if 0 <= chosen < self.encoding.action_count else NO_ACTION
        self._do(self._all)

    def _check_dealt(self) -> None:
        if not self.seed:
            raise ArgumentError("nothing is dealt yet, so reset the environment before its first step")

    def _do(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Take the actions at the chosen tables, and hash the seeds of the next games there."""

        def step(part: int, first: int, last: int) -> None:
            room = self._rooms[part]
            self._kernel(*self._arrays, room, self._policy, chosen, self._actions, first, last)

        self._run(step)
        while self._hash_next() and self._bots is not None:
            # If bots played a whole game before the learner's first turn, another one is dealt.
            chosen = self._games.waiting == kernels.OVERDUE
            if chosen.any():
                self._run(step)

    @functools.cached_property
    def _kernel(self) -> Callable[..., None]:
        """The machine code of a step. The types of the arrays never change, so they are not checked again."""
        room = self._rooms[0]
        arguments = (*self._arrays, room, self._policy, self._all, self._actions, 0, 0)
        return kernels.step_tables.code_for(*arguments).unchecked

    @property
    def _arrays(self) -> tuple[kernels.Games, kernels.Bots | None, kernels.Shown]:
        return self._games, self._bots, self._shown

    def _hash_next(self) -> bool:
        """Write the keys of the next games where the last ones were used, and return whether there were
        any."""
        dealt = self._games.dealt.nonzero()[0]
        if not len(dealt):
            return False
        numbers = self._numbers[dealt] + self.tables
        self._numbers[dealt] = numbers
        texts = []
        for number in (numbers + self.tables).tolist():
            seed = self._seed_of_game(number)
            texts.append(seed)
            texts += [dice_seed(seed, seat) for seat in self._bot_seats]
        keys = np.frombuffer(hashes(texts), "<i4")
        self._games.keys[dealt] = keys.reshape(len(dealt), -1, KEY)
        self._games.dealt[dealt] = False
        return True

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Return a random legal action for each table; the random numbers come from the seed.

        The array is the environment's own, and it is meant for its next step.
        """
        self._check_dealt()
        self._dice.random(out=self._lots)
        self._run(self._pick)
        return self._picked

    def _pick(self, _part: int, first: int, last: int) -> None:
        kernels.pick_actions(self._shown.masks, self._lots, self._picked, first, last)

    def _run(self, work: Callable[[int, int, int], None]) -> None:
        """Let every thread work on its part of the tables."""
        if self._pool is None:
            work(0, 0, self.tables)
            return
        (first, last), *others = self._parts
        waiting = [self._pool.submit(work, part, *bounds) for part, bounds in enumerate(others, 1)]
        work(0, first, last)
        for done in waiting:
            done.result()

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    # Queries

    def seed_of(self, table: int) -> bytes:
        """Return the seed of the game at a table: `upcard.new` deals the same cards from it."""
        return self._seed_of_game(int(self._numbers[table]))

    def _seed_of_game(self, number: int) -> bytes:
        return self.seed if number < 0 else numbered_seed(self.seed, number)

    def table(self, number: int) -> Any:
        """Return a plain copy of a table, for tests and pictures, not for players."""
        return load(self.game.Table, self._games.tables[number])

    def refusal(self, table: int, action: int) -> UpcardError:
        """Return why an action is not legal at a table, as an error to be raised."""
        plain = self.table(table)
        move = move_of(plain, action) if 0 <= action < self.encoding.action_count else NO_ACTION
        refusal = None if move < 0 else self.game.explain(plain, move)
        if refusal is None:
            return UpcardError(f"{action} is not an action at this table now")
        return Refused(refusal)

    def observe(self, table: int, seat: int) -> npt.NDArray[np.uint8]:
        """Return what any seat (from 0) knows at a table."""
        out = np.zeros((1, self.encoding.size), np.uint8)
        kernels.write_observation(self._games.tables, table, seat, out)
        known: npt.NDArray[np.uint8] = out[0]
        return known


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise ArgumentError(f"{name} should be 1 or more, not {value}")
    return value


def _reset_first(table: int) -> GameOver:
    return GameOver(f"the game at table {table} is over, so reset it before the next step")


def _kind_of(array: npt.NDArray[Any]) -> str:
    """Return a description of an array, for an error message."""
    return f"{array.dtype} of shape {array.shape}"


def _choice(name: str, value: str, known: dict[str, int]) -> int:
    if value not in known:
        raise ArgumentError(f"{name} cannot be {value!r:.40}: it is {' or '.join(known)}")
    return known[value]


def _bots(opponents: str | Sequence[str] | None, seat: int, players: int) -> list[int]:
    """Return the player of each seat."""
    if opponents is None:
        return [kernels.LEARNER] * players
    names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != players - 1:
        raise ArgumentError(f"name 1 or {players - 1} opponents for {players} players, not {len(names)}")
    if not 1 <= seat <= players:
        raise ArgumentError(f"there is no seat {seat}: there are {players} players")
    bots = [kernels.LEARNER] * players
    for step, name in enumerate(names, 1):
        bots[(seat - 1 + step) % players] = _choice("an opponent", name, kernels.BOTS)
    return bots


def _read_only(array: npt.NDArray[Any]) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view
