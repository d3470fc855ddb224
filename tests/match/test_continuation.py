"""A game continues from what one seat knew of another game, and its other cards are dealt again."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from upcard.core.errors import RecordError
from upcard.core.game import Game
from upcard.games import GAMES, find
from upcard.match import Continuation, Match, replay

each_game = pytest.mark.parametrize("game", [find(name) for name in GAMES], ids=lambda game: game.id)
FIRST, SECOND, THIRD = (bytes([number] * 32) for number in (1, 2, 3))


def begun(game: Game, moves: int = 6) -> Match:
    """Return a match after some moves, at a moment when nobody is asked out of turn."""
    match = Match(game, {"players": 3}, FIRST, apart=True)
    dice = random.Random(game.id)
    while len(match.log_of_moves) < moves or match.asked:
        match.make_legal(dice.choice(game.legal_moves(match.table)))
    return match


def known_to(seat: int, match: Match) -> Continuation:
    assert match.seed is not None
    return Continuation(match.seed, seat, [(moved.seat + 1, moved.text) for moved in match.log_of_moves])


def continued(match: Match, seat: int, seed: bytes) -> Match:
    return Match(match.game, match.options, seed, match.players, apart=True, continues=known_to(seat, match))


def finished(game: Game) -> dict[str, Any]:
    """Return the record of a continued game."""
    match = continued(begun(game), 2, SECOND)
    dice = random.Random(game.id)
    while not match.over:
        match.make_legal(dice.choice(game.legal_moves(match.table)))
    record: dict[str, Any] = json.loads(match.to_json())
    return record


@each_game
def test_the_seat_finds_all_that_it_knew_and_everything_else_follows_from_the_new_seed(game: Game) -> None:
    match = begun(game)
    one, same, other = (continued(match, 2, seed) for seed in (SECOND, SECOND, THIRD))
    assert one.show(2) == same.show(2) == other.show(2) == match.show(2)
    assert one.position == same.position
    assert len({match.position, one.position, other.position}) == 3


@each_game
def test_moves_of_a_continued_game_can_be_taken_back_to_its_beginning(game: Game) -> None:
    match = continued(begun(game), 1, SECOND)
    before = match.position
    for _ in range(3):
        match.play(match.legal[0])
    match.undo(3)
    assert (match.position, match.log) == (before, [])


@each_game
def test_the_record_of_a_continued_game_proves_its_beginning(game: Game) -> None:
    record = finished(game)
    assert replay(record).record() == record
    edits: list[Callable[[dict[str, Any]], Any]] = [
        lambda continues: continues.update(seed=THIRD.hex()),
        lambda continues: continues["log"].pop(),
        lambda continues: continues.update(seat=1 if game.id != "stockpile" else 4),
        lambda continues: continues.update(seat=0),
        lambda continues: continues.update(seed="00"),
        lambda continues: continues["log"].append({"seat": 1, "move": "?"}),
    ]
    for edit in edits:
        edited = copy.deepcopy(record)
        edit(edited["continues"])
        with pytest.raises(RecordError):
            replay(edited)
    for change in ({"seed": None}, {"seed": THIRD.hex()}, {"continues": None}):
        with pytest.raises(RecordError):
            replay(record | change)


def test_a_finished_game_does_not_continue_nor_one_in_which_players_are_asked() -> None:
    game = find("stacks")
    match = Match(game, {"players": 3}, FIRST, apart=True)
    dice = random.Random(0)
    while not match.asked:
        match.make_legal(dice.choice(game.legal_moves(match.table)))
    with pytest.raises(RecordError, match="asked"):
        continued(match, 1, SECOND)
    while not match.over:
        match.make_legal(dice.choice(game.legal_moves(match.table)))
    with pytest.raises(RecordError, match="over"):
        continued(match, 1, SECOND)
