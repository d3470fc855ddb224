"""Tests that plain and compiled rules agree."""

from __future__ import annotations

__all__ = ["CompiledContract"]

from typing import Any

import numpy as np

from upcard.bots.simple import best_place
from upcard.core.chance import Chance, key_of, randint, set_key
from upcard.core.compiler import compiled
from upcard.core.game import apply, deal, determinize, legal, observe, outcome
from upcard.core.memory import INT, dtype_of, empty, load, store
from upcard.core.struct import assign
from upcard.core.table import Result
from upcard.testing.cases import Case

# Positions of a game that are kept.
ROOM = 3_000


@compiled
def trace(
    start: Any,
    key: Any,
    dice_key: Any,
    tables: Any,
    views: Any,
    imagined: Any,
    moves: Any,
    choices: Any,
    result: Any,
) -> int:
    """Play a game with random and greedy moves, and record everything on the way.

    After move `n`: the table, the view of one viewer, a table determinized from that, and the legal move that
    was chosen.
    """
    table = tables[0]
    assign(table, start)
    set_key(table.chance, key)
    dice = imagined[0].chance
    set_key(dice, dice_key)
    deal(table)
    made = 0
    count = legal(table, moves)
    while count > 0 and made + 1 < len(tables):
        viewer = table.to_move if made % 3 == 0 else made % (table.players + 1) - 1
        observe(table, viewer, views[made])
        determinize(views[made], imagined[made + 1], dice)
        place = randint(dice, count)
        if viewer == table.to_move:
            place = best_place(views[made], moves, count)
        choices[made] = place
        assign(tables[made + 1], table)
        made += 1
        table = tables[made]
        apply(table, moves[place])
        count = legal(table, moves)
    outcome(table, result)
    return made


def same(plain: Any, memory: Any) -> bool:
    """Whether a plain struct and a compiled one are equal in every field."""
    return bool(store(plain) == memory)


class CompiledContract:
    """A test of the compiled rules, with one case."""

    def test_plain_equals_compiled_move_by_move(self, case: Case) -> None:
        game = case.game
        keys = np.array([key_of(str(case).encode()), key_of(b"dice")], INT)
        start = game.new_table(game.complete(case.options), Chance())
        tables = np.zeros(ROOM, dtype_of(game.Table))
        views = np.zeros(ROOM, dtype_of(game.View))
        imagined = np.zeros(ROOM, dtype_of(game.Table))
        choices = np.zeros(ROOM, INT)
        result = empty(Result)
        moves = np.zeros(game.max_legal, INT)
        made = trace(store(start), *keys, tables, views, imagined, moves, choices, result)

        dice = Chance()
        set_key(dice, keys[1].tolist())
        set_key(start.chance, keys[0].tolist())
        deal(start)
        for number in range(made):
            viewer = start.to_move if number % 3 == 0 else number % (start.players + 1) - 1
            view = game.view(start, viewer)
            twin = game.Table()
            determinize(view, twin, dice)
            possible = game.legal_moves(start)
            place = randint(dice, len(possible))
            if viewer == start.to_move:
                place = best_place(view, possible, len(possible))
            assert same(view, views[number])
            assert same(twin, imagined[number + 1])
            assert place == choices[number]
            assert same(start, tables[number])
            apply(start, possible[place])
        assert same(start, tables[made])
        assert not game.legal_moves(start) or made == ROOM - 1
        expected = Result()
        outcome(start, expected)
        assert load(Result, result) == expected
