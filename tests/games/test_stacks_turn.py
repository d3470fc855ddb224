"""The clauses of Stacks about a turn (K3)."""

from __future__ import annotations

import pytest

from tests.games.stacks_tables import BLUE_FOUR, IDLE, RED_FOUR, RED_RUN, stacks
from upcard.core.events import EventKind
from upcard.games.stacks.events import StacksEvent


def test_K3_1_you_may_stop_without_playing() -> None:
    position = stacks("r1 skip b1 b2 b3")
    position.play("x r1")
    assert position.to_move == 2


def test_K3_1_as_many_cards_as_you_like_in_any_order() -> None:
    position = stacks("b2 r1 skip b1 r2 b5")
    position.play("r1 R2", "skip", "b1 B1", "b2 B1", "r2 R2")
    assert position.to_move == 1
    assert (position.pile("R2"), position.pile("B1")) == ("r1 r2", "b1 b2")


def test_K3_1_stopping_early_is_allowed_unless_the_option_forbids_it() -> None:
    assert "x b5" in stacks("r1 b5").legal
    assert "x b5" in stacks("r1 b5", must_play="no").legal
    assert stacks("r1 b5", must_play="yes").legal == ["r1 R1", "r1 R2"]


def test_K3_1_must_play_refuses_a_discard_while_a_card_fits() -> None:
    refusal = stacks("r1 b5", must_play=True).refused("x b5")
    assert (refusal.clause, refusal.code) == ("K3.1", "stacks.must_play")


@pytest.mark.parametrize("special", ["skip", "reverse", "card", "chip"])
def test_K3_1_must_play_holds_for_specials_too(special: str) -> None:
    position = stacks(f"{special} b5", chips={2: (1, 0)}, must_play=True)
    assert position.refused("x b5").clause == "K3.1"
    assert position.refused(f"x {special}").clause == "K3.1"


def test_K3_1_must_play_holds_for_the_top_of_your_own_discard_pile() -> None:
    position = stacks("b5", discards={1: "r1"}, must_play=True)
    assert position.legal == ["top R1", "top R2"]


def test_K3_1_must_play_lets_you_stop_when_nothing_can_be_played() -> None:
    position = stacks("block chip b5", discards={1: "r4", 2: "r1"}, must_play=True)
    assert position.legal == ["x block", "x chip", "x b5"]


def test_K3_1_must_play_forbids_end_while_the_discard_pile_can_be_played() -> None:
    position = stacks("", discards={1: "r1"}, must_play=True)
    assert position.legal == ["top R1", "top R2"]
    assert position.refused("end").clause == "K3.1"


def test_K3_2_a_pile_is_started_by_a_one() -> None:
    assert stacks("r1 b2 b5").legal == ["r1 R1", "r1 R2", "x r1", "x b2", "x b5"]


def test_K3_2_a_pile_is_started_by_a_wild() -> None:
    position = stacks("b? b5")
    position.play("b? B2")
    assert position.pile("B2") == "b?"
    assert position.refused("b? B1").code == "table.not_in_hand"


def test_K3_2_a_pile_is_not_started_by_a_two() -> None:
    refusal = stacks("r2").refused("r2 R1")
    assert (refusal.clause, refusal.code) == ("K3.2", "stacks.does_not_fit")
    assert refusal.parameters["needed"] == 1


def test_K3_2_a_pile_grows_one_by_one_in_its_colour() -> None:
    position = stacks("b1 b2 b3 b4 b5 r5")
    position.play("b1 B1", "b2 B1", "b3 B1", "b4 B1")
    assert position.pile("B1") == "b1 b2 b3 b4"
    position.play("b5 B1")
    assert position.pile("B1") == ""


def test_K3_2_a_number_cannot_be_left_out_or_repeated() -> None:
    position = stacks("r2 r4", piles={"R1": "r1 r2", "R2": "r1 r2"})
    assert position.refused("r2 R1").code == "stacks.does_not_fit"
    assert position.refused("r4 R1").parameters == {"card": "r4", "pile": "R1", "needed": 3}


@pytest.mark.parametrize("move", ["r3 B1", "r? B1"])
def test_K3_2_a_card_of_the_other_colour_is_refused(move: str) -> None:
    refusal = stacks("r3 r?", piles={"B1": "b1 b2"}).refused(move)
    assert (refusal.clause, refusal.code) == ("K3.2", "stacks.other_colour")


@pytest.mark.parametrize("height", range(5))
def test_K3_2_a_wild_stands_for_any_number_of_its_own_colour(height: int) -> None:
    pile = " ".join(RED_RUN.split()[:height])
    assert "r? R1" in stacks("r? b5", piles={"R1": pile}).legal


def test_K3_2_a_pile_may_consist_of_wilds_alone() -> None:
    position = stacks("r? r? r? r? r? b5")
    position.play(*["r? R1"] * 5)
    assert position.chips(1) == (1, 0)


def test_K3_2_the_number_after_a_wild_is_the_next_one_up() -> None:
    position = stacks("r3 r2", piles={"R1": "r1 r?"})
    assert "r3 R1" in position.legal
    assert position.refused("r2 R1").parameters["needed"] == 3


def test_K3_2_a_pile_left_unfinished_stays_for_the_next_player() -> None:
    position = stacks("r1 b5", hands={2: "r2 b5"})
    position.play("r1 R1", "x b5", "r2 R1")
    assert position.pile("R1") == "r1 r2"


def test_K3_3_the_top_of_your_own_discard_pile_can_be_played_then_the_next_under_it() -> None:
    position = stacks("b5", discards={1: "r3 r2 r1"})
    position.play("top R1", "top R1", "top R1")
    assert position.pile("R1") == "r1 r2 r3"
    assert position.discards(1) == ""


def test_K3_3_a_buried_card_cannot_be_played() -> None:
    position = stacks("b5", discards={1: "r1 r4"})
    assert position.legal == ["x b5"]
    assert position.refused("top R1").code == "stacks.does_not_fit"


def test_K3_3_the_discard_piles_of_others_cannot_be_played() -> None:
    position = stacks("b5", discards={2: "r1"})
    refusal = position.refused("top R1")
    assert (refusal.clause, refusal.code) == ("K3.3", "stacks.no_discards")


def test_K3_3_special_cards_are_played_from_the_discard_pile_too() -> None:
    position = stacks("b5 b5", discards={1: "chip card reverse skip", 2: "r5"}, chips={2: (0, 1)})
    position.play("top skip", "top reverse", "top card @2 top", "top chip @2 blue")
    assert position.discards(1) == ""
    assert position.spent == "skip reverse card chip"
    assert (position.hand(1), position.chips(1)) == ("r5 b5 b5", (0, 1))


@pytest.mark.parametrize("move", ["top skip", "top R1"])
def test_K3_3_only_what_lies_on_top_can_be_played_from_there(move: str) -> None:
    refusal = stacks("b5", discards={1: "reverse"}).refused(move)
    assert (refusal.clause, refusal.code) == ("K3.3", "stacks.other_top")


@pytest.mark.parametrize("move", ["r1 R1", "skip", "card @2 hand"])
def test_K3_3_a_card_you_do_not_hold_cannot_be_played(move: str) -> None:
    refusal = stacks("b5").refused(move)
    assert (refusal.clause, refusal.code) == ("K3.3", "table.not_in_hand")


@pytest.mark.parametrize(("move", "earned"), [("r5 R1", (1, 0)), ("b? B2", (0, 1))])
def test_K3_4_completing_a_pile_earns_a_chip_of_its_colour(move: str, earned: tuple[int, int]) -> None:
    position = stacks("r5 b? b2", piles={"R1": RED_FOUR, "B2": BLUE_FOUR})
    position.play(move)
    assert position.chips(1) == earned
    assert len(position.happened(StacksEvent.EARNED)) == 1


def test_K3_4_the_cards_of_a_completed_pile_go_out_of_play_and_the_place_is_free() -> None:
    position = stacks("r5 r1", piles={"R1": "r1 r2 r? r4", "R2": "r1"})
    position.play("r5 R1")
    assert position.finished == "r1 r2 r4 r5 r?"
    position.play("r1 R1")
    assert (position.pile("R1"), position.pile("R2")) == ("r1", "r1")


def test_K3_4_only_the_player_who_completes_a_pile_gets_the_chip() -> None:
    position = stacks(f"{RED_FOUR} b5", hands={2: "b5"}, discards={2: "r5"})
    position.play("r1 R1", "r2 R1", "r3 R1", "r4 R1", "x b5", "top R1")
    assert [position.chips(seat) for seat in (1, 2, 3)] == [(0, 0), (1, 0), (0, 0)]


def test_K3_5_all_cards_of_the_hand_played_bring_five_more() -> None:
    position = stacks(RED_RUN, deck="b1 b2 b3 b4 b5 r1")
    position.play(*(f"r{number} R1" for number in range(1, 6)))
    assert position.hand(1) == "b1 b2 b3 b4 b5"
    assert (position.to_move, position.deck) == (1, "r1")
    assert position.chips(1) == (1, 0)


def test_K3_5_a_small_hand_that_is_played_out_brings_five_too() -> None:
    position = stacks("r1", deck="b1 b2 b3 b4 b5 r1")
    position.play("r1 R1")
    assert position.hand(1) == "b1 b2 b3 b4 b5"


@pytest.mark.parametrize("move", ["skip", "reverse", "chip @2 red"])
def test_K3_5_a_special_may_be_the_last_card_played(move: str) -> None:
    position = stacks(move.partition(" ")[0], chips={2: (1, 0)}, deck="b1 b2 b3 b4 b5 r1")
    position.play(move)
    assert (position.hand(1), position.to_move) == ("b1 b2 b3 b4 b5", 1)


def test_K3_5_a_hand_whose_last_card_steals_another_is_not_played_out() -> None:
    position = stacks("card", discards={2: "r5"})
    position.play("card @2 top")
    assert position.hand(1) == "r5"


def test_K3_5_a_card_from_the_discard_pile_does_not_empty_a_hand() -> None:
    position = stacks("b5", discards={1: "r1"})
    position.play("top R1")
    assert position.hand(1) == "b5"


def test_K3_5_a_blocked_last_card_brings_five_all_the_same() -> None:
    position = stacks("r5", piles={"R1": RED_FOUR}, hands={2: "block"}, deck="b1 b2 b3 b4 b5 r1")
    position.play("r5 R1")
    assert position.hand(1) == ""
    position.play("block")
    assert (position.hand(1), position.to_move) == ("b1 b2 b3 b4 b5", 1)


def test_K3_5_the_five_may_be_drawn_from_the_pile_just_finished() -> None:
    position = stacks("r5", piles={"R1": RED_FOUR}, deck="b1")
    position.play("r5 R1")
    assert len(position.hand(1).split()) == 5
    assert sorted(f"{position.hand(1)} {position.deck}".split()) == ["b1", *RED_RUN.split()]


def test_K3_5_five_owed_cards_come_as_soon_as_there_are_any_in_the_same_turn() -> None:
    position = stacks("b1", piles={"R1": RED_FOUR}, discards={1: "r5"}, deck="")
    position.play("b1 B1")
    assert (position.hand(1), position.legal) == ("", ["top R1", "end"])
    position.play("top R1")
    assert (position.hand(1), position.to_move) == (RED_RUN, 1)


def test_K3_5_a_hand_played_out_for_fewer_than_five_cards_is_owed_no_more() -> None:
    position = stacks("b1", piles={"R1": RED_FOUR}, discards={1: "r5"}, deck="b5 b5")
    position.play("b1 B1", "top R1")
    assert (position.hand(1), position.finished) == ("b5 b5", RED_RUN)


def test_K3_5_a_hand_empty_when_the_turn_begins_is_refilled_only_at_its_end() -> None:
    position = stacks("b5", hands={2: ""}, discards={2: "b1 r1"})
    position.play("x b5", "top R1")
    assert (position.to_move, position.hand(2)) == (2, "")
    position.play("top B1")
    assert (position.to_move, position.hand(2)) == (3, "b4 b4 b4 b4 b4")


def test_K3_5_cards_owed_to_one_player_are_not_owed_to_the_next() -> None:
    position = stacks("b1", hands={2: ""}, piles={"R1": RED_FOUR}, discards={2: "b2 r5"}, deck="")
    position.play("b1 B1")
    assert position.to_move == 2
    position.play("top R1")
    assert (position.to_move, position.hand(2), position.finished) == (2, "", RED_RUN)


def test_K3_6_a_discard_goes_onto_your_own_pile_and_ends_the_turn() -> None:
    position = stacks("r5 b5 b5 b5 b5", discards={1: "r4", 2: "b2"})
    position.play("x r5")
    assert (position.discards(1), position.discards(2)) == ("r4 r5", "b2")
    assert position.to_move == 2


def test_K3_6_the_hand_is_drawn_back_up_to_five() -> None:
    position = stacks("r1 r2 b5 b5 b5", deck="b1 b2 b3 r5")
    position.play("r1 R1", "r2 R1", "x b5")
    assert (position.hand(1), position.deck) == ("b1 b2 b3 b5 b5", "r5")


def test_K3_6_a_hand_still_over_five_draws_nothing() -> None:
    position = stacks(IDLE, discards={1: "card card", 2: "b1 b2"})
    position.play("top card @2 top", "top card @2 top", "x r5")
    assert position.hand(1) == "r5 r5 b1 b2 b5 b5"
    assert position.happened(EventKind.DREW) == []


@pytest.mark.parametrize("card", ["r1", "b?", "skip", "reverse", "card", "chip", "block"])
def test_K3_6_any_card_can_be_discarded(card: str) -> None:
    position = stacks(f"{card} b5")
    position.play(f"x {card}")
    assert position.discards(1) == card


def test_K3_6_the_last_card_may_be_discarded() -> None:
    position = stacks("r5", deck="b1 b2 b3 b4 b5 r1")
    position.play("x r5")
    assert (position.to_move, position.hand(1)) == (2, "b1 b2 b3 b4 b5")


def test_K3_6_only_a_card_of_the_hand_can_be_discarded() -> None:
    refusal = stacks("b5", discards={1: "r5"}).refused("x r5")
    assert (refusal.clause, refusal.code) == ("K3.6", "table.not_in_hand")


def test_K3_6_a_turn_does_not_end_without_a_discard() -> None:
    refusal = stacks("b5").refused("end")
    assert (refusal.clause, refusal.code) == ("K3.6", "stacks.discard_to_end")


def test_K3_7_an_empty_hand_and_nothing_to_draw_end_the_turn_without_a_discard() -> None:
    position = stacks("r1", discards={1: "r5"}, deck="")
    position.play("r1 R1")
    assert (position.to_move, position.discards(1)) == (2, "r5")


def test_K3_7_you_may_end_while_the_discard_pile_could_still_be_played() -> None:
    position = stacks("r1", discards={1: "r2"}, deck="")
    position.play("r1 R1")
    assert (position.to_move, position.legal) == (1, ["top R1", "end"])
    position.play("end")
    assert (position.to_move, position.discards(1)) == (2, "r2")


def test_K3_7_with_an_empty_hand_nothing_can_be_discarded() -> None:
    position = stacks("", discards={1: "r1"}, deck="")
    assert position.refused("x r1").code == "table.not_in_hand"


def test_K3_7_turns_that_cannot_be_played_end_one_after_another() -> None:
    position = stacks("b5", players=4, hands={2: "", 3: ""}, discards={2: "r5", 3: "block"}, deck="")
    position.play("x b5")
    assert position.to_move == 4
    assert [event.seat + 1 for event in position.happened(EventKind.TURN)] == [2, 3, 4]
