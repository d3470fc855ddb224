"""Thousands of tables in one call: observations, masks and rewards in arrays that are always the same."""

from __future__ import annotations

__all__ = ["Step", "VectorEnv", "default_threads"]

import operator
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from upcard.core.chance import Chance
from upcard.core.errors import GameOver, Refused, UpcardError
from upcard.core.memory import INT, dtype_of, load, store
from upcard.core.table import Result
from upcard.match.seed import new_seed, numbered_seed, read_seed
from upcard.rl import kernels
from upcard.rl.encodings import encoding_of, move_of
from upcard.rl.fetching import busy_lines
from upcard.rl.hashing import WORDS, words_of

# Minimum number of tables for each thread, unless the caller sets the number of threads. With fewer, waking
# a second thread can take longer than the work it saves: `upcard bench rl` measures where that is.
TABLES_PER_THREAD = 2_048
DISABLED = "disabled"
# Without autoreset, tables are reset by their owner before the next step: the kernel sees no difference.
AUTORESETS = {"same_step": kernels.SAME_STEP, "next_step": kernels.NEXT_STEP, DISABLED: kernels.NEXT_STEP}
ILLEGAL = {"lose": kernels.LOSE, "refuse": kernels.REFUSE}
NOBODY = -1
NO_ACTION = -1
# What is made anew for a copy.
_SHOWN = ("state", "refused", "began", "final_observations", "_crew")


class Step(NamedTuple):
    """What a step leaves behind. The arrays are the environment's own: the next step changes them."""

    # What the seat to move knows, and which actions are legal, at each table.
    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.int8]
    # Rewards of every seat for what just happened; not zero where a game has ended.
    rewards: npt.NDArray[np.float32]
    # Whether a game has ended, by its rules or because of `max_moves`.
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    # Who is to move now (from 0).
    seats: npt.NDArray[np.int8]


class VectorEnv:
    """Many tables of one game, for learners who play some or all seats.

    `opponents` names bots that play inside, compiled, at all seats but `seat` (from 1): one name for all, or
    one for each seat to the left. Without them every seat is a learner's, and `seats` says whose turn it is.

    What happens with an action that is not legal: with `illegal="lose"` its seat loses the game, with
    `"refuse"` nothing happens; `refused` shows where. `max_moves` ends a game that takes more actions of
    learners. When a game is over, its table deals the next one in the same step. With `autoreset="next_step"`
    it does so in the next step, whatever the action; with `"disabled"` it has to be reset before the next
    step. While a table waits for its next game, no action is legal in its mask.

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
        self._mode = _choice("autoreset", autoreset, AUTORESETS)
        self._resets_itself = autoreset != DISABLED
        self._illegal = _choice("illegal", illegal, ILLEGAL)
        bots = _bots(opponents, seat, self.players)
        self.learner = NOBODY if bots is None else seat - 1
        wanted = default_threads(tables) if threads is None else _at_least_one("threads", threads)
        self.threads = min(wanted, tables)
        self._parts = _parts(tables, self.threads)
        self.seed = b""
        # In a list of one: Numba takes several microseconds to look at a record that is alone.
        self._starts = np.array([store(self.game.lay(self.options, Chance()))])
        self._tables = np.zeros(tables, dtype_of(self.game.Table))
        self._busy = busy_lines(self.game.Table, self.players)
        self._bots = None if bots is None else np.array(bots, INT)
        self._dice = None if bots is None else np.zeros((tables, self.players), dtype_of(Chance))
        self._results = np.zeros(len(self._parts), dtype_of(Result))
        self._moves = [np.zeros(self.game.most_moves, INT) for _ in self._parts]
        self._base = np.zeros(WORDS, np.int64)
        self._numbers = np.zeros(tables, np.int64)
        self._moved = np.zeros(tables, INT)
        self._waiting = np.zeros(tables, np.int8)
        self._began = np.zeros(tables, np.bool_)
        self._all = np.ones(tables, np.bool_)
        self._streams = np.zeros(tables, np.uint64)
        self._actions = np.zeros(tables, np.int64)
        self._picked = np.zeros(tables, np.int64)

        size = self.encoding.size
        self._observations = np.zeros((tables, size), np.uint8)
        self._finals = np.zeros((tables if final_observations else 0, size), np.uint8)
        self._masks = np.zeros((tables, self.encoding.action_count), np.int8)
        self._rewards = np.zeros((tables, self.players), np.float32)
        self._terminated, self._truncated, self._refused = np.zeros((3, tables), np.bool_)
        self._seats = np.zeros(tables, np.int8)
        self._show()

    def _show(self) -> None:
        """Show the arrays to others, who cannot write them: a mask that anybody can change is no law."""
        self.state = Step(
            _shown(self._observations),
            _shown(self._masks),
            _shown(self._rewards),
            _shown(self._terminated),
            _shown(self._truncated),
            _shown(self._seats),
        )
        self.refused = _shown(self._refused)
        # Where the last step began a game that had waited for it, and so ignored the action.
        self.began = _shown(self._began)
        self.final_observations = _shown(self._finals)
        self._crew = ThreadPoolExecutor(len(self._parts) - 1) if len(self._parts) > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        """A copy has tables of its own, which go on from here."""
        return {name: value for name, value in vars(self).items() if name not in _SHOWN}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)
        self._show()

    # What one does

    def reset(
        self,
        seed: int | str | bytes | None = None,
        tables: npt.NDArray[np.bool_] | None = None,
        *,
        alone: bool = False,
    ) -> Step:
        """Deal a new game at all tables, or where `tables` is true.

        A seed has numbered games (`seed_of`), of which table 0 has the first, table 1 the second, and so on
        round. Without a seed the tables go on to their next games. With `alone`, the first game is none of
        them but that of the seed itself, which `upcard.new` deals: for an environment that has one table.
        """
        chosen = self._all if tables is None else self._chosen(seed, tables)
        if seed is not None or not self.seed:
            self.seed = new_seed() if seed is None else read_seed(seed)
            self._base[:] = words_of(self.seed)
            # A game that begins has the next number.
            self._numbers[:] = np.arange(self.tables) - (1 + int(alone)) * self.tables
            self._streams[:] = _streams(self.seed, self.tables)
        self._waiting[chosen] = 1
        self._run(lambda part, first, last: self._do(part, first, last, chosen, kernels.NEXT_STEP))
        return self.state

    def _chosen(self, seed: Any, tables: Any) -> npt.NDArray[np.bool_]:
        """Return which tables to reset, if some can be reset while the others stay as they are."""
        chosen = np.asarray(tables)
        if chosen.dtype != np.bool_ or chosen.shape != (self.tables,) or not chosen.any():
            raise UpcardError(
                f"the tables to reset must be a boolean array of shape ({self.tables},) "
                f"with at least one True, not {_kind_of(chosen)}"
            )
        if not self.seed:
            raise UpcardError("nothing is dealt yet, so the first reset must be of all tables")
        if seed is not None:
            raise UpcardError("a seed is for all tables, so reset some of them without a seed")
        return chosen

    def step(self, actions: npt.ArrayLike) -> Step:
        """Do one action at each table."""
        self._check_dealt()
        if not self._resets_itself and self._waiting.any():
            raise _reset_first(int(self._waiting.argmax()))
        self._actions[:] = self._read_actions(actions)
        self._began[:] = self._waiting
        self._run(self._do)
        return self.state

    def _read_actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
        wanted = f"actions must be an integer array of shape ({self.tables},)"
        try:
            given = np.asarray(actions)
        except (TypeError, ValueError) as error:
            raise UpcardError(f"{wanted}, not {type(actions).__name__}: {error}") from error
        if given.dtype.kind not in "iu" or given.shape != (self.tables,):
            raise UpcardError(f"{wanted}, not {_kind_of(given)}")
        return given

    def act(self, action: Any) -> None:
        """Do one action at the only table, without the cost of an array."""
        self._check_dealt()
        if self._waiting[0] and not self._resets_itself:
            raise _reset_first(0)
        try:
            chosen = operator.index(action)
        except TypeError:
            raise UpcardError(f"an action must be an integer, not {action!r:.40}") from None
        # An action that does not exist may not fit into the array either.
        self._actions[0] = chosen if 0 <= chosen < self.encoding.action_count else NO_ACTION
        self._do(0, 0, 1)

    def _check_dealt(self) -> None:
        if not self.seed:
            raise UpcardError("nothing is dealt yet, so reset the environment before its first step")

    def _do(self, part: int, first: int, last: int, chosen: Any = None, mode: int | None = None) -> None:
        kernels.step_tables(
            self._starts,
            self._tables,
            self._busy,
            self._dice,
            self._bots,
            self._base,
            self._numbers,
            self._moved,
            self._waiting,
            self._observations,
            self._masks,
            self._seats,
            self._all if chosen is None else chosen,
            self._actions,
            self._finals,
            self._rewards,
            self._terminated,
            self._truncated,
            self._refused,
            self._results,
            self._moves[part],
            self._mode if mode is None else mode,
            self._illegal,
            self.max_moves,
            part,
            first,
            last,
        )

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Return a legal action for each table, drawn by lot; the dice come from the seed.

        The array is the environment's own, and it is meant for its next step.
        """
        self._run(self._pick)
        return self._picked

    def _pick(self, part: int, first: int, last: int) -> None:
        kernels.pick_actions(self._masks, self._streams, self._picked, first, last)

    def _run(self, work: Callable[[int, int, int], None]) -> None:
        """Let every thread work on its part of the tables."""
        if self._crew is None:
            work(0, 0, self.tables)
            return
        (first, last), *others = self._parts
        waiting = [self._crew.submit(work, part, *bounds) for part, bounds in enumerate(others, 1)]
        work(0, first, last)
        for done in waiting:
            done.result()

    def close(self) -> None:
        """Let the threads go."""
        if self._crew is not None:
            self._crew.shutdown()
            self._crew = None

    # What one asks

    def seed_of(self, table: int) -> bytes:
        """Return the seed of the game at a table: `upcard.new` deals the same cards from it."""
        number = int(self._numbers[table])
        return self.seed if number < 0 else numbered_seed(self.seed, number)

    def table(self, number: int) -> Any:
        """Return a plain copy of a table as it is: for tests and pictures, not for players."""
        return load(self.game.Table, self._tables[number])

    def refusal(self, table: int, action: int) -> UpcardError:
        """Return why an action is not legal at a table, as an error to be raised."""
        plain = self.table(table)
        move = move_of(plain, action) if 0 <= action < self.encoding.action_count else NOBODY
        refusal = None if move < 0 else self.game.explain(plain, move)
        if refusal is None:
            return UpcardError(f"{action} is not an action at this table now")
        return Refused(refusal)

    def observe(self, table: int, seat: int) -> npt.NDArray[np.uint8]:
        """Return what any seat (from 0) knows at a table."""
        out = np.zeros((1, self.encoding.size), np.uint8)
        kernels.write_observation(self._tables, table, seat, out)
        known: npt.NDArray[np.uint8] = out[0]
        return known


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise UpcardError(f"{name} should be 1 or more, not {value}")
    return value


def _reset_first(table: int) -> GameOver:
    return GameOver(f"the game at table {table} is over, so reset it before the next step")


def _kind_of(array: npt.NDArray[Any]) -> str:
    """Return what an array is, for a sentence about a wrong one."""
    return f"{array.dtype} of shape {array.shape}"


def _choice(name: str, value: str, known: dict[str, int]) -> int:
    if value not in known:
        raise UpcardError(f"{name} cannot be {value!r:.40}: it is {' or '.join(known)}")
    return known[value]


def _bots(opponents: str | Sequence[str] | None, seat: int, players: int) -> list[int] | None:
    """Return who sits at each seat; None where all of them are learners."""
    if opponents is None:
        return None
    names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != players - 1:
        raise UpcardError(f"{players} play, so name 1 or {players - 1} opponents, not {len(names)}")
    if not 1 <= seat <= players:
        raise UpcardError(f"there is no seat {seat}: {players} play")
    bots = [kernels.LEARNER] * players
    for step, name in enumerate(names, 1):
        bots[(seat - 1 + step) % players] = _choice("an opponent", name, kernels.BOTS)
    return bots


def default_threads(tables: int) -> int:
    """Return how many threads work on a number of tables, unless the caller chooses."""
    return max(1, min(_cores(), tables // TABLES_PER_THREAD))


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _parts(tables: int, threads: int) -> list[tuple[int, int]]:
    """Return which tables each thread works on."""
    bounds = [tables * part // threads for part in range(threads + 1)]
    return list(pairwise(bounds))


def _shown(array: npt.NDArray[Any]) -> Any:
    view = array.view()
    view.flags.writeable = False
    return view


def _streams(seed: bytes, tables: int) -> npt.NDArray[np.uint64]:
    """Return a number for each table that is not zero."""
    words = np.random.Generator(np.random.PCG64(int.from_bytes(seed, "little")))
    return words.integers(1, 1 << 64, tables, np.uint64)
