"""Tests that observations depend only on what a seat knows, and that actions are moves."""

from __future__ import annotations

__all__ = ["EncodingContract", "positions"]

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from upcard.core.chance import chance_of
from upcard.core.game import apply, determinize
from upcard.rl.encodings import action_of, encoding_of, move_of
from upcard.testing.cases import Case

MAX_MOVES = 400


def positions(case: Case, every: int) -> Iterator[Any]:
    """Play a random game, and yield some of its positions, including the last one."""
    dice = random.Random(str(case))
    table = case.game.deal(case.options, str(case).encode())
    for number in range(MAX_MOVES):
        moves = case.game.legal_moves(table)
        if number % every == 0 or not moves:
            yield table
        if not moves:
            return
        apply(table, dice.choice(moves))


class EncodingContract:
    """Tests of the encoding of a game, each with one case."""

    def test_what_looks_the_same_to_a_seat_is_observed_the_same_and_no_number_is_higher_than_documented(
        self, case: Case
    ) -> None:
        encoding, chance = encoding_of(case.game.id), chance_of(b"other tables")
        high = encoding.observation.high
        for table in positions(case, 19):
            for seat in range(table.players):
                view = case.game.view(table, seat)
                known = encoding.observation_of(view, seat)
                assert (known <= high).all()
                assert np.array_equal(encoding.observation_of(table, seat), known)
                twin = case.game.Table()
                determinize(view, twin, chance)
                assert np.array_equal(encoding.observation_of(twin, seat), known)

    def test_every_legal_move_is_one_action_and_back_and_no_other_action_is_legal(self, case: Case) -> None:
        encoding = encoding_of(case.game.id)
        for number, table in enumerate(positions(case, 3)):
            moves = case.game.legal_moves(table)
            actions = [action_of(table, move) for move in moves]
            assert len(set(actions)) == len(actions)
            assert all(0 <= action < encoding.action_count for action in actions)
            assert [move_of(table, action) for action in actions] == moves
            view = case.game.view(table, table.to_move)
            assert [action_of(view, move) for move in moves] == actions
            mask = encoding.mask_of(view, moves)
            assert np.flatnonzero(mask).tolist() == sorted(actions)
            if number % 5 == 0:
                assert not {move_of(table, int(action)) for action in np.flatnonzero(mask == 0)} & {*moves}
