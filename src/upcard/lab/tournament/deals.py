"""Duplicate deals: the same cards, played once in every seating of the bots."""

from __future__ import annotations

__all__ = [
    "FIRST",
    "MOVES",
    "REASON",
    "WINNERS",
    "Dealt",
    "Rows",
    "TournamentPlan",
    "play_deals",
    "row_of",
    "warm_up",
]

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from upcard.bots import Budget, Search, Turn
from upcard.core.chance import set_key
from upcard.core.compiler import compiled
from upcard.core.errors import BotError, OptionError
from upcard.core.game import Game, deal
from upcard.core.memory import INT, empty
from upcard.core.options import Value
from upcard.core.struct import assign
from upcard.core.table import MAX_SEATS
from upcard.games import find
from upcard.lab import contest
from upcard.lab.arena import COMPILED_BOTS, Arena
from upcard.lab.clairvoyant import sight_of
from upcard.lab.contest import LENIENT, Played, Referee, check_bots, play_refereed
from upcard.lab.tournament.seatings import Seating, seatings
from upcard.match.seed import numbered_seed

Rows = npt.NDArray[np.int32]

# The row of a game: the reason for its end, the number of moves, the starting seat; then for each seat
# whether it won, and for each seat its score. The reason of a forfeited game is minus the number of the seat
# that lost it.
REASON, MOVES, FIRST, WINNERS = range(4)

# Bots that do not need compiled code at plain tables.
AT_FIRST_SIGHT = {"random", "greedy", "easy"}


@dataclass(frozen=True)
class Dealt:
    """Finished deals, from the one numbered `first` on: a row for each seating of each deal, and the errors
    by which bots lost, by the numbers of deal and seating."""

    first: int
    rows: Rows
    errors: Mapping[tuple[int, int], BotError] = field(default_factory=dict)

    def upto(self, deals: int | None) -> Dealt:
        """Return the first of these deals, all of them for None."""
        rows = self.rows[:deals]
        end = self.first + len(rows)
        return Dealt(
            self.first, rows, {place: error for place, error in self.errors.items() if place[0] < end}
        )


@dataclass(frozen=True)
class TournamentPlan:
    """The bots, the game and the seed: everything that a deal depends on, in a form that can be sent to other
    processes. Create one with `TournamentPlan.of`, which checks everything."""

    game: str
    # All of them, in the order of the game.
    options: tuple[tuple[str, Value], ...]
    # As given; a name may occur several times.
    bots: tuple[str, ...]
    seed: bytes
    referee: Referee = LENIENT

    @classmethod
    def of(
        cls,
        game: str,
        options: Mapping[str, object],
        bots: Sequence[str],
        seed: bytes,
        referee: Referee = LENIENT,
    ) -> TournamentPlan:
        """Return a plan, or raise an error. Without a number of players, all the
        bots play if the game has enough seats."""
        found = find(game)
        check_bots(bots)
        plan = cls(game, tuple(_completed(found, options, len(bots)).items()), tuple(bots), seed, referee)
        seatings(plan.bots, plan.players)
        return plan

    @property
    def players(self) -> int:
        """The number of players at a table."""
        return int(dict(self.options)["players"])

    @property
    def names(self) -> list[str]:
        """Each bot once, in the given order."""
        return list(dict.fromkeys(self.bots))

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings of each deal."""
        return seatings(self.bots, self.players)

    @property
    def compiled(self) -> bool:
        """Whether everything runs compiled, and can therefore run in threads."""
        return set(self.bots) <= set(COMPILED_BOTS)


def _completed(game: Game, options: Mapping[str, object], bots: int) -> dict[str, Value]:
    if "players" not in options and bots > int(game.complete(options)["players"]):
        try:
            return game.complete({**options, "players": bots})
        except OptionError:
            pass  # too many for one table, so they play in smaller groups
    return game.complete(options)


def play_deals(plan: TournamentPlan, first: int, deals: int) -> Dealt:
    """Play the deals numbered `first` and following."""
    if plan.compiled:
        return Dealt(first, _play_compiled(plan, first, deals))
    rows = _empty_rows(plan, deals)
    errors: dict[tuple[int, int], BotError] = {}
    for place in range(deals):
        for number, played in enumerate(_play_plain(plan, first + place)):
            rows[place, number] = row_of(played)
            if played.error is not None:
                errors[first + place, number] = played.error
    return Dealt(first, rows, errors)


def _play_plain(plan: TournamentPlan, number: int) -> Iterator[Played]:
    """Play one deal, seating by seating."""
    game, seed = find(plan.game), numbered_seed(plan.seed, number)
    for seating in plan.seatings:
        yield play_refereed(game, dict(plan.options), seed, seating, plan.referee)


def _empty_rows(plan: TournamentPlan, deals: int) -> Rows:
    return np.zeros((deals, len(plan.seatings), WINNERS + 2 * plan.players), INT)


def warm_up(plan: TournamentPlan) -> None:
    """Compile what the bots need, so that all workers only load it."""
    game = find(plan.game)
    if plan.compiled:
        for arena in _arenas(plan)[:1]:
            arena.warm_up()
        _starters(plan, 0, 0)
    elif not set(plan.bots) <= AT_FIRST_SIGHT:
        contest.warm_up(game)
        if any(sight_of(bot) for bot in plan.bots):
            table = game.deal({}, b"any")
            view = game.view(table, table.to_move)
            Search(b"any").think(Turn(game, view, game.legal_moves(table), budget=Budget(1)), table)


# Plain


def row_of(played: Played) -> list[int]:
    """Return the row of a game."""
    match = played.match
    about = (played.ending, len(match.log_of_moves), match.table.first)
    return [*about, *played.winners, *played.scores]


# Compiled


@functools.lru_cache(maxsize=4)
def _arenas(plan: TournamentPlan) -> list[Arena]:
    return [Arena(find(plan.game), dict(plan.options), seating) for seating in plan.seatings]


def _play_compiled(plan: TournamentPlan, first: int, deals: int) -> Rows:
    arenas, players = _arenas(plan), plan.players
    keys = arenas[0].keys(plan.seed, first, deals)
    rows = _empty_rows(plan, deals)
    rows[:, :, FIRST] = _starters(plan, first, deals)[:, None]
    for place, arena in enumerate(arenas):
        played = arena.run(keys).rows
        rows[:, place, [REASON, MOVES]] = played[:, :2]
        rows[:, place, WINNERS : WINNERS + players] = played[:, 2 : 2 + players]
        rows[:, place, WINNERS + players :] = played[:, 2 + MAX_SEATS : 2 + MAX_SEATS + players]
    return rows


def _starters(plan: TournamentPlan, first: int, deals: int) -> Rows:
    """Return the starting seats of some deals."""
    arena = _arenas(plan)[0]
    starters = np.zeros(deals, INT)
    find_starters(arena.start, empty(arena.game.Table), arena.keys(plan.seed, first, deals), starters)
    return starters


@compiled
def find_starters(start: Any, table: Any, keys: Any, starters: Any) -> int:
    """Deal for each row of keys, only to find the starting seat. `start` is a table with its options set."""
    for place in range(len(keys)):
        assign(table, start)
        set_key(table.chance, keys[place, 0])
        deal(table)
        starters[place] = table.first
    return len(keys)
