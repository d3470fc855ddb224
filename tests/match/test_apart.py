"""Players who sit apart: all players who might have an answer are asked, which reveals nothing (K5.4)."""

from __future__ import annotations

import random

import pytest

from tests.cases import CASES, Case
from upcard.core.errors import Refused
from upcard.games.stacks.deck import BLOCK
from upcard.match import Match, replay

SEED = bytes(range(32))
STACKS = [case for case in CASES if case.game.id == "stacks"]
each_case_of_stacks = pytest.mark.parametrize("case", STACKS, ids=str)


def play_to_the_end(match: Match, dice: random.Random) -> int:
    """Play at random, and return how often a seat was asked."""
    windows = 0
    while not match.over:
        windows += bool(match.asked)
        match.make_legal(dice.choice(match.game.legal_moves(match.table)))
    return windows


@each_case_of_stacks
def test_K5_4_a_record_of_a_game_played_apart_has_only_answers_that_were_a_choice(case: Case) -> None:
    match = Match(case.game, case.options, SEED, apart=True)
    asked = play_to_the_end(match, random.Random(str(case)))
    again = replay(match.record(legal=True))
    assert again.result == match.result
    forced = [moved for moved in match.log_of_moves if moved.forced]
    assert len(again.log_of_moves) == len(match.log_of_moves) - len(forced)
    assert asked >= len(forced)


@each_case_of_stacks
def test_K5_4_the_seats_that_are_asked_follow_from_what_everyone_sees(case: Case) -> None:
    match = Match(case.game, case.options, SEED, apart=True)
    dice = random.Random(str(case))
    while not match.over:
        view = match.view()
        opponents = [seat for seat in range(1, match.table.players + 1) if seat != view.player + 1]
        if match.asked:
            pending = {seat for seat in opponents if view.seats[seat - 1].hand_count}
            assert set(match.asked) <= pending
            if match.log_of_moves[-1].seat == view.player:
                assert set(match.asked) == pending
            for seat in match.asked:
                assert len(match.answers(seat)) == (2 if BLOCK in match.view(seat).hand.cards else 1)
                assert match.view(seat).to_move == seat - 1
        match.make_legal(dice.choice(match.game.legal_moves(match.table)))


def test_K5_3_someone_asked_who_holds_no_block_cannot_play_one() -> None:
    match = Match(STACKS[0].game, {"players": 3}, SEED, apart=True)
    dice = random.Random(1)
    while not match.asked or len(match.answers(match.asked[0])) == 2:
        match.make_legal(dice.choice(match.game.legal_moves(match.table)))
    with pytest.raises(Refused, match=r"'block' isn't in your hand. \(K5.3\)"):
        match.play("block")
    match.play("allow")


@pytest.mark.parametrize("game", ["stockpile", "lines"])
def test_nobody_is_asked_anything_out_of_turn_in_other_games(game: str) -> None:
    case = next(case for case in CASES if case.game.id == game)
    match = Match(case.game, case.options, SEED, apart=True)
    assert play_to_the_end(match, random.Random(1)) == 0
