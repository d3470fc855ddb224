"""Climb keeps the contract of all games, and its own clauses."""

from __future__ import annotations

import pytest

import upcard
from upcard.core.errors import Refused
from upcard.testing import contract_tests

TestContract = contract_tests("climb")


def test_C3_2_a_card_may_not_be_lower_than_the_one_before_it() -> None:
    match = upcard.new("climb", seed=1)
    match.play(max(match.legal, key=int))
    lower = [card for card in map(str, range(1, 11)) if card not in match.legal]
    with pytest.raises(Refused, match=r"C3\.2"):
        match.play(lower[0])


def test_C3_4_after_all_others_passed_the_player_begins_a_new_run_and_cannot_pass() -> None:
    match = upcard.new("climb", players=3, first=1, seed=1)
    match.play(match.legal[0])
    assert "pass" in match.legal
    match.play("pass")
    match.play("pass")
    assert match.to_move == 1
    assert "pass" not in match.legal
