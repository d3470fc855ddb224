"""A great many games with every check on, by `make soak`."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numba.extending import overload

from tests.cases import ALL_CASES, values_of
from upcard.core.chance import Chance, randint, set_key
from upcard.core.compiler import compiled
from upcard.core.game import Game, apply, deal, determinize, legal, observe
from upcard.core.memory import INT, dtype_of, empty, store
from upcard.core.struct import assign
from upcard.core.table import PLAYING
from upcard.games import all_games
from upcard.lab.arena import Arena
from upcard.match import read_seed
from upcard.testing.contract import contract_of

pytestmark = pytest.mark.compiled

FINE = 0
CARDS_LOST = 1
NO_MOVE = 2
TWICE = 3
MOVES_AFTER_THE_END = 4
REDEALT_OTHERWISE = 5
ENDLESS = 6
MOST_MOVES = 50_000


def take_census(table: Any, counts: Any) -> None:
    """Count all cards of a compiled table."""


@overload(take_census, strict=False)
def _take_census(table: Any, counts: Any) -> Any:
    for game in all_games():
        if table == numba.from_dtype(dtype_of(game.Table)):
            return contract_of(game).census
    return None


@compiled
def play_and_check(
    start: Any,
    table: Any,
    imagined: Any,
    no_view: Any,
    view: Any,
    chance: Any,
    keys: Any,
    moves: Any,
    box: Any,
    counts: Any,
) -> tuple[int, int]:
    """Play a random game for each key and check every position; return violations and their locations."""
    for game in range(len(keys)):
        assign(table, start)
        set_key(table.chance, keys[game, 0])
        set_key(chance, keys[game, 1])
        deal(table)
        box[:] = 0
        take_census(table, box)
        made = 0
        while table.over == PLAYING:
            count = legal(table, moves)
            if count == 0 or count > len(moves):
                return NO_MOVE, game
            for place in range(1, count):
                for earlier in range(place):
                    if moves[place] == moves[earlier]:
                        return TWICE, game
            counts[:] = 0
            take_census(table, counts)
            if (counts != box).any():
                return CARDS_LOST, game
            if made % 16 == 0:
                assign(view, no_view)
                observe(table, made // 16 % (table.players + 1) - 1, view)
                determinize(view, imagined, chance)
                counts[:] = 0
                take_census(imagined, counts)
                if (counts != box).any():
                    return REDEALT_OTHERWISE, game
            apply(table, moves[randint(chance, count)])
            made += 1
            if made > MOST_MOVES:
                return ENDLESS, game
        if legal(table, moves) != 0:
            return MOVES_AFTER_THE_END, game
    return FINE, len(keys)


def check_games(game: Game, options: dict[str, Any], games: int, seed: str) -> None:
    arena = Arena(game, options, ["random"])
    for first in range(0, games, 1_000):
        keys = arena.keys(read_seed(seed), first, min(1_000, games - first))
        found, number = play_and_check(
            store(game.new_table(arena.options, Chance())),
            empty(game.Table),
            empty(game.Table),
            empty(game.View),
            empty(game.View),
            empty(Chance),
            keys,
            np.zeros(game.max_legal, INT),
            np.zeros(contract_of(game).COUNTED, INT),
            np.zeros(contract_of(game).COUNTED, INT),
        )
        assert found == FINE, f"{game.id} {options}: problem {found} in game {first + number}"


each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


@pytest.mark.soak
@each_game
def test_thousands_of_random_games_keep_every_invariant(game: Game) -> None:
    for players in values_of(game.options[0]):
        options: dict[str, Any] = {"players": players}
        if game.id == "lines" and players == 5:
            options["colours"] = 6
        check_games(game, options, 1_000, "ordinary")


@pytest.mark.soak
@each_game
def test_a_million_random_games_keep_every_invariant(game: Game) -> None:
    """Spread over all options: the defaults first, then every case of the contract."""
    cases = [case for case in ALL_CASES if case.game is game]
    check_games(game, {}, 400_000, "soak")
    for case in cases:
        check_games(game, case.options, 600_000 // len(cases) + 1, f"soak {case}")
