"""The clauses of Stacks about blocks (K5)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.stacks_tables import RED_FOUR, RED_RUN, Stacks, stacks
from upcard.core.events import EventKind
from upcard.games.stacks.view import UNKNOWN_SEAT


@pytest.mark.parametrize("chosen", [{}, {"block": "completion"}])
def test_K5_1_a_blocked_pile_is_discarded_and_nobody_gets_a_chip(chosen: dict[str, Any]) -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block b5"}, **chosen)
    position.play("r5 R1")
    assert position.chips(1) == (0, 0)
    position.play("block")
    assert [position.chips(seat) for seat in (1, 2, 3)] == [(0, 0)] * 3
    assert (position.pile("R1"), position.finished, position.spent) == ("", RED_RUN, "block")


def test_K5_1_an_allowed_pile_earns_its_chip_and_the_turn_continues() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block b5"})
    position.play("r5 R1", "allow")
    assert (position.to_move, position.chips(1), position.hand(2)) == (1, (1, 0), "b5 block")


def test_K5_1_after_a_block_the_turn_continues() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block b5"})
    position.play("r5 R1", "block")
    assert (position.to_move, position.legal) == (1, ["x b5"])


def test_K5_1_a_block_comes_before_the_win() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block"}, chips={1: (2, 2)})
    position.play("r5 R1")
    assert not position.over
    position.play("block")
    assert (position.over, position.chips(1)) == (False, (2, 2))


def test_K5_1_an_allowed_pile_wins() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block"}, chips={1: (2, 2)})
    position.play("r5 R1", "allow")
    assert position.result == ("won", [1], [5, 0, 0])


def test_K5_1_only_the_fifth_card_is_answered() -> None:
    position = stacks("r4 b5", piles={"R1": "r1 r2 r3"}, hands={2: "block"})
    position.play("r4 R1")
    assert position.to_move == 1


def test_K5_1_specials_are_not_answered() -> None:
    position = stacks("skip b5", hands={2: "block"}, block="anytime")
    position.play("skip")
    assert position.to_move == 1


def test_K5_1_anytime_lets_any_card_on_a_pile_be_answered() -> None:
    position = stacks("r2 b5", piles={"R1": "r1", "R2": "r1"}, hands={2: "block"}, block="anytime")
    position.play("r2 R1")
    assert (position.to_move, position.legal) == (2, ["block", "allow"])
    position.play("block")
    assert (position.to_move, position.pile("R1"), position.pile("R2")) == (1, "", "r1")
    assert position.finished == "r1 r2"


def test_K5_1_anytime_an_allowed_card_stays_on_its_pile() -> None:
    position = stacks("r1 r2 b5", hands={2: "block"}, block="anytime")
    position.play("r1 R1", "allow", "r2 R1")
    assert (position.to_move, position.pile("R1")) == (2, "r1 r2")


def test_K5_1_anytime_the_fifth_card_is_answered_once() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block"}, block="anytime")
    position.play("r5 R1", "allow")
    assert (position.to_move, position.chips(1)) == (1, (1, 0))


def test_K5_2_only_one_who_holds_a_block_is_asked() -> None:
    position = stacks("r5 b5", players=4, piles={"R1": RED_FOUR}, hands={3: "b5 block"})
    position.play("r5 R1")
    assert (position.to_move, position.legal) == (3, ["block", "allow"])


def test_K5_2_without_a_block_in_any_hand_nobody_is_asked() -> None:
    position = stacks("r5 block", piles={"R1": RED_FOUR})
    position.play("r5 R1")
    assert (position.to_move, position.chips(1)) == (1, (1, 0))


def test_K5_2_opponents_are_asked_in_turn_order() -> None:
    blocks = {2: "block", 3: "b5", 4: "block"}
    position = stacks("r5 b5", players=4, piles={"R1": RED_FOUR}, hands=blocks)
    position.play("r5 R1")
    assert position.to_move == 2
    position.play("allow")
    assert (position.to_move, position.chips(1)) == (4, (0, 0))
    position.play("allow")
    assert (position.to_move, position.chips(1)) == (1, (1, 0))


def test_K5_2_turn_order_runs_round_the_table_from_the_player() -> None:
    hands = {2: "block b5", 3: "r5 b5", 4: "b5"}
    position = stacks("block b5", players=4, piles={"R1": RED_FOUR}, hands=hands)
    position.play("x b5", "x b5", "r5 R1")
    assert position.to_move == 1


def test_K5_2_after_a_reverse_the_other_neighbour_is_asked_first() -> None:
    position = stacks("reverse r5 b5", piles={"R1": RED_FOUR}, hands={2: "block", 3: "block"})
    position.play("reverse", "r5 R1")
    assert position.to_move == 3


def test_K5_2_someone_who_will_miss_a_turn_is_asked_all_the_same() -> None:
    position = stacks("skip r5 b5", piles={"R1": RED_FOUR}, hands={2: "block"})
    position.play("skip", "r5 R1")
    assert position.to_move == 2


def test_K5_2_the_first_block_ends_the_asking_and_cannot_be_blocked() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block", 3: "block"})
    position.play("r5 R1", "block")
    assert (position.to_move, position.hand(2), position.hand(3)) == (1, "", "block")


@pytest.mark.parametrize("move", ["x block", "r1 R2", "end", "skip"])
def test_K5_2_a_seat_that_is_asked_can_only_answer(move: str) -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block r1 skip"})
    position.play("r5 R1")
    refusal = position.refused(move)
    assert (refusal.clause, refusal.code) == ("K5.2", "stacks.answer_first")


@pytest.mark.parametrize("move", ["block", "allow"])
def test_K5_3_a_block_is_never_played_on_your_own_turn(move: str) -> None:
    refusal = stacks("block b5", piles={"R1": RED_FOUR}).refused(move)
    assert (refusal.clause, refusal.code) == ("K5.3", "stacks.not_asked")


def test_K5_3_a_block_can_be_discarded() -> None:
    position = stacks("block b5")
    position.play("x block")
    assert position.discards(1) == "block"


def test_K5_3_a_block_on_a_discard_pile_is_of_no_use() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, discards={1: "block", 2: "block"})
    assert position.legal == ["r5 R1", "x r5", "x b5"]
    position.play("r5 R1")
    assert (position.to_move, position.chips(1)) == (1, (1, 0))


def test_K5_3_the_blocker_refills_only_at_the_end_of_their_own_next_turn() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block r5 r5 r5 r5"})
    position.play("r5 R1", "block", "x b5")
    assert (position.to_move, position.hand(2)) == (2, "r5 r5 r5 r5")
    position.play("x r5")
    assert position.hand(2) == "r5 r5 r5 b4 b4"


def asked(holder: int) -> Stacks:
    """Seat 1 of four has completed a pile, and the only opponent with a block is being asked."""
    hands = {seat: "block b5" if seat == holder else "b5 b5" for seat in (2, 3, 4)}
    position = stacks("r5 b5", players=4, piles={"R1": RED_FOUR}, hands=hands)
    position.play("r5 R1")
    assert position.to_move == holder
    return position


def test_K5_4_the_one_who_is_asked_knows_it() -> None:
    position = asked(3)
    assert position.view(3).to_move == 2
    assert [event.kind for event in position.told(3)] == [EventKind.PLAYED, EventKind.ASKED]


@pytest.mark.parametrize("viewer", [1, 2, 4, None])
def test_K5_4_nobody_else_sees_or_is_told_who_is_asked(viewer: int | None) -> None:
    position = asked(3)
    assert position.view(viewer).to_move == UNKNOWN_SEAT
    assert [event.kind for event in position.told(viewer)] == [EventKind.PLAYED]


@pytest.mark.parametrize("viewer", [1, 4, None])
def test_K5_4_tables_where_another_is_asked_look_the_same(viewer: int | None) -> None:
    second, third = asked(2), asked(3)
    assert second.view(viewer) == third.view(viewer)
    assert second.told(viewer) == third.told(viewer)


@pytest.mark.parametrize("viewer", [1, 4, None])
def test_K5_4_nobody_else_learns_afterwards_who_has_allowed(viewer: int | None) -> None:
    second, third = asked(2), asked(3)
    second.play("allow")
    third.play("allow")
    assert second.view(viewer) == third.view(viewer)
    assert second.told(viewer) == third.told(viewer)


def test_K5_4_a_second_question_looks_like_the_first() -> None:
    position = stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: "block b5", 3: "block b5"})
    position.play("r5 R1")
    before = position.view(1)
    position.play("allow")
    assert position.to_move == 3
    assert position.view(1) == before
    assert position.told(1) == []


@pytest.mark.parametrize("chips", [(0, 0), (2, 2)])
@pytest.mark.parametrize("viewer", [1, 3, None])
def test_K5_4_an_allowed_pile_looks_like_one_that_nobody_could_block(
    viewer: int | None, chips: tuple[int, int]
) -> None:
    allowed, unasked = (
        stacks("r5 b5", piles={"R1": RED_FOUR}, hands={2: hand}, chips={1: chips})
        for hand in ("block b5", "b5 b5")
    )
    allowed.play("r5 R1", "allow")
    unasked.play("r5 R1")
    assert allowed.view(viewer) == unasked.view(viewer)
