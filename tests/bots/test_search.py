"""The search bot: its results, its budget, and positions with a known best move."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import Case, each_case
from tests.games.stacks_tables import RED_FOUR, stacks
from tests.games.stockpile_tables import stockpile
from tests.positions import Position
from upcard.bots import Budget, Greedy, Search, Turn
from upcard.bots import search as searching
from upcard.core.compiler import compiled
from upcard.core.errors import UpcardError
from upcard.core.game import Game, evaluate, heuristic
from upcard.core.memory import INT, store
from upcard.core.table import MAX_SEATS
from upcard.games import all_games
from upcard.testing.contract import some_positions

pytestmark = pytest.mark.compiled
each_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)


def turn_of(game: Game, table: Any, budget: Budget) -> Turn:
    return Turn(game, game.view(table, table.to_move), game.legal_moves(table), (), budget)


def chosen(position: Position, simulations: int = 500) -> str:
    turn = turn_of(position.game, position.table, Budget(simulations))
    return position.game.write_move(position.table, Search(b"dice").choose(turn))


@each_case
def test_it_has_a_thought_on_every_legal_move_with_any_option_and_number_of_players(case: Case) -> None:
    for table in some_positions(case, 6):
        turn = turn_of(case.game, table, Budget(60))
        if len(turn.moves) > 1:
            thoughts = Search(b"dice").think(turn)
            assert sorted(thought.move for thought in thoughts) == sorted(turn.moves)
            assert 0 < sum(thought.visits for thought in thoughts) <= 60
            assert all(0 <= thought.win_probability <= 1 for thought in thoughts)
            assert thoughts[0].visits == max(thought.visits for thought in thoughts)


@each_game
def test_the_same_dice_and_simulations_give_the_same_thoughts(game: Game) -> None:
    table = game.deal({"players": 3}, b"deal")
    turn = turn_of(game, table, Budget(400))
    assert Search(b"dice").think(turn) == Search(b"dice").think(turn)
    assert Search(b"dice", "threads=2").think(turn) == Search(b"dice", "threads=2").think(turn)
    assert Search(b"dice").think(turn) != Search(b"other dice").think(turn)


@each_game
def test_threads_share_the_simulations(game: Game) -> None:
    turn = turn_of(game, game.deal({}, b"deal"), Budget(301))
    visits = sum(thought.visits for thought in Search(b"dice", "threads=3").think(turn))
    assert 0 < visits <= 303


@each_game
def test_however_little_time_there_is_it_thinks_of_every_move(game: Game) -> None:
    turn = turn_of(game, game.deal({}, b"deal"), Budget(seconds=1e-9))
    thoughts = Search(b"dice").think(turn)
    assert {thought.move for thought in thoughts} == set(turn.moves)
    assert 0 < sum(thought.visits for thought in thoughts) <= searching.SIMULATIONS_PER_CHECK


@each_game
def test_it_stops_when_what_is_left_of_the_budget_can_change_nothing(game: Game) -> None:
    table = game.deal({}, b"deal")
    turn = turn_of(game, table, Budget(2000))
    thoughts = Search(b"dice").think(turn)
    spent = sum(thought.visits for thought in thoughts)
    left = 2000 - spent
    assert left == 0 or thoughts[0].visits - thoughts[1].visits > left


def test_a_single_move_needs_no_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "think", None)
    position = stockpile(stocks=["8 3"], stacks=["9 | 9 | 9"], piles="2 5 5 5")
    assert chosen(position) == "stock 1"


# Positions with a known best move


def test_it_finds_the_order_of_plays_that_empties_the_stockpile() -> None:
    """Only one of two threes uncovers the four that makes room for the last stockpile card."""
    position = stockpile(
        piles="2 8 8 8",
        stocks=["5", "1 1 1 1 1 1 1"],
        stacks=["7 3 | 4 3 | 10", "10 | 10 | 10"],
        fresh="7 7 7 8 8 8 6 6 6 10 10 10 9 9 9 4 4 4 3 3 3 2 2 2 1 1 1 1",
    )
    assert chosen(position) == "B 1"


@pytest.mark.compiled("stacks")
def test_it_blocks_the_chip_that_would_win_the_game() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block b5"}, chips={1: (2, 2)})
    position.play("r5 R1")
    assert position.to_move == 2
    assert chosen(position) == "block"


# Compiling


def test_nobody_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the search is compiled, the greedy bot plays, and compiling begins in the background."""
    game = all_games()[0]
    begun, may_go_on = threading.Event(), threading.Event()

    def compile_slowly(_game: Game) -> None:
        begun.set()
        may_go_on.wait()
        searching._ready.add(game.id)

    monkeypatch.setattr(searching, "_ready", set())
    monkeypatch.setattr(searching, "_preparing", set())
    monkeypatch.setattr(searching, "_compile_in_background", compile_slowly)
    turn = turn_of(game, game.deal({}, b"deal"), Budget(50, hurry=True))
    assert Search(b"dice").choose(turn) == Greedy().choose(turn)
    begun.wait()
    assert not searching.is_ready(game)
    may_go_on.set()
    searching.prepare(game, wait=True)
    assert searching.is_ready(game)


# Prints how often something was compiled in this process while the search of a game was prepared in the
# background.
WATCHED = """
import sys, threading, upcard
from numba.core import event
from upcard.bots import search
from upcard.games import find
with event.install_recorder("numba:compile") as here:
    search.prepare(find(sys.argv[1]))
    [aside] = [each for each in threading.enumerate() if each is not threading.main_thread()]
    aside.join()
assert search.is_ready(find(sys.argv[1]))
print(len(here.buffer))
"""


@pytest.mark.soak
@each_game
def test_what_is_compiled_in_the_background_is_compiled_in_another_process(
    game: Game, tmp_path: Path
) -> None:
    """A compiler in this process would slow down all other tables."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, game.id],
        env={**os.environ, "UPCARD_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "0\n"


def test_another_process_compiles_unless_that_was_done_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mark, done = tmp_path / "mark", []

    def compile_here(_game: Game) -> None:
        done.append("here")
        mark.touch()

    monkeypatch.setattr(searching, "_ready_file", lambda _game: mark)
    monkeypatch.setattr(searching, "_compile_in_process", lambda _game: done.append("aside"))
    monkeypatch.setattr(searching, "_compile", compile_here)
    for _ in range(2):
        searching._compile_in_background(all_games()[0])
    assert done == ["aside", "here", "here"]


def test_options_that_it_does_not_have_are_refused(subtests: pytest.Subtests) -> None:
    for options in ("threads=0", "threads=", "threads=x", "thread=2", "2", "threads=65"):
        with subtests.test(options), pytest.raises(UpcardError, match="search takes threads=1 to 64"):
            Search(b"dice", options)


# Heuristic and evaluation, plain and compiled


@compiled
def judge(table: Any, moves: Any, heuristics: Any, evaluations: Any) -> None:
    for place in range(len(moves)):
        heuristics[place] = heuristic(table, moves[place])
    for seat in range(table.players):
        evaluations[seat] = evaluate(table, seat)


@each_case
def test_worth_and_standing_are_the_same_plain_and_compiled(case: Case) -> None:
    for table in some_positions(case, 10):
        moves = case.game.legal_moves(table)
        heuristics, evaluations = np.zeros(len(moves), INT), np.zeros(MAX_SEATS, INT)
        judge(store(table), np.array(moves, INT), heuristics, evaluations)
        assert heuristics.tolist() == [heuristic(table, move) for move in moves]
        seats = range(table.players)
        assert evaluations[: table.players].tolist() == [evaluate(table, seat) for seat in seats]
