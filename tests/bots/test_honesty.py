"""Bots know only what their seat knows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from tests.cases import CASES, Case, each_case
from upcard.bots import Budget, Seated, Turn, find
from upcard.core.chance import Chance
from upcard.core.game import Game, heuristic
from upcard.core.struct import Struct
from upcard.core.struct import fields as fields_of
from upcard.core.table import Table
from upcard.games import all_games
from upcard.match import Match
from upcard.testing.contract import permuted, some_positions

each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
DICE = b"the same dice"


def turn_of(case: Case, table: Any, simulations: int = 30) -> Turn:
    view = case.game.view(table, table.to_move)
    return Turn(case.game, view, case.game.legal_moves(table), (), Budget(simulations))


def usual(game: Game) -> Case:
    """Return the case of a game with default options except, perhaps, the number of players."""
    return next(case for case in CASES if case.game is game)


@pytest.mark.compiled
@each_game
@pytest.mark.parametrize("bot", ["random", "greedy", "easy", "search"])
def test_a_bot_makes_the_same_move_at_two_tables_that_look_the_same(bot: str, game: Game) -> None:
    """A bot gets a view, and the contract tests check with every option that views are equal. Here it is
    enough that nothing else reaches the bot."""
    case = usual(game)
    dice = random.Random(str(case))
    differ = 0
    for table in some_positions(case, 8):
        if not case.game.legal_moves(table):
            continue
        other = permuted(case.game, table, table.to_move, dice)
        differ += other != table
        ours, theirs = turn_of(case, table), turn_of(case, other)
        assert find(bot).make(DICE).choose(ours) == find(bot).make(DICE).choose(theirs)
    assert differ, "nothing was hidden, so nothing was tested"


def everything_in(thing: Any) -> Iterator[Any]:
    """Walk through all objects that can be reached from an object, except games, which are shared."""
    yield thing
    if isinstance(thing, Game):
        return
    if is_dataclass(thing):
        inside = [getattr(thing, field.name) for field in fields(thing)]
    elif isinstance(thing, Struct):
        inside = [getattr(thing, name) for name in fields_of(thing)]
    else:
        inside = list(thing) if isinstance(thing, list | tuple) else []
    for one in inside:
        yield from everything_in(one)


class Spy:
    """A bot that keeps everything it is given."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> int:
        self.turns.append(turn)
        return turn.moves[len(self.turns) % len(turn.moves)]


@each_game
def test_a_bot_is_never_told_of_a_table_its_chance_or_the_seed(game: Game) -> None:
    match = Match(game, {"players": 3}, bytes(range(32)))
    spies = [Spy() for _ in range(3)]
    seats = [Seated(find("random"), match, seat) for seat in (1, 2, 3)]
    for seat, spy in zip(seats, spies, strict=True):
        seat.bot = spy
    while match.to_move is not None and len(match.log) < 120:
        match.make_legal(seats[match.to_move - 1].choose())
    for spy in spies:
        assert spy.turns
        for turn in spy.turns:
            told = list(everything_in(turn))
            assert not any(isinstance(thing, Table | Chance | Match) for thing in told)
            assert match.seed not in [thing for thing in told if isinstance(thing, bytes)]


@each_game
def test_a_bot_is_told_what_its_seat_was_told_since_its_last_move(game: Game) -> None:
    match = Match(game, {"players": 2}, bytes(32))
    spy = Spy()
    seats = [Seated(find("random"), match, 1), Seated(find("greedy"), match, 2)]
    seats[0].bot = spy
    while match.to_move is not None:
        match.make_legal(seats[match.to_move - 1].choose())
    heard = [event for turn in spy.turns for event in turn.events]
    assert heard == match.events_for(1)[: len(heard)]
    assert len(heard) > 10


@each_game
def test_a_bot_is_told_again_what_it_has_to_know_when_moves_are_taken_back(game: Game) -> None:
    match = Match(game, {"players": 2}, bytes(32))
    seats = [Seated(find("greedy"), match, seat) for seat in (1, 2)]
    told, moves = [], []
    for _ in range(20):
        assert match.to_move is not None
        told.append(seats[match.to_move - 1].turn())
        moves.append(seats[match.to_move - 1].choose())
        match.make_legal(moves[-1])
    match.undo(8)
    for before, move in zip(told[-8:], moves[-8:], strict=True):
        assert match.to_move is not None
        assert seats[match.to_move - 1].turn() == before
        assert before.events
        match.make_legal(move)


def test_the_dice_of_a_bot_do_not_give_away_the_seed_of_the_cards() -> None:
    match = Match(all_games()[0], {}, bytes(range(32)))
    kept: list[bytes] = []

    class Keeper(Spy):
        def __init__(self, seed: bytes, options: str) -> None:
            super().__init__()
            kept.append(seed)

    entrant = find("random")
    for seat in (1, 2):
        Seated(type(entrant)("keeper", Keeper, "", entrant.budget), match, seat)
    assert len(set(kept)) == 2
    assert all(match.seed is not None and match.seed not in seed and seed not in match.seed for seed in kept)


@each_case
def test_a_move_is_worth_as_much_at_the_table_as_to_the_seat_that_sees_a_part_of_it(case: Case) -> None:
    for table in some_positions(case):
        view = case.game.view(table, table.to_move)
        for move in case.game.legal_moves(table):
            assert heuristic(table, move) == heuristic(view, move)
